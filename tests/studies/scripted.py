"""Experiments that are answered by Python functions: arms, replies, records and chapters without any provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from judgeray.analysis import read_log
from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.replay import Pending, State, replay_twice
from judgeray.core.reply import Answer
from judgeray.core.task import Task
from judgeray.report.chapter import Chapter
from judgeray.run.chapters import study_log
from judgeray.run.provenance import write_provenance
from judgeray.run.record_files import RecordFiles
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.survey import survey
from judgeray.studies.arm import Arm
from judgeray.studies.diagnostics.diagnostic import StudyLog
from judgeray.studies.diagnostics.registry import DIAGNOSTICS
from judgeray.studies.parts import Part, parts
from tests.studies.scripted_judges import Judges, data_rows, reply_to, write_rows

GPT = "gpt: {provider: openai, model: gpt-4.1}"
OPUS = "opus: {provider: anthropic, model: claude-opus-4-6}"
OVERLAP = "overlap: {provider: lexical}"
GRID = "grid: [{designs: [C, H], judges: [gpt]}]\n"


@dataclass(frozen=True)
class Scripted:
    """An experiment whose procedures went as far as its judges answered; `asked` counts calls by key."""

    folder: Path
    experiment: Experiment
    made: Sequence[tuple[Part, Sequence[State[Any]]]]
    asked: Mapping[str, int]

    @cached_property
    def run(self) -> Path:
        """The run directory: manifest, records and provenance, as a run leaves them."""
        run = self.folder / "run"
        run.mkdir()
        (run / "manifest.yaml").write_bytes(self.experiment.path.read_bytes())
        surveyed, records = survey(self.experiment.sources, self.experiment.arms), RecordFiles(run)
        for part, states in self.made:
            records.write(part.arm.partition, part.file_name, part.table(states, self.experiment.prices))
        write_provenance(run / "provenance.json", self.experiment, surveyed, records.served_models)
        return run

    @cached_property
    def log(self) -> StudyLog:
        """What diagnostics read of the run."""
        return study_log(self.run, read_log(self.run))

    def chapter(self, name: str) -> Chapter:
        """The chapter of one diagnostic, which must have something to say."""
        chapter = DIAGNOSTICS[name].chapter(self.log)
        assert chapter is not None, name
        return chapter

    def lines(self, name: str, table: str | None = None, **where: str | int) -> list[dict[str, Any]]:
        """Lines of a chapter's table (the first unless named) whose columns hold these values."""
        tables = self.chapter(name).tables
        found = tables[table or next(iter(tables))]
        return found.filter(*(pl.col(column) == value for column, value in where.items())).to_dicts()

    def line(self, name: str, table: str | None = None, **where: str | int) -> dict[str, Any]:
        """The only such line."""
        (line,) = self.lines(name, table, **where)
        return line

    def records(self, kind: type[Arm]) -> list[dict[str, Any]]:
        """All recorded rows of one class of arms, in the order of parts and items."""
        chosen = ((part, states) for part, states in self.made if isinstance(part.arm, kind))
        return [row for part, states in chosen for row in part.table(states, self.experiment.prices).to_pylist()]


def scripted(folder: Path, manifest: str, judges: Judges, **options: Any) -> Scripted:
    """Read a manifest (`{rows}` in it is the folder's data file) and let functions answer."""
    experiment = read_experiment(written(folder, manifest), **options)
    made = list(parts(experiment.sources, experiment.arms))
    known, asked = dict[str, Answer](), dict[str, int]()
    states = [settled(part.shard().tasks, judges, known, asked) for part in made]
    return Scripted(folder, experiment, list(zip(made, states, strict=True)), asked)


def written(folder: Path, manifest: str) -> Path:
    """Write a manifest into a folder."""
    path = folder / "scripted.yaml"
    path.write_text(manifest.replace("{rows}", str(folder / "rows.jsonl")), encoding="utf-8")
    return path


def complaint(folder: Path, manifest: str, rows: Sequence[Mapping[str, Any]] | None = None) -> str:
    """The message that a manifest gets, without the folder's name; nothing must have been written."""
    write_rows(folder, data_rows(3) if rows is None else rows)
    with pytest.raises(BadInputError) as caught:
        read_experiment(written(folder, manifest))
    assert list(folder.rglob("*.parquet")) == []
    return str(caught.value).replace(f"{folder}/", "")


def settled(
    tasks: Sequence[Task], judges: Judges, known: dict[str, Answer], asked: dict[str, int]
) -> list[State[Any]]:
    """Replay tasks and answer what they want, each call once, until nothing moves any more."""
    states: list[State[Any]] = []
    for task in tasks:
        state: State[Any] = replay_twice(task.start, known, task.name)
        while isinstance(state, Pending) and _ask_all(state.wanted, judges, known, asked):
            state = replay_twice(task.start, known, task.name)
        states.append(state)
    return states


def _ask_all(calls: Sequence[Call], judges: Judges, known: dict[str, Answer], asked: dict[str, int]) -> bool:
    """Ask calls; whether there was any answer."""
    before = len(known)
    for call in calls:
        judge = judges[call.model] if isinstance(judges, Mapping) else judges
        said = judge(call)
        asked[call.key] = asked.get(call.key, 0) + 1
        if said is not None:
            known[call.key] = reply_to(call, said) if isinstance(said, str) else said
    return len(known) > before


def manifest_of(diagnostics: str = "", judges: str = GPT, more: str = "") -> str:
    """A manifest on the data file; `diagnostics` and `judges` are what stands in the braces of these keys."""
    return (
        "name: scripted\ndatasets: {mine: {layout: table, path: '{rows}'}}\n"
        f"judges: {{{judges}}}\ndiagnostics: {{{diagnostics}}}\n{more}"
    )
