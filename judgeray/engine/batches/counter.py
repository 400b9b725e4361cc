"""Which calls of a round go to the desk, and which to the realtime counter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from judgeray.core.call import Call
from judgeray.engine.batches.cut import cut
from judgeray.engine.batches.record import BatchRecord, BatchRecords
from judgeray.engine.spool import Spool
from judgeray.providers.account import Account
from judgeray.providers.connect import batch_caps
from judgeray.storage.files import read_table
from judgeray.storage.place import Place

WINDOW_HOURS = 24.0
"""How long the three providers may take for a batch (their batch guides): a tighter deadline goes realtime."""


def to_batches(account: Account, files: Sequence[Place], records: BatchRecords, spool: Spool) -> list[BatchRecord]:
    """Write down batches for an account's spooled calls; calls that go realtime are put into `spool`.

    Mode `batch` sends all calls in batches. Mode `auto` sends realtime what was in a batch before (expired or
    unfinished there), fewer calls than `from_calls`, and everything where the deadline is tighter than the window
    in which a batch need be done.
    """
    calls: Iterable[Call] = spooled_calls(files)
    if account.mode == "auto":
        tried = set(records.keys(record for record in records.all() if record.provider == account.name))
        fresh, waiting = list[Call](), list[Call]()
        for call in calls:
            (waiting if call.key in tried else fresh).append(call)
        if len(fresh) < account.batch.from_calls or account.batch.deadline_hours < WINDOW_HOURS:
            waiting, fresh = waiting + fresh, []
        for call in waiting:
            spool.add(call)
        calls = fresh
    caps = batch_caps(account.kind)
    most = min(caps.most_requests, account.batch.most_requests or caps.most_requests)
    return [records.begin(account.name, batch) for batch in cut(calls, replace(caps, most_requests=most))]


def spooled_calls(files: Sequence[Place]) -> Iterator[Call]:
    """Read calls back from the spool."""
    tables = (read_table(path, columns=["call"]) for path in files)
    return (Call.from_json(text) for text in chain.from_iterable(table["call"].to_pylist() for table in tables))
