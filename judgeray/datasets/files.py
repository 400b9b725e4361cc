"""Where a dataset's bytes are: local files, globs, packaged samples and fsspec URLs, all opened alike."""

from __future__ import annotations

import glob
from dataclasses import dataclass
from typing import BinaryIO, cast

from fsspec import AbstractFileSystem
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.source import DatasetSource
from judgeray.samples import SAMPLE_PREFIX, SAMPLES, sample_path
from judgeray.storage.errors import storage_errors
from judgeray.storage.place import EXTRAS

_EXTRAS = EXTRAS | {"hf": "hf"}


@dataclass(frozen=True)
class DataFile:
    """One file of a dataset. `where` names dataset and file in messages, `path` is the file system's own."""

    where: str
    path: str
    system: AbstractFileSystem

    def open(self) -> BinaryIO:
        """Open for reading bytes; raises one of `reading_errors()` where that fails."""
        return cast("BinaryIO", self.system.open(self.path, "rb"))


def data_files(source: DatasetSource) -> list[DataFile]:
    """Find the files that `source.path` names, sorted by path.

    Raises BadInputError, naming dataset and path, where there is none, where a folder is named, or where the
    URL needs a package that is not installed.
    """
    path = _resolved(source)
    try:
        system, inner = _file_system(source.name, path)
        if system.isfile(inner):
            return [DataFile(f"dataset '{source.name}', {path}", inner, system)]
        found = _matches(system, inner)
        if not found and system.isdir(inner):
            raise BadInputError(
                f"dataset '{source.name}': '{path}' is a folder; name a file or a pattern such as "
                f"'{path.rstrip('/')}/*.parquet'"
            )
    except reading_errors() as error:
        raise unreadable(source.name, path, error) from error
    if not found:
        raise BadInputError(f"dataset '{source.name}': no file at '{path}'")
    return [DataFile(f"dataset '{source.name}', {_shown(system, match)}", match, system) for match in found]


def only_file(source: DatasetSource) -> DataFile:
    """Find the one file that `source.path` names; raises BadInputError where it matches several."""
    files = data_files(source)
    if len(files) > 1:
        raise BadInputError(
            f"dataset '{source.name}': '{source.path}' matches {len(files)} files; layout '{source.layout}' "
            "reads one"
        )
    return files[0]


def reading_errors() -> tuple[type[Exception], ...]:
    """Give the exceptions by which local and remote file systems say that something cannot be read."""
    return storage_errors()


def unreadable(dataset: str, path: str, error: Exception) -> BadInputError:
    """Build the message for a path that exists, or may exist, but cannot be read."""
    return BadInputError(f"dataset '{dataset}': cannot read '{path}': {type(error).__name__}: {error}")


def _resolved(source: DatasetSource) -> str:
    if not source.path.startswith(SAMPLE_PREFIX):
        return source.path
    name = source.path.removeprefix(SAMPLE_PREFIX)
    if name not in SAMPLES:
        allowed = [SAMPLE_PREFIX + sample for sample in SAMPLES]
        raise bad_value(f"dataset '{source.name}'", "path", source.path, allowed)
    return str(sample_path(name))


def _file_system(dataset: str, path: str) -> tuple[AbstractFileSystem, str]:
    try:
        system, inner = url_to_fs(path)
    except ImportError as error:
        extra = _EXTRAS.get(path.partition("://")[0])
        remedy = f"pip install 'judgeray[{extra}]'" if extra else str(error)
        raise BadInputError(f"dataset '{dataset}': '{path}' needs a package: {remedy}") from error
    except ValueError as error:
        raise BadInputError(f"dataset '{dataset}': cannot open '{path}': {error}") from error
    return system, inner


def _shown(system: AbstractFileSystem, path: str) -> str:
    return path if isinstance(system, LocalFileSystem) else str(system.unstrip_protocol(path))


def _matches(system: AbstractFileSystem, pattern: str) -> list[str]:
    if not glob.has_magic(pattern):
        return []
    listing = system.glob(pattern, detail=True)
    return sorted(path for path, info in listing.items() if info["type"] == "file")
