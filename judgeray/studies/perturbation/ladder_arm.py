"""Writing ladders: every question of a dataset as A0 to A4, and as controls that leave every fact alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure
from judgeray.core.replay import Pending, Settled, State, Stuck
from judgeray.core.reply import Reply
from judgeray.core.task import Task
from judgeray.questions import Question
from judgeray.report.evidence import CaseKey
from judgeray.scores import CONTROL, LADDER_SCHEMA
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.perturbation.noted import noting
from judgeray.studies.perturbation.remembered import Memory
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, totals, unsettled
from judgeray.writers.perturbation.controls import controls
from judgeray.writers.perturbation.ladder import PROMPTS, Ladder, LadderSettings, LadderWriters, ladder
from judgeray.writers.perturbation.levels import Level
from judgeray.writers.perturbation.paraphrase import PARAPHRASE
from judgeray.writers.perturbation.perturb import PERTURB
from judgeray.writers.perturbation.rank import RANK

CONTROLS = ("padded", "reordered", "restyled")
DESIGN = "ladder"

REMEMBERED = 1_000
"""Questions whose ladders are remembered while their answers are scored: about 50 kB each."""


@dataclass(frozen=True)
class Written:
    """What a ladder came to: `texts` by variant, as far as they were written, and the keys of the calls for it."""

    ladder: Ladder
    texts: Mapping[str, Level]
    keys: frozenset[str]

    def lacking(self, variant: str) -> str:
        """Say why a variant was not written."""
        if variant.startswith(CONTROL) and self.ladder.answers:
            return "this control would leave the text as it is"
        return str(self.ladder.lost)


@dataclass(frozen=True)
class LadderArm:
    """Dataset x writers; one recorded row for each level and control of each question, written or not."""

    dataset: str
    writers: LadderWriters
    settings: LadderSettings
    with_controls: bool = True
    memory: Memory[Written] = field(default_factory=partial(Memory[Written], REMEMBERED), compare=False, repr=False)

    groups = False
    schema = LADDER_SCHEMA
    condition = "full"
    replicate = 0

    @property
    def judge(self) -> Judge:
        """Who makes answers wrong: most calls are theirs."""
        return self.writers.perturb

    @property
    def design_name(self) -> str:
        """What is asked."""
        return DESIGN

    @property
    def output_tokens(self) -> int:
        """Tokens that one reply is expected to write."""
        return max(prompt.output_tokens for prompt in PROMPTS.values())

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Version, source and hash of each step's prompt."""
        return {
            f"ladder.{name}": prompt_facts(prompt, prompt.system, prompt.template)
            for name, prompt in PROMPTS.items()
        }

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Who writes, step by step."""
        return self.writers.paraphrase, self.writers.rank, self.writers.perturb

    @property
    def partition(self) -> str:
        """Folder of the ladders."""
        return f"ladders/dataset={self.dataset}"

    @property
    def variant(self) -> str:
        """There is one ladder a dataset."""
        return DESIGN

    @property
    def variants(self) -> tuple[str, ...]:
        """Names of the answers that are scored."""
        levels = tuple(f"A{level}" for level in range(self.settings.levels + 1))
        return levels + (tuple(f"{CONTROL}{name}" for name in CONTROLS) if self.with_controls else ())

    def items(self, rows: Sequence[Question]) -> Sequence[Question]:
        """One ladder a question."""
        return rows

    def size(self, sizes: Sizes) -> int:
        """One ladder a question."""
        return sizes.questions

    def task(self, item: Question) -> Task:
        """Build the ladder."""
        return Task(f"{item.dataset}:{item.question_id}", partial(ladder, item, self.writers, self.settings))

    def written(self, item: Question) -> Procedure[Written]:
        """Get the ladder written, as the beginning of another procedure; many such share their work."""
        return self.memory.run(item, partial(_write, item, self))

    def texts(self, item: Question, built: Ladder) -> dict[str, Level]:
        """Give what was written by variant; levels that were not reached are not there."""
        levels = {f"A{number}": level for number, level in enumerate(built.answers)}
        if "A0" not in levels or not self.with_controls:
            return levels
        changed = controls(levels["A0"].text, item.question_id, self.settings.seed)
        return levels | {f"{CONTROL}{name}": Level(text) for name, text in changed.items()}

    def records(self, item: Question, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build a row for each variant, written or not; all of them carry the usage of the whole ladder."""
        built: Ladder | None = state.value if isinstance(state, Settled) else None
        texts = self.texts(item, built) if built else {}
        common = self._common(item, built, state) | totals(state, price)
        return [common | _written(variant, texts.get(variant)) for variant in self.variants]

    def case(self, item: Question) -> Case:
        """Name the ladder."""
        key = CaseKey(self.dataset, f"{item.dataset}:{item.question_id}", DESIGN, self.judge.name, "full", 0)
        return Case(key, item.question, item.reference, "")

    def own(self, state: State[Any]) -> Sequence[Reply]:
        """All replies are the arm's own."""
        return state.replies

    def follow_ups(self, item: Question, state: State[Any]) -> Iterable[Call]:
        """Give the steps still to come, each about a text as long as the reference."""
        if not isinstance(state, Pending):
            return
        asked = len(state.replies) + len(state.wanted)
        for step in range(asked, 2 + self.settings.levels):
            prompt, writer = (PARAPHRASE, RANK, PERTURB)[min(step, 2)], self.judges[min(step, 2)]
            yield prompt.call(f"{step} {item.dataset} {item.question_id} {item.reference}", writer)

    def _common(self, item: Question, built: Ladder | None, state: State[Any]) -> dict[str, Any]:
        """What a question has in common over its variants; null means not known."""
        spans = [[span.start, span.end, span.text] for span in built.spans] if built else None
        return {
            "dataset": item.dataset,
            "question_id": item.question_id,
            "status": "ok" if built else unsettled(state),
            "spans": _json(spans),
            "protected": _json(built.protected if built else None),
            "groups": _json(built.groups if built else None),
            "lost": built.lost if built else None,
            "paraphrase_model": self.writers.paraphrase.model,
            "rank_model": self.writers.rank.model,
            "perturb_model": self.writers.perturb.model,
            "provider": self.judge.provider,
            "model": self.judge.model,
            "error": state.failure.error if isinstance(state, Stuck) else None,
        }


def _write(item: Question, arm: LadderArm) -> Procedure[Written]:
    keys: set[str] = set()
    built = yield from noting(ladder(item, arm.writers, arm.settings), keys)
    return Written(built, arm.texts(item, built), frozenset(keys))


def level_of(variant: str) -> int | None:
    """Give the level of a variant: 0 for A0; None for a control."""
    return None if variant.startswith(CONTROL) else int(variant.removeprefix("A"))


def _written(variant: str, level: Level | None) -> dict[str, Any]:
    text, flags = (level.text, list(level.flags)) if level else (None, None)
    return {"variant": variant, "level": level_of(variant), "text": text, "flags": flags}


def _json(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)
