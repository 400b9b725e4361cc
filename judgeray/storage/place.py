"""A place: a local (or shared) path, or a URL of an object store."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from upath import UPath

from judgeray.core.errors import BadInputError

Place = Path | UPath
"""A local path is a `pathlib.Path`, anything else an fsspec URL: `isinstance(place, Path)` tells them apart."""

EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs"}
"""Scheme of a URL -> the optional extra that brings its package."""

_LOCAL = ("file", "local")


def place_of(text: str) -> Place:
    """Read a path, or a URL such as `s3://bucket/runs/x`; credentials and endpoints come from the environment.

    Nothing is asked of the storage yet. Raises BadInputError for a URL that holds credentials, that names no folder
    in a bucket, or whose package is not installed.
    """
    scheme = urlsplit(text).scheme if "://" in text else ""
    if not scheme:
        return Path(text)
    if scheme in _LOCAL:
        return Path(UPath(text).path)
    _check(text, scheme)
    try:
        # Others write there too, so a listing is asked for anew each time.
        place = UPath(text.rstrip("/"), use_listings_cache=False)
        place.fs  # noqa: B018 -- loads the file system's package
    except ImportError as error:
        extra = EXTRAS.get(scheme)
        remedy = f"pip install 'judgeray[{extra}]'" if extra else str(error)
        raise BadInputError(f"'{text}' needs a package: {remedy} (on every node)") from error
    except ValueError as error:
        raise BadInputError(f"'{text}' cannot be opened: {error}") from error
    return place


def address(place: Place) -> str:
    """Spell a place so that a process in another working directory finds it."""
    return str(place.absolute() if isinstance(place, Path) else place)


def _check(text: str, scheme: str) -> None:
    """Raise BadInputError for what a URL of a folder may not hold; credentials are not repeated in the message."""
    parts = urlsplit(text)
    if parts.password is not None or parts.query:
        raise BadInputError(
            f"a {scheme}:// URL of a folder has a password or a query in it: credentials are read from the "
            "environment of each node (for s3: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL)."
        )
    if scheme == "memory":
        raise BadInputError(f"'{text}': memory ends with its process, and replies that were bought with it.")
    if "::" in text:
        raise BadInputError(f"'{text}': found a chain of URLs (::), allowed: one URL.")
    if not parts.path.strip("/"):
        raise BadInputError(f"'{text}': found no folder, allowed: a folder in it such as {scheme}://bucket/runs/x.")
