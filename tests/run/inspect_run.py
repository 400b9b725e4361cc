"""A run directory with every status, two rows a question and two replicates, made without any provider."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judgeray.core.reply import Failure, Outcome, Reply, Usage
from judgeray.engine.ledger import Ledger, write_part
from judgeray.engine.replayed import replay_shard
from judgeray.run.provenance import write_provenance
from judgeray.run.record_files import RecordFiles
from judgeray.run.reopen import replies_of
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.survey import survey
from judgeray.studies.parts import Part, parts

LABEL = "supported"
STATUSES = ("ok", "ok", "unparsed", "refused", "truncated", "undelivered", "pending", "ok")
"""Status of each row; the first and the last are right, the second is wrong."""

SETTLED_ONLY = tuple("ok" if status in ("undelivered", "pending") else status for status in STATUSES)

_OUTCOMES: Mapping[str, Outcome] = {"refused": "refused", "truncated": "truncated"}


def row_ids(statuses: Sequence[str] = STATUSES) -> list[str]:
    """The ids of the rows, some of which no file name could hold."""
    odd = {1: "a/../b\0c", 2: "=1+1", 7: "7"}
    return [odd.get(number, f"row {number}") for number in range(len(statuses))]


def inspect_run(folder: Path, statuses: Sequence[str] = STATUSES, simulated: bool = False) -> Path:
    """Build a run of design C under one judge, with condition full, on a table; returns the run directory."""
    rows = [
        {"question_id": f"q{n // 2}", "row_id": name, "question": f"Question {n}?", "reference": "r",
         "candidate": f"answer {n} \ud800", "label": LABEL, "complexity": n}
        for n, name in enumerate(row_ids(statuses))
    ]  # fmt: skip
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = folder / "run"
    run.mkdir()
    (run / "manifest.yaml").write_text(
        f"name: made\ndatasets: {{mine: {{layout: table, path: '{folder / 'rows.jsonl'}'}}}}\n"
        "judges: {gpt: {provider: openai, model: gpt-4.1, temperature: 0.5, max_output_tokens: 700}}\n"
        "grid: [{designs: [C], judges: [gpt]}]\nreplicates: 2\n"
    )
    experiment = read_experiment(run / "manifest.yaml")
    _judge(run, experiment, statuses, simulated)
    write_provenance(run / "provenance.json", experiment, survey(experiment.sources, experiment.arms), {})
    return run


def _judge(run: Path, experiment: Experiment, statuses: Sequence[str], simulated: bool) -> None:
    folder = replies_of(run, experiment)
    folder.make()
    made = list(parts(experiment.sources, experiment.arms))
    kept = [reply for part in made for reply in _replies(part, statuses, simulated)]
    write_part(folder.partition("openai", "gpt-4.1"), {reply.key: reply for reply in kept})
    records = RecordFiles(run)
    for part in made:
        failures = {
            key: Failure(key, "openai", "out of \ud800 luck", 3) for key in _keys(part, statuses, "undelivered")
        }
        states = replay_shard(part.shard(), Ledger(folder), failures)
        records.write(part.arm.partition, part.file_name, part.table(states, experiment.prices))


def _keys(part: Part, statuses: Sequence[str], status: str) -> list[str]:
    tasks = part.shard().tasks
    return [next(task.start())[0].key for task, mine in zip(tasks, statuses, strict=True) if mine == status]


def _replies(part: Part, statuses: Sequence[str], simulated: bool) -> list[Reply]:
    keys = [next(task.start())[0].key for task in part.shard().tasks]
    return [
        _reply(key, number, status, simulated)
        for number, (key, status) in enumerate(zip(keys, statuses, strict=True))
        if status not in ("undelivered", "pending")
    ]


def _reply(key: str, number: int, status: str, simulated: bool) -> Reply:
    verdict = "unsupported" if number == 1 else LABEL
    text = json.dumps({"verdict": verdict, "score": 4, "confidence": 0.5}) + " \0 \ud800"
    usage = Usage() if number == 7 else Usage(100, 20, 5, 40, 120)
    known: dict[str, Any] = {
        "served_model": "gpt-4.1-2025",
        "response_id": f"resp-{number}",
        "latency_seconds": 2.0,
    }
    told = {"unparsed": "I cannot tell.", "refused": None, "truncated": text[:12]}.get(status, text)
    received = f"2026-01-01T00:00:0{number % 10}+00:00"
    outcome = _OUTCOMES.get(status, "complete")
    return Reply(key, "openai", "gpt-4.1", outcome, told, usage, received_at=received, simulated=simulated, **known)
