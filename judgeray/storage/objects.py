"""What is asked of an object store: whole objects only, each written, read, listed or removed in one request.

Every function waits out passing trouble and raises BadInputError, in the storage's own words, for what stays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.storage.errors import storage_errors

TRIES = 3
FIRST_WAIT_SECONDS = 0.5
"""On top of what the file system's library tries itself; the wait doubles from try to try."""

AT_ONCE = 16
"""Requests at a time where many objects are read or written."""

_LASTING = (PermissionError, FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError)
"""Trouble that no further try mends."""

T = TypeVar("T")


def put(place: UPath, data: bytes) -> None:
    """Write an object, whole or not at all."""
    _tried(place, "written", lambda: place.fs.pipe_file(place.path, data))


def create(place: UPath, data: bytes) -> bool:
    """Write an object where there is none; False where there is one.

    Atomic where the file system can (S3, Google Cloud Storage). A try whose answer was lost may have made it.
    """
    try:
        _tried(place, "written", lambda: place.fs.pipe_file(place.path, data, mode="create"), FileExistsError)
    except FileExistsError:
        return False
    return True


def get(place: UPath) -> bytes | None:
    """Read an object; None where there is none."""
    try:
        data: bytes = _tried(place, "read", lambda: place.fs.cat_file(place.path), FileNotFoundError)
    except FileNotFoundError:
        return None
    return data


def get_all(places: Sequence[UPath]) -> Iterator[tuple[UPath, bytes | None]]:
    """Read many small objects, in the order given; holds `AT_ONCE` of them."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for start in range(0, len(places), AT_ONCE):
            some = places[start : start + AT_ONCE]
            yield from zip(some, threads.map(get, some), strict=True)


def sizes(folder: UPath) -> dict[str, int]:
    """List the objects that lie in a folder itself: bytes by name."""
    return {name: size for name, size in _listed(folder, folder.fs.ls) if "/" not in name}


def tree(folder: UPath) -> dict[str, int]:
    """List all objects below a folder: bytes by path from there."""
    return dict(_listed(folder, folder.fs.find))


def remove(places: Iterable[UPath]) -> None:
    """Remove objects; those that are gone already are no error."""
    gone = list(places)
    for start in range(0, len(gone), 1000):
        some = gone[start : start + 1000]
        try:
            _remove(some)
        except FileNotFoundError:
            for place in some:
                with suppress(FileNotFoundError):
                    _remove([place])


def upload_all(pairs: Sequence[tuple[Path, UPath]]) -> None:
    """Copy local files into the store, each whole or not at all."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(upload, *zip(*pairs, strict=True))) if pairs else None


def download_all(pairs: Sequence[tuple[UPath, Path]]) -> None:
    """Copy objects to local files, each whole or not at all. Raises FileNotFoundError where one is gone."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(download, *zip(*pairs, strict=True))) if pairs else None


def upload(local: Path, place: UPath) -> None:
    """Copy a local file into the store, whole or not at all."""
    _tried(place, "written", lambda: place.fs.put_file(str(local), place.path))


def download(place: UPath, local: Path) -> None:
    """Copy an object to a local file, whole or not at all. Raises FileNotFoundError where it is gone."""
    local.parent.mkdir(parents=True, exist_ok=True)
    hidden = local.with_name(f".{local.name}.part")
    _tried(place, "read", lambda: place.fs.get_file(place.path, str(hidden)), FileNotFoundError)
    hidden.replace(local)


def _remove(places: Sequence[UPath]) -> None:
    first, paths = places[0], [place.path for place in places]
    _tried(first, "removed", lambda: first.fs.rm(paths), FileNotFoundError)


def _listed(folder: UPath, ask: Callable[..., object]) -> Iterator[tuple[str, int]]:
    """Ask for a listing, and give name and bytes of each object in it; folders are left out."""
    try:
        found = _tried(folder, "listed", lambda: ask(folder.path, detail=True), FileNotFoundError)
    except FileNotFoundError:
        return
    entries = found.values() if isinstance(found, dict) else found
    start = len(folder.path.rstrip("/")) + 1
    for entry in entries:  # type: ignore[attr-defined]
        if entry["type"] == "file" and len(entry["name"]) > start:
            yield entry["name"][start:], int(entry["size"] or 0)


def _tried(place: UPath, done: str, act: Callable[[], T], *expected: type[Exception]) -> T:
    """Act, some times over if need be; exceptions that the caller expects come through as they are."""
    number = 1
    while True:
        try:
            return act()
        except expected:
            raise
        except storage_errors() as error:
            lasting = isinstance(error, _LASTING) or "Credentials" in type(error).__name__
            if lasting or number == TRIES:
                raise _cannot(place, done, error) from error
        time.sleep(FIRST_WAIT_SECONDS * 2 ** (number - 1))
        number += 1


def _cannot(place: UPath, done: str, error: Exception) -> BadInputError:
    words = " ".join(str(error).split()) or type(error).__name__
    return BadInputError(
        f"{place}: cannot be {done}: {words}. Check that the bucket is there and that the environment of this node "
        "has credentials and endpoint for it, then run the same command again."
    )
