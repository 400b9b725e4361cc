"""Benchmark files are fetched whole or not at all, resumed, checked, and never fetched twice."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import socket
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast

import pytest

from judgeray.core.errors import BadInputError
from judgeray.datasets.download import download
from judgeray.datasets.fetch import fetch
from judgeray.datasets.official import OFFICIAL
from judgeray.datasets.registry import LAYOUTS

CONTENT = bytes(range(256)) * 2000


def sha256(content: bytes) -> str:
    """Give the checksum of bytes in hex."""
    return hashlib.sha256(content).hexdigest()


@dataclass
class Shelf:
    """What the server serves, how it misbehaves, and what it was asked (header names in lower case)."""

    content: bytes = CONTENT
    etag: str | None = '"1"'
    status: int | None = None
    cut_after: int | None = None
    knows_ranges: bool = True
    wrong_range: bool = False
    url: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one GET."""
        self.asked.append({name.lower(): value for name, value in handler.headers.items()})
        start = self._start(handler)
        if self.status or start >= len(self.content) > 0:
            handler.send_error(self.status or 416)
            return
        handler.send_response(206 if start else 200)
        if start:
            first = 0 if self.wrong_range else start
            handler.send_header("Content-Range", f"bytes {first}-{len(self.content) - 1}/{len(self.content)}")
        if self.etag:
            handler.send_header("ETag", self.etag)
        handler.send_header("Content-Length", str(len(self.content) - start))
        handler.end_headers()
        handler.wfile.write(self.content[start:][: self.cut_after])

    def _start(self, handler: BaseHTTPRequestHandler) -> int:
        wanted = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        fresh = handler.headers.get("If-Range") == self.etag
        return int(wanted.group(1)) if wanted and fresh and self.knows_ranges else 0


class Handler(BaseHTTPRequestHandler):
    """Hands each GET to the shelf."""

    def do_GET(self) -> None:
        """Answer from the shelf."""
        cast("Server", self.server).shelf.answer(self)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Keep quiet."""


class Server(ThreadingHTTPServer):
    """A loopback server with one file."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.shelf = Shelf(url=f"http://127.0.0.1:{self.server_port}/file")


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    """Serve on loopback for one test."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server.shelf
    server.shutdown()
    thread.join(10)
    server.server_close()


def names(folder: Path) -> set[str]:
    """List a folder."""
    return {path.name for path in folder.iterdir()}


def test_full_download(tmp_path: Path, shelf: Shelf) -> None:
    """A file is fetched whole, with its checksum beside it and nothing else left."""
    path = fetch("asqa", tmp_path / "new" / "data", shelf.url)
    assert path.read_bytes() == CONTENT
    assert names(path.parent) == {"ASQA.json", "ASQA.json.sha256"}
    assert (path.parent / "ASQA.json.sha256").read_text() == f"{sha256(CONTENT)}  ASQA.json\n"
    assert shelf.asked[0]["accept-encoding"] == "identity"


def test_fetched_once(tmp_path: Path, shelf: Shelf) -> None:
    """A file that is there and unchanged is not asked for again."""
    first = fetch("asqa", tmp_path, shelf.url)
    assert fetch("asqa", tmp_path, shelf.url) == first
    assert len(shelf.asked) == 1


def test_recorded_checksum_holds(tmp_path: Path, shelf: Shelf) -> None:
    """A file that changed after its first download is refused, naming both checksums."""
    path = fetch("asqa", tmp_path, shelf.url)
    path.write_bytes(b"changed")
    with pytest.raises(
        BadInputError, match=rf"ASQA\.json: sha256 is {sha256(b'changed')}, expected {sha256(CONTENT)}"
    ):
        fetch("asqa", tmp_path, shelf.url)
    path.unlink()
    shelf.content = b"another file"
    with pytest.raises(BadInputError, match="expected"):
        fetch("asqa", tmp_path, shelf.url)


def test_resume_after_a_cut(tmp_path: Path, shelf: Shelf) -> None:
    """After a cut, the next run asks only for the rest, and the file is the same."""
    shelf.cut_after = 100_000
    with pytest.raises(BadInputError, match=rf"{shelf.url}: .*run again to go on"):
        fetch("asqa", tmp_path, shelf.url)
    assert names(tmp_path) == {"ASQA.json.part", "ASQA.json.part.tag"}
    have = (tmp_path / "ASQA.json.part").stat().st_size
    assert 0 < have <= 100_000
    shelf.cut_after = None
    assert fetch("asqa", tmp_path, shelf.url, sha256(CONTENT)).read_bytes() == CONTENT
    assert shelf.asked[1]["range"] == f"bytes={have}-"


def test_cut_twice(tmp_path: Path, shelf: Shelf) -> None:
    """A resumed download that is cut again goes on from where the second cut was."""
    shelf.cut_after = 100_000
    for _ in range(2):
        with pytest.raises(BadInputError):
            fetch("asqa", tmp_path, shelf.url)
    shelf.cut_after = None
    fetch("asqa", tmp_path, shelf.url, sha256(CONTENT))
    starts = [int(headers["range"][6:-1]) for headers in shelf.asked[1:]]
    assert starts[0] < starts[1]


def cut(tmp_path: Path, shelf: Shelf) -> None:
    """Leave a cut download behind."""
    shelf.cut_after = 100_000
    with pytest.raises(BadInputError):
        fetch("asqa", tmp_path, shelf.url)
    shelf.cut_after = None


def test_changed_since_the_cut(tmp_path: Path, shelf: Shelf) -> None:
    """Old and new bytes are never joined: a file that changed after the cut is taken from the start."""
    cut(tmp_path, shelf)
    shelf.content, shelf.etag = CONTENT[::-1], '"2"'
    assert fetch("asqa", tmp_path, shelf.url).read_bytes() == CONTENT[::-1]


@pytest.mark.parametrize("etag", [None, 'W/"1"'])
def test_no_strong_etag(tmp_path: Path, shelf: Shelf, etag: str | None) -> None:
    """Without a strong ETag nothing says that the rest belongs to the part: no range is asked for."""
    shelf.etag = etag
    cut(tmp_path, shelf)
    assert fetch("asqa", tmp_path, shelf.url).read_bytes() == CONTENT
    assert "range" not in shelf.asked[1]


@pytest.mark.parametrize("fault", ["knows_ranges", "wrong_range"])
def test_server_without_ranges(tmp_path: Path, shelf: Shelf, fault: str) -> None:
    """A server that ignores ranges, or answers another one than asked for, gives the whole file again."""
    cut(tmp_path, shelf)
    setattr(shelf, fault, fault == "wrong_range")
    assert fetch("asqa", tmp_path, shelf.url).read_bytes() == CONTENT


def test_complete_part(tmp_path: Path, shelf: Shelf) -> None:
    """A part that is complete already, so that no range is left, is fetched anew."""
    cut(tmp_path, shelf)
    (tmp_path / "ASQA.json.part").write_bytes(CONTENT)
    assert fetch("asqa", tmp_path, shelf.url).read_bytes() == CONTENT


def test_wrong_checksum(tmp_path: Path, shelf: Shelf) -> None:
    """A download with another checksum than expected is dropped: nothing stays that could be used or resumed."""
    with pytest.raises(BadInputError, match=rf"{shelf.url}: sha256 is {sha256(CONTENT)}, expected {'0' * 64}"):
        fetch("asqa", tmp_path, shelf.url, "0" * 64)
    assert names(tmp_path) == set()


def test_known_checksum_holds_for_mirrors(tmp_path: Path, shelf: Shelf) -> None:
    """A mirror must serve the bytes whose checksum is known."""
    with pytest.raises(BadInputError, match=f"expected {OFFICIAL['truthfulqa'].sha256}"):
        fetch("truthfulqa", tmp_path, shelf.url)


@pytest.mark.parametrize("status", [404, 403, 500])
def test_bad_status(tmp_path: Path, shelf: Shelf, status: int) -> None:
    """Any other status than 200 is one message with URL and status."""
    shelf.status = status
    with pytest.raises(BadInputError, match=rf"^{shelf.url}: the server answered {status} \w+"):
        fetch("asqa", tmp_path, shelf.url)
    assert "ASQA.json" not in names(tmp_path)


def test_refused_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody listens, one message names the URL."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/file"
        with pytest.raises(BadInputError, match=f"^{url}: ConnectError"):
            fetch("asqa", tmp_path, url)


def test_no_url(tmp_path: Path) -> None:
    """An address that is none is one message too."""
    with pytest.raises(BadInputError, match="nonsense: UnsupportedProtocol"):
        fetch("asqa", tmp_path, "nonsense")


def test_total_timeout(tmp_path: Path, shelf: Shelf) -> None:
    """A download has a deadline as a whole; what arrived stays for the next run."""
    with pytest.raises(BadInputError, match=f"{shelf.url}: the time for the whole download is over"):
        download(shelf.url, tmp_path / "file", total_timeout_seconds=0)
    assert (tmp_path / "file").stat().st_size > 0


def test_unknown_name(tmp_path: Path) -> None:
    """An unknown name is refused with the names there are."""
    with pytest.raises(BadInputError, match=r"found 'qampary', allowed: asqa, qampari, .*Did you mean 'qampari'"):
        fetch("qampary", tmp_path)


def archive(*members: str) -> bytes:
    """Pack files, each holding its own name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as bundle:
        for member in members:
            bundle.writestr(member, member)
    return packed.getvalue()


def test_zip_member(tmp_path: Path, shelf: Shelf) -> None:
    """From an archive, the wanted member is kept under its own name; the checksum is that of the member."""
    shelf.content = archive("data/train_data.jsonl", "data/dev_data.jsonl", "__MACOSX/data/._dev_data.jsonl")
    path = fetch("qampari", tmp_path, shelf.url, sha256(b"data/dev_data.jsonl"))
    assert path.read_bytes() == b"data/dev_data.jsonl"
    assert names(tmp_path) == {"qampari_dev.jsonl", "qampari_dev.jsonl.sha256"}


def test_plain_file_from_a_mirror(tmp_path: Path, shelf: Shelf) -> None:
    """A mirror may serve the member itself."""
    assert fetch("qampari", tmp_path, shelf.url).read_bytes() == CONTENT


def test_gzip(tmp_path: Path, shelf: Shelf) -> None:
    """A gzip file is unpacked."""
    shelf.content = gzip.compress(CONTENT)
    assert fetch("asqa", tmp_path, shelf.url).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            archive("a/test.jsonl"),
            r"found 0 files 'dev_data\.jsonl' in the archive, expected one; it holds: a/test",
        ),
        (archive("a/dev_data.jsonl", "b/dev_data.jsonl"), r"found 2 files 'dev_data\.jsonl'"),
        (archive("dev_data.jsonl").replace(b"dev_data.jsonldev_data", b"dev_data.jsonlXXX_data"), "broken archive"),
        (gzip.compress(CONTENT)[:-20], "broken archive"),
    ],
)
def test_broken_archive(tmp_path: Path, shelf: Shelf, content: bytes, message: str) -> None:
    """An archive that lacks the member, or is damaged, is one message, and nothing of it stays."""
    shelf.content = content
    with pytest.raises(BadInputError, match=f"^{shelf.url}: {message}"):
        fetch("qampari", tmp_path, shelf.url)
    assert names(tmp_path) == set()


def test_official_addresses() -> None:
    """Each official file has an HTTPS address, a name of its own and, where known, a whole checksum."""
    assert all(file.url.startswith("https://") for file in OFFICIAL.values())
    assert len({file.file_name for file in OFFICIAL.values()}) == len(OFFICIAL)
    assert all(file.sha256 is None or re.fullmatch("[0-9a-f]{64}", file.sha256) for file in OFFICIAL.values())
    assert {name.partition("-")[0] for name in OFFICIAL} <= set(LAYOUTS)
