"""The one process that drives a run of so many rows: its time, its memory, and what lies on storage."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from judgeray.engine.ledger import PART_REPLIES
from judgeray.engine.rounds import WINDOW_CALLS
from judgeray.run.scale import measured
from judgeray.run.scale.mix import Mix
from judgeray.studies.slices import SLICE_ROWS


@dataclass(frozen=True)
class DriverLoad:
    """What the driver does and keeps. Hours are of one core, bytes of storage unless said to be of memory."""

    rounds: int
    answering_hours: float
    lookup_hours: float
    rerun_hours: float
    analysis_hours: float
    ledger_bytes: float
    journal_bytes: float
    spool_bytes: float
    record_bytes: float
    files: int
    memory_bytes: float

    @property
    def hours(self) -> float:
        """All that the driver does, by itself, in a run from nothing to its report."""
        return self.answering_hours + self.lookup_hours + self.analysis_hours

    @property
    def stored_bytes(self) -> float:
        """What lies on storage when it is most: at the end of the last round."""
        return self.ledger_bytes + self.journal_bytes + self.spool_bytes + self.record_bytes


def driver_load(mix: Mix, rows: int) -> DriverLoad:
    """The driver's load for so many rows of the mix."""
    calls = Counter[tuple[str, str]]()
    for arm in mix.arms:
        calls[arm.account, arm.model] += math.ceil(arm.calls * rows)
    total, records = calls.total(), mix.records * rows
    lookup_hours = sum(n / SLICE_ROWS * n for n in calls.values()) * measured.SCAN_SECONDS / 3600
    analysis_hours = (records * measured.ANALYSIS_SECONDS + measured.FIXED_SECONDS) / 3600
    per_call = measured.SPOOL_SECONDS + measured.METER_SECONDS + measured.COMPACT_SECONDS
    rounds, window = math.ceil(total / WINDOW_CALLS), min(total, WINDOW_CALLS)
    settle_hours = records * measured.SETTLE_SECONDS / 3600
    return DriverLoad(
        rounds=rounds,
        answering_hours=total * per_call / 3600 + settle_hours,
        # A record is looked up when its round wants it and when it settles, in a ledger half full on the average.
        lookup_hours=lookup_hours,
        rerun_hours=(records * measured.KEPT_SECONDS + measured.FIXED_SECONDS) / 3600,
        analysis_hours=analysis_hours,
        ledger_bytes=total * mix.sizes.ledger,
        journal_bytes=window * mix.sizes.journal,
        spool_bytes=window * mix.sizes.spool,
        record_bytes=records * mix.sizes.record,
        files=_files(mix, calls, records),
        memory_bytes=_memory(total, window, records),
    )


def _files(mix: Mix, calls: Counter[tuple[str, str]], records: float) -> int:
    """Parts of the ledger by model, and of records by arm."""
    parts = sum(math.ceil(n / PART_REPLIES) for n in calls.values())
    return parts + max(mix.streams, math.ceil(records / SLICE_ROWS))


def _memory(calls: int, window: int, records: float) -> float:
    """The larger of the two hungry times: a round, with a part of the ledger in hand, and the analysis."""
    part = min(calls, PART_REPLIES) * measured.COMPACTED_REPLY_BYTES
    one_round = window * measured.WANTED_CALL_BYTES + part
    return measured.DRIVER_BASE_BYTES + max(one_round, records * measured.ANALYSED_ROW_BYTES)
