"""Averaging studies that are answered by Python functions: from a manifest to the run directory and its report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rich.console import Console

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.replay import State
from judgeray.core.reply import Answer
from judgeray.designs.sentence import F
from judgeray.run.annotated import check_annotated, keep_annotations
from judgeray.run.finish import finish_run
from judgeray.run.grid import RunOptions, run_grid
from judgeray.run.provenance import write_provenance
from judgeray.run.record_files import RecordFiles
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.sentence_log import read_sentence_log
from judgeray.run.survey import survey
from judgeray.studies.arm import Arm
from judgeray.studies.parts import Part, parts
from judgeray.writers.subclaims import SUBCLAIMS
from tests.studies.scripted import settled
from tests.studies.scripted_judges import Judge, Judges, chance

GPT = "gpt: {provider: openai, model: gpt-4.1, top_logprobs: 5}"
HAIKU = "haiku: {provider: anthropic, model: claude-haiku-4-5}"
OVERLAP = "overlap: {provider: lexical}"
MARKS = "annotations: '{folder}/marks.csv'"
CLAIMS = f"{MARKS}, claims: {{writer: gpt}}"
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Scripted:
    """An experiment whose procedures went as far as its judges answered; `asked` counts calls by key."""

    folder: Path
    experiment: Experiment
    made: Sequence[tuple[Part, Sequence[State[Any]]]]
    asked: Mapping[str, int]

    @cached_property
    def run(self) -> Path:
        """The run directory as a run leaves it, with its report."""
        return self.ended(Console(file=StringIO(), width=100))

    def ended(self, console: Console) -> Path:
        """End a run on this experiment, over what an earlier one left."""
        run, experiment = self.folder / "run", self.experiment
        run.mkdir(exist_ok=True)
        (run / "manifest.yaml").write_bytes(experiment.path.read_bytes())
        surveyed, records = survey(experiment.sources, experiment.arms, experiment.study), RecordFiles(run)
        write_provenance(run / "provenance.json", experiment, surveyed, {})
        keep_annotations(experiment, run)
        for part, states in self.made:
            records.write(part.arm.partition, part.file_name, part.table(states, experiment.prices))
        records.finish()
        finish_run(run, experiment, surveyed, records, console)
        return run

    @property
    def log(self) -> pl.DataFrame:
        """What the run recorded of sentences and claims."""
        return read_sentence_log(self.run)

    def table(self, name: str, **where: str | float) -> list[dict[str, Any]]:
        """Lines of a table of the report whose columns hold these values."""
        found = pl.read_csv(self.run / "tables" / f"{name}.csv")
        return found.filter(*(pl.col(column) == value for column, value in where.items())).to_dicts()

    def line(self, name: str, **where: str | float) -> dict[str, Any]:
        """The only such line."""
        (line,) = self.table(name, **where)
        return line

    def records(self, kind: type[Arm]) -> list[dict[str, Any]]:
        """All recorded rows of one class of arms, in the order of parts and items."""
        chosen = ((part, states) for part, states in self.made if isinstance(part.arm, kind))
        return [row for part, states in chosen for row in part.table(states, self.experiment.prices).to_pylist()]


def scripted(folder: Path, manifest: str, judges: Judges, **options: Any) -> Scripted:
    """Read a manifest (`{folder}` in it is the folder) and let functions answer."""
    experiment = read_experiment(written(folder, manifest), **options)
    check_annotated(experiment, survey(experiment.sources, experiment.arms, experiment.study))
    made = list(parts(experiment.sources, experiment.arms, experiment.study))
    known, asked = dict[str, Answer](), dict[str, int]()
    states = [settled(part.shard().tasks, judges, known, asked) for part in made]
    return Scripted(folder, experiment, list(zip(made, states, strict=True)), asked)


def complaint(folder: Path, manifest: str) -> str:
    """The message that a manifest gets from the command, without the folder's name; no run must have begun."""
    options = RunOptions(written(folder, manifest), output=folder / "run", study="averaging")
    with pytest.raises(BadInputError) as caught:
        run_grid(options, Console(file=StringIO()))
    assert not (folder / "run").exists()
    return str(caught.value).replace(f"{folder}/", "")


def written(folder: Path, manifest: str) -> Path:
    """Write a manifest into a folder."""
    path = folder / "scripted.yaml"
    path.write_text(manifest.replace("{folder}", str(folder)), encoding="utf-8")
    return path


def manifest_of(averaging: str = "", judges: str = GPT, datasets: str = "", more: str = "") -> str:
    """A manifest on the folder's rows.jsonl; arguments are what stands in the braces of these keys."""
    source = datasets or "mine: {layout: table, path: '{folder}/rows.jsonl'}"
    return f"name: scripted\ndatasets: {{{source}}}\njudges: {{{judges}}}\naveraging: {{{averaging}}}\n{more}"


def write_summaries(folder: Path, rows: Rows, name: str = "rows.jsonl") -> Path:
    """Write a data file."""
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def summary(name: str, letters: str, label: int | None, document: str | None = None) -> dict[str, Any]:
    """A summary whose sentences say of themselves what they are: 1 faithful, 0 unfaithful.

    Its document is named by what stands before a colon.
    """
    of = document or name.partition(":")[0]
    sentences = [f"Point {number} of {name} is {'right' if letter == '1' else 'wrong'}."
                 for number, letter in enumerate(letters)]  # fmt: skip
    return {"document_id": of, "summary_id": name, "document": f"What is so about {of}.", "label": label,
            "summary": " ".join(sentences)}  # fmt: skip


SIX = (
    summary("a:1", "11", 1), summary("b:1", "10", 1), summary("c:1", "011", 0), summary("a:2", "1111", 1),
    summary("b:2", "00", 0), summary("d:1", "110", 1),
)  # fmt: skip
"""Six summaries of four documents; those of `a` and `b` do not stand together."""


def study(folder: Path, averaging: str = CLAIMS, judge: Judges | None = None, **options: Any) -> Scripted:
    """Those six, annotated, under two judges, who are honest unless another is given."""
    write_summaries(folder, SIX)
    (folder / "marks.csv").write_text(annotations_csv(SIX))
    return scripted(folder, manifest_of(averaging, f"{GPT}, {HAIKU}"), judge or honest, **options)


def annotations_csv(rows: Rows, extra: str = "") -> str:
    """Annotations of all sentences of such summaries, rightly."""
    lines = [
        f"{row['summary_id']},{number},{'Faithful' if 'right' in sentence else 'Unfaithful'}"
        for row in rows
        for number, sentence in enumerate(row["summary"].removesuffix(".").split(". "))
    ]
    return "\n".join(["summary_id,sentence_index,annotation", *lines]) + f"\n{extra}"


def asks_for_claims(call: Call) -> bool:
    """Whether a call asks to take a sentence apart."""
    return call.system == SUBCLAIMS.system


def shown_sentence(call: Call) -> str:
    """The sentence or claim that a judge is asked about, or that a writer takes apart."""
    return call.user.removeprefix("Sentence: ") if asks_for_claims(call) else call.user.rpartition(F.between)[2]


def said(label: int) -> str:
    """Say a label as the design asks for it."""
    return json.dumps({"faithful": label})


def honest(call: Call) -> str:
    """Judge what a sentence says of itself; take it apart into its first word and the whole of it."""
    sentence = shown_sentence(call)
    if asks_for_claims(call):
        return f"- There is something right.\n- {sentence}"
    return said(int("right" in sentence))


def noting(calls: list[Call], judge: Judge = honest) -> Judge:
    """A judge that notes what it is asked."""

    def noted(call: Call) -> str | Answer | None:
        calls.append(call)
        return judge(call)

    return noted


def erring(error: float) -> Judge:
    """A judge that is wrong with this probability, the same each time it is asked the same."""

    def judge(call: Call) -> str:
        if asks_for_claims(call):
            return honest(call)
        return said(int("right" in shown_sentence(call)) ^ int(chance(call) < error))

    return judge
