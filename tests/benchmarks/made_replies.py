"""Replies without a server: an answerer that journals one fixed verdict for each call that a round wants.

For runs whose calls are not what is measured: planning, reading again, rerunning, memory.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow.parquet as pq

from judgeray.core.reply import Reply, Usage
from judgeray.engine.journal import JournalWriter
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.rounds import Progress, Wanted
from tests.benchmarks.fast_server import OPENAI, VERDICT

RAW = json.dumps(OPENAI)
START = datetime(2026, 1, 1, tzinfo=UTC)


def made_reply(key: str, provider: str, model: str, received_at: str) -> Reply:
    """A reply as the OpenAI client would have read it."""
    return Reply(
        key,
        provider,
        model,
        "complete",
        VERDICT,
        Usage(310, 72, 0, 0, 382),
        finish_reason="completed",
        served_model=f"{model}-2025-04-14",
        latency_seconds=0.05,
        received_at=received_at,
        raw=RAW,
    )


def _time(second: int) -> str:
    """A time of receipt; replies come one a second."""
    return (START + timedelta(seconds=second)).isoformat(timespec="milliseconds")


class MadeAnswerer:
    """Takes the place of `judgeray.run.session.Answerer`."""

    def __init__(self, folder: RepliesFolder, _session: str, _accounts: Any, meter: Any, *_: Any) -> None:
        self._folder, self._meter, self._rounds = folder, meter, 0
        self.errors: dict[str, str] = {}
        self.asked = 0

    def __enter__(self) -> MadeAnswerer:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __call__(self, wanted: Wanted) -> Progress:
        """Journal a reply for each wanted call."""
        self._meter.begin(wanted)
        self._rounds += 1
        for provider, files in wanted.files.items():
            writer = JournalWriter(self._folder.journal, f"{provider}-made-{self._rounds}")
            for file in files:
                table = pq.read_table(str(file))
                for key, call in zip(table["key"].to_pylist(), table["call"].to_pylist(), strict=True):
                    self.asked += 1
                    at = _time(self.asked)
                    writer.append(made_reply(key, provider, json.loads(call)["model"], at))
            writer.close()
        self._meter.read(at_once=True)
        return Progress(sum(wanted.counts.values()))
