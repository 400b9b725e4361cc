"""The ledger's files on this machine: where they lie, or copies of them where they lie in an object store.

They are never changed, only added and removed, so a copy stays true.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.storage.objects import download_all, remove, tree, upload
from judgeray.storage.place import Place

PULL_TRIES = 5
"""Listings before a reader gives up on a ledger that a run keeps joining files of."""


class LedgerInPlace:
    """A local or shared folder: the files themselves."""

    def here(self, place: Place) -> Path:
        """Give the local path of a folder of the ledger, with all its files."""
        return cast("Path", place)

    def whole(self, ledger: Place) -> Path:
        """Give the local path of the ledger, with all its partitions."""
        return cast("Path", ledger)

    def writable(self, place: Place) -> Path:
        """Give the local path of a folder of the ledger, to write new files in."""
        return cast("Path", place)

    def partitions(self, ledger: Place) -> list[Path]:
        """Partitions that may have small files to join."""
        return sorted(cast("Path", ledger).glob("provider=*/model=*"))

    def added(self, path: Path) -> None:
        """Take note of a new file: nothing is to be done."""

    def remove(self, paths: Iterable[Path]) -> None:
        """Remove files."""
        for path in paths:
            path.unlink()


class CopiedLedger:
    """A ledger in an object store: partitions are copied to a temporary folder as they are needed."""

    def __init__(self, remote: UPath) -> None:
        self._remote = remote
        self._local = Path(tempfile.mkdtemp(prefix="judgeray-ledger-"))
        self._pulled: set[str] = set()
        self._lock = threading.Lock()
        weakref.finalize(self, shutil.rmtree, self._local, ignore_errors=True)

    def here(self, place: Place) -> Path:
        """Copy a folder of the ledger once, and give the path of the copy.

        Later files of other processes are not seen: the run that holds the folder is the only one to write them.
        """
        local = self.writable(place)
        name = self._name(local)
        with self._lock:
            if not self._has(name):
                self._pull(name)
                self._pulled.add(name)
        return local

    def whole(self, ledger: Place) -> Path:
        """Copy all partitions once, and give the path of the ledger's copy."""
        del ledger
        folders = {name.rpartition("/")[0] for name in tree(self._remote) if name.endswith(".parquet")}
        for folder in sorted(name for name in folders if name.count("/") == 1):
            self.here(self._remote / folder)
        return self._local

    def writable(self, place: Place) -> Path:
        """Give the path of the copy of a folder, to write new files in; `added` sends them."""
        return self._local / str(place).removeprefix(str(self._remote)).strip("/")

    def partitions(self, ledger: Place) -> list[Path]:
        """Partitions that may have small files to join: those that were copied here whole."""
        del ledger
        folders = sorted(self._local.glob("provider=*/model=*"))
        return [folder for folder in folders if self._has(self._name(folder))]

    def added(self, path: Path) -> None:
        """Send a new file."""
        upload(path, self._remote / self._name(path))

    def remove(self, paths: Iterable[Path]) -> None:
        """Remove files, and their copies."""
        gone = list(paths)
        remove(self._remote / self._name(path) for path in gone)
        for path in gone:
            path.unlink()

    def _name(self, path: Path) -> str:
        return path.relative_to(self._local).as_posix()

    def _has(self, name: str) -> bool:
        return any(name == pulled or name.startswith(f"{pulled}/") for pulled in self._pulled)

    def _pull(self, name: str) -> None:
        for _ in range(PULL_TRIES):
            there = [f"{name}/{inner}" for inner in tree(self._remote / name) if inner.endswith(".parquet")]
            lacking = [file for file in there if not (self._local / file).exists()]
            try:
                download_all([(self._remote / file, self._local / file) for file in lacking])
            except FileNotFoundError:  # joined with others meanwhile
                continue
            return
        raise BadInputError(f"{self._remote / name}: its files changed while they were read; try again later.")
