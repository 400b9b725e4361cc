"""Constants behind `--scale`, measured on two shared cores (x86-64, 2.9 GHz) with Python 3.11.

The driver's come from `PYTHONPATH=. python tests/benchmarks/bench_scale.py --made`, which judges 1,000,000 short
rows (700 characters each) by design H with replies of a kilobyte, unless another command is named. Times are CPU
seconds of one core, per call unless said otherwise.
"""

from __future__ import annotations

CLIENT_SECONDS = 0.85e-3
"""An actor's own work for one call: SDK, limits, journal (`bench_cpu.py`, OpenAI)."""

IN_PROCESS_SECONDS = 0.2e-3
"""An actor's work for one call of the word-overlap judge, journal included."""

SPOOL_SECONDS = 0.075e-3
"""Driver, before a call is sent: read and check its row, replay its procedure, write it to the spool."""

METER_SECONDS = 0.012e-3
"""Driver, while actors answer: read the reply in the journal and count it."""

COMPACT_SECONDS = 0.013e-3
"""Driver, after the round: move the reply from the journal to the ledger."""

SETTLE_SECONDS = 0.175e-3
"""Driver, per recorded row: read it again, replay it against its reply and write its verdict."""

ANALYSIS_SECONDS = 0.022e-3
"""Driver, per recorded row: tables and report. `bench_analysis_scale.py` measures its tables alone."""

SCAN_SECONDS = 20e-9
"""Driver, per reply that lies in a model's ledger and lookup there: a search in the index of each file. Every 5,000
recorded rows are one lookup."""

KEPT_SECONDS = 2.5e-6
"""Driver, per recorded row that a rerun finds settled: its call is compared with the ledger, and it is counted."""

FIXED_SECONDS = 12.0
"""A run without any call: imports, Ray, report."""

LATENCY_SECONDS = 5.0
"""A reply, where no kept reply tells how long one takes."""

LEDGER_BYTES, JOURNAL_BYTES, SPOOL_BYTES, RECORD_BYTES = 900.0, 2_800.0, 600.0, 60.0
"""Bytes of a reply in the ledger and in a journal, of a call in the spool, and of a recorded row, where no run
tells. Ledger and spool are for real texts: the benchmark's repeat themselves, and compress to a fifth of that."""

DRIVER_BASE_BYTES = 480 * 2**20
"""The driver of a small run, at the end, when it has computed its tables."""

COMPACTED_REPLY_BYTES = 4_000
"""A reply that compaction holds in memory: its line and its columns."""

WANTED_CALL_BYTES = 30
"""A call that a round wants: eight bytes of its key, some as Python's numbers, and room to sort them."""

ANALYSED_ROW_BYTES = 125
"""A recorded row in the analysis: 1.25 GB for 10,000,000 of 42 arms in `bench_analysis_scale.py`, 1.34 GB for all
tables (`--all`). Where one arm alone judged a million rows, a row takes 300."""
