"""A run directory made without any provider: real rows, prompts, ledger and report around given replies."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console

from judgeray.core.reply import Reply, Usage
from judgeray.designs.registry import DESIGNS
from judgeray.engine.ledger import Ledger, write_part
from judgeray.engine.replayed import replay_shard
from judgeray.run.finish import finish_run
from judgeray.run.record_files import RecordFiles
from judgeray.run.reopen import replies_of
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.survey import survey
from judgeray.studies.parts import Part, parts

HOSTILE = (
    '<script>window.hacked=1</script></script><img src=x onerror="window.hacked=1">=1+1 \x1b[31mred\x1b[0m '
    "\u202eevil\u2066 \x00 \u2028 | `x` [a](javascript:window.hacked=1) {{7*7}} {% if %} <!-- \\ & "
)

Say = Callable[[str, str], str | None]
"""Gives the reply's text for a design and a row id; None for no reply at all."""


def made_run(folder: Path, say: Say, candidate: str = "answer", questions: int = 6, name: str = "made") -> Path:
    """Build a finished run of designs C and H under one judge on a table; returns the run directory."""
    _write_data(folder, candidate, questions)
    manifest = folder / "made.yaml"
    manifest.write_text(
        f"name: {name}\ndatasets: {{mine: {{layout: table, path: '{folder / 'rows.jsonl'}'}}}}\n"
        "judges: {gpt: {provider: openai, model: gpt-4.1}}\n"
        "grid: [{designs: [C, H], judges: [gpt]}]\n"
    )
    experiment = read_experiment(manifest)
    run = folder / "run"
    run.mkdir()
    (run / "manifest.yaml").write_bytes(manifest.read_bytes())
    replies = replies_of(run, experiment)
    replies.make()
    made = list(parts(experiment.sources, experiment.arms))
    kept = {reply.key: reply for part in made for reply in _replies(part, say)}
    write_part(replies.partition("openai", "gpt-4.1"), kept)
    _finish(run, experiment, made, Ledger(replies))
    return run


def label_of(number: int) -> str:
    """The label of the row with this number."""
    return ("supported", "partially_supported", "unsupported")[number % 3]


def _write_data(folder: Path, candidate: str, questions: int) -> None:
    rows: list[dict[str, Any]] = [
        {"question_id": f"q{n}", "row_id": f"row-{n}", "question": f"Question {n}?", "reference": f"Reference {n}.",
         "candidate": f"{candidate} {n}", "label": label_of(n), "complexity": 2 + n % 4}
        for n in range(questions)
    ]  # fmt: skip
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def _replies(part: Part, say: Say) -> list[Reply]:
    found = []
    for row in part.items:
        text = say(part.arm.design_name, row.row_id)
        if text is not None:
            key = DESIGNS[part.arm.design_name].call(row, part.arm.judge).key
            usage = Usage(100, 20, None, 0, 120)
            reply = Reply(
                key, "openai", "gpt-4.1", "complete", text, usage, received_at="2026-01-01T00:00:00+00:00"
            )
            found.append(reply)
    return found


def _finish(run: Path, experiment: Experiment, made: list[Part], ledger: Ledger) -> None:
    records = RecordFiles(run)
    for part in made:
        states = replay_shard(part.shard(), ledger, {})
        records.write(part.arm.partition, part.file_name, part.table(states, experiment.prices))
    surveyed = survey(experiment.sources, experiment.arms)
    finish_run(run, experiment, surveyed, records, Console(file=StringIO(), width=100))
