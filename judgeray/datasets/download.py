"""One file over HTTP: resumed where it was cut, bounded in time, complete or an error."""

from __future__ import annotations

import time
from http import HTTPStatus
from pathlib import Path

import httpx2

from judgeray.core.errors import BadInputError

CONNECT_TIMEOUT_SECONDS = 20.0
READ_TIMEOUT_SECONDS = 60.0
TOTAL_TIMEOUT_SECONDS = 3600.0


def download(url: str, target: Path, total_timeout_seconds: float = TOTAL_TIMEOUT_SECONDS) -> None:
    """Download `url` into `target`, going on with what a cut download left there.

    `target.tag` keeps the server's ETag: the rest is asked for with Range and If-Range (RFC 9110, sections
    13.1.5 and 14.2), so that a file that has changed meanwhile, or a server without ranges, is taken from the
    start. What arrived stays on disk after an error. Raises BadInputError, naming the URL, when offline, on
    any status but 200 or 206, on a cut and on a timeout.
    """
    tag_file = target.with_name(target.name + ".tag")
    deadline = time.monotonic() + total_timeout_seconds
    try:
        if not _transfer(url, target, tag_file, deadline):
            target.unlink()
            _transfer(url, target, tag_file, deadline)  # without a range, which cannot be refused again
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise BadInputError(f"{url}: {type(error).__name__}: {error}; run again to go on") from error
    tag_file.unlink(missing_ok=True)


def _transfer(url: str, target: Path, tag_file: Path, deadline: float) -> bool:
    """Transfer what is missing; False where the server refuses the range asked for."""
    headers, start = _request(target, tag_file)
    timeout = httpx2.Timeout(READ_TIMEOUT_SECONDS, connect=CONNECT_TIMEOUT_SECONDS)
    with httpx2.stream("GET", url, headers=headers, timeout=timeout, follow_redirects=True) as response:
        if response.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and start:
            return False
        resumed = start > 0 and response.status_code == HTTPStatus.PARTIAL_CONTENT
        if not resumed and response.status_code != HTTPStatus.OK:
            raise BadInputError(f"{url}: the server answered {response.status_code} {response.reason_phrase}")
        if resumed and not response.headers.get("content-range", "").startswith(f"bytes {start}-"):
            return False
        _keep_tag(response.headers.get("etag"), tag_file)
        _write(response, target, "ab" if resumed else "wb", deadline)
    return True


def _request(target: Path, tag_file: Path) -> tuple[dict[str, str], int]:
    # Without identity encoding, the bytes counted by a range would be those of the compressed form.
    headers = {"Accept-Encoding": "identity"}
    start = target.stat().st_size if target.exists() and tag_file.exists() else 0
    if not start:
        return headers, 0
    return {**headers, "Range": f"bytes={start}-", "If-Range": tag_file.read_text("ascii")}, start


def _keep_tag(tag: str | None, tag_file: Path) -> None:
    # If-Range takes strong tags only; a weak one may stand for other bytes.
    if tag is None or tag.startswith("W/") or not tag.isascii():
        tag_file.unlink(missing_ok=True)
    else:
        tag_file.write_text(tag, "ascii")


def _write(response: httpx2.Response, target: Path, mode: str, deadline: float) -> None:
    with target.open(mode) as stream:
        for chunk in response.iter_raw():
            stream.write(chunk)
            if time.monotonic() > deadline:
                raise BadInputError(f"{response.url}: the time for the whole download is over; run again to go on")
