"""The spool: calls wanted in this round, on storage, one folder per provider account."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from judgeray.core.call import Call
from judgeray.engine.key_set import KeySet
from judgeray.storage.files import discard_folder, make_folder, write_table
from judgeray.storage.place import Place

SCHEMA = pa.schema([pa.field("key", pa.string()), pa.field("call", pa.binary())])
FILE_CALLS = 10_000
BLOCK_CALLS = 200
"""Calls per row group, and per block that Ray streams: smaller blocks cost 7 ms each, larger ones let one slow call
hold back many."""


class Spool:
    """Collects wanted calls, each key once."""

    def __init__(self, folder: Place) -> None:
        self._folder = folder
        discard_folder(folder)
        self._keys, self._left_out = KeySet(), KeySet()
        self._waiting: dict[str, list[Call]] = {}
        self._files: dict[str, list[Place]] = {}
        self.counts: dict[str, int] = {}

    def leave_out(self, keys: Iterable[str]) -> None:
        """Take no call with one of these keys: they are on their way already."""
        for key in keys:
            self._left_out.add(key)

    def add(self, call: Call) -> None:
        """Take one wanted call in; a call wanted by several rows is kept once."""
        if call.key in self._left_out or not self._keys.add(call.key):
            return
        calls = self._waiting.setdefault(call.provider, [])
        calls.append(call)
        self.counts[call.provider] = self.counts.get(call.provider, 0) + 1
        if len(calls) >= FILE_CALLS:
            self._write(call.provider)

    def close(self) -> dict[str, list[Place]]:
        """Write what is left and return the files of each account."""
        for provider in list(self._waiting):
            self._write(provider)
        return dict(self._files)

    @property
    def total(self) -> int:
        """Calls taken in."""
        return len(self._keys)

    def _write(self, provider: str) -> None:
        calls = self._waiting.pop(provider, [])
        if not calls:
            return
        folder = self._folder / provider
        make_folder(folder)
        table = pa.table(
            {"key": [c.key for c in calls], "call": [c.to_json().encode("ascii") for c in calls]}, schema=SCHEMA
        )
        files = self._files.setdefault(provider, [])
        files.append(folder / f"calls-{len(files):06d}.parquet")
        write_table(files[-1], table, row_group_size=BLOCK_CALLS)
