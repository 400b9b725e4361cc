"""Files in either kind of place: the local way for local paths, whole objects for URLs."""

from __future__ import annotations

import hashlib
import io
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.storage.objects import AT_ONCE, download_all, get, get_all, put, remove, sizes, tree, upload_all
from judgeray.storage.place import Place


def write_whole(place: Place, data: bytes) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    if not isinstance(place, Path):
        put(place, data)
        return
    hidden = place.with_name(f"{place.name}.tmp")
    hidden.write_bytes(data)
    hidden.replace(place)


def read_whole(place: Place) -> bytes:
    """Read a file. Raises FileNotFoundError."""
    if isinstance(place, Path):
        return place.read_bytes()
    data = get(place)
    if data is None:
        raise FileNotFoundError(str(place))
    return data


def sha256_of(path: Path) -> str:
    """SHA-256 of a local file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def listed(folder: Place, ending: str) -> list[Place]:
    """Files of a folder whose names end so, sorted by name."""
    if isinstance(folder, Path):
        return sorted(folder.glob(f"*{ending}"))
    return [folder / name for name in sorted(sizes(folder)) if name.endswith(ending)]


def sizes_in(folder: Place) -> dict[str, int]:
    """Files of a folder: bytes by name; those that go meanwhile may be left out."""
    if not isinstance(folder, Path):
        return sizes(folder)
    found: dict[str, int] = {}
    for path in sorted(folder.glob("*")):
        with suppress(FileNotFoundError):
            found[path.name] = path.stat().st_size
    return found


def read_each(places: Sequence[Place]) -> Iterator[tuple[Place, bytes]]:
    """Read small files, in the order given; those that are gone meanwhile are left out."""
    for place in places:
        if isinstance(place, Path):
            with suppress(FileNotFoundError):
                yield place, place.read_bytes()
    remote = [place for place in places if not isinstance(place, Path)]
    yield from ((place, data) for place, data in get_all(remote) if data is not None)


def on_this_machine(places: Sequence[Place]) -> Iterator[Path]:
    """Give local files as they are, and those of an object store as copies; each lasts until the next is asked for.

    Raises FileNotFoundError where one is gone.
    """
    yield from (place for place in places if isinstance(place, Path))
    remote = [place for place in places if not isinstance(place, Path)]
    if not remote:
        return
    with TemporaryDirectory(prefix="judgeray-") as folder:
        for start in range(0, len(remote), AT_ONCE):
            pairs = [(place, Path(folder) / place.name) for place in remote[start : start + AT_ONCE]]
            download_all(pairs)
            for _, copy in pairs:
                yield copy
                copy.unlink()


@contextmanager
def filled_here(folder: Place) -> Iterator[Path]:
    """Give a local folder to put files in; those of an object store are sent there at the end, come what may."""
    if isinstance(folder, Path):
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with TemporaryDirectory(prefix="judgeray-") as here:
        try:
            yield Path(here)
        finally:
            upload_all([(path, folder / path.name) for path in sorted(Path(here).iterdir())])


def discard(places: Iterable[Place]) -> None:
    """Remove files; those that are gone already are no error."""
    remote = []
    for place in places:
        if isinstance(place, Path):
            place.unlink(missing_ok=True)
        else:
            remote.append(place)
    remove(remote)


def bytes_of(place: Place) -> int:
    """Size of a file."""
    return int(place.stat().st_size)


def discard_folder(folder: Place) -> None:
    """Remove all files below a folder."""
    if isinstance(folder, Path):
        shutil.rmtree(folder, ignore_errors=True)
    else:
        remove(folder / name for name in tree(folder))


def make_folder(folder: Place) -> None:
    """Create a folder; an object store needs none."""
    if isinstance(folder, Path):
        folder.mkdir(parents=True, exist_ok=True)


def write_table(place: Place, table: pa.Table, **options: Any) -> None:  # noqa: ANN401 -- pyarrow types no options
    """Write a Parquet file, whole or not at all; options are those of `pyarrow.parquet.write_table`."""
    if isinstance(place, Path):
        hidden = place.with_name(f"{place.name}.tmp")
        pq.write_table(table, hidden, **options)
        hidden.replace(place)
        return
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    put(place, buffer.getvalue())


def read_table(place: Place, **options: Any) -> pa.Table:  # noqa: ANN401 -- pyarrow types no options
    """Read a Parquet file; options are those of `pyarrow.parquet.read_table`."""
    source = place if isinstance(place, Path) else pa.BufferReader(read_whole(place))
    return pq.read_table(source, **options)


@contextmanager
def parquet_file(place: Place) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file to read some of its row groups and no more of it."""
    if isinstance(place, Path):
        with pq.ParquetFile(place) as file:
            yield file
        return
    # The readers' own buffers would fetch megabytes around each range that Parquet asks for.
    with place.fs.open(place.path, "rb", cache_type="none") as opened, pq.ParquetFile(opened) as file:
        yield file
