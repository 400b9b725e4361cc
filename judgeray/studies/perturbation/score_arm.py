"""Scoring ladders: one metric by one judge on every level and control of every question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure
from judgeray.core.replay import Pending, Settled, State, Stuck
from judgeray.core.reply import Reply
from judgeray.core.task import Task
from judgeray.metrics.metric import Metric, Score, Scored
from judgeray.metrics.settings import Settings
from judgeray.questions import Question
from judgeray.report.evidence import CaseKey
from judgeray.scores import SCORE_SCHEMA
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.perturbation.ladder_arm import LadderArm, level_of
from judgeray.studies.perturbation.noted import noting
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, totals, unsettled
from judgeray.writers.perturbation.ladder import PROMPTS, ladder

_WRITING = frozenset(prompt.system for prompt in PROMPTS.values())


@dataclass(frozen=True)
class Answer:
    """One thing to score: a variant of a question's answer, which may never be written."""

    question: Question
    variant: str


@dataclass(frozen=True)
class Outcome:
    """A score, or why there is no text; `writing` are the keys of the calls that wrote the text."""

    score: Score | None
    lost: str | None
    writing: frozenset[str]


def scored(item: Answer, arm: ScoreArm) -> Procedure[Outcome]:
    """Get the answer written, then let the metric score it against the reference."""
    writing: set[str] = set()
    texts, question = arm.texts, item.question
    built = yield from noting(ladder(question, texts.writers, texts.settings), writing)
    level = texts.texts(question, built).get(item.variant)
    if level is None:
        return Outcome(None, built.lost or "this control would leave the text as it is", frozenset(writing))
    answer = Scored(question.question, question.reference, level.text)
    score = yield from arm.metric.score(answer, arm.judge, arm.metric_settings)
    return Outcome(score, None, frozenset(writing))


@dataclass(frozen=True)
class ScoreArm:
    """Ladders of a dataset x metric x judge x replicate; `label` names the metric in tables."""

    texts: LadderArm
    metric: Metric
    label: str
    judge: Judge
    metric_settings: Settings = field(default_factory=Settings)

    groups = False
    schema = SCORE_SCHEMA

    @property
    def dataset(self) -> str:
        """Name of the dataset whose questions are answered."""
        return self.texts.dataset

    @property
    def design_name(self) -> str:
        """Name of the metric."""
        return self.label

    @property
    def output_tokens(self) -> int:
        """Tokens that one reply is expected to write."""
        return -(-self.metric.output_tokens // max(1, self.metric.calls))

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Version, source and hash of the metric's prompts."""
        return {self.label: prompt_facts(self.metric, *self.metric.prompts(self.metric_settings))}

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Who writes, then who scores."""
        nli = self.metric_settings.nli
        return (*self.texts.judges, self.judge, *((nli,) if nli and "nli" in self.metric.reads else ()))

    @property
    def partition(self) -> str:
        """Folder of the scores."""
        return f"scores/dataset={self.dataset}/metric={self.label}/judge={self.judge.name}"

    @property
    def variant(self) -> str:
        """The replicate."""
        return f"r{self.metric_settings.replicate}"

    def items(self, rows: Sequence[Question]) -> Sequence[Answer]:
        """Every variant of every question."""
        return [Answer(question, variant) for question in rows for variant in self.texts.variants]

    def size(self, sizes: Sizes) -> int:
        """One score a variant."""
        return sizes.questions * len(self.texts.variants)

    def task(self, item: Answer) -> Task:
        """Write and score one answer."""
        return Task(_id(item), partial(scored, item, self))

    def records(self, item: Answer, state: State[Any], price: Price) -> list[dict[str, Any]]:
        """Build the score's row; tokens and cost are those of scoring, the text's stand with its ladder."""
        outcome: Outcome | None = state.value if isinstance(state, Settled) else None
        status, value, detail, error = _read(outcome, state)
        record = {
            "dataset": item.question.dataset,
            "question_id": item.question.question_id,
            "level": level_of(item.variant),
            "variant": item.variant,
            "metric": self.label,
            "judge": self.judge.name,
            "replicate": self.metric_settings.replicate,
            "status": status,
            "value": value,
            "detail": detail,
            "provider": self.judge.provider,
            "model": self.judge.model,
            "error": error,
            **totals(state, price, self.own(state)),
        }
        return [record]

    def case(self, item: Answer) -> Case:
        """Name the score's row."""
        replicate = self.metric_settings.replicate
        key = CaseKey(self.dataset, _id(item), self.label, self.judge.name, "full", replicate)
        return Case(
            key, item.question.question, item.question.reference, f"({item.variant}: written by the ladder)"
        )

    def own(self, state: State[Any]) -> Sequence[Reply]:
        """Replies to the metric's calls; before the score is settled they cannot be told from the ladder's."""
        if not isinstance(state, Settled):
            return ()
        return [reply for reply in state.replies if reply.key not in state.value.writing]

    def follow_ups(self, item: Answer, state: State[Any]) -> Iterable[Call]:
        """Give as many calls as the metric expects, while the text is being written."""
        if isinstance(state, Pending) and all(call.system in _WRITING for call in state.wanted):
            for number in range(self.metric.calls):
                yield self.judge.call(self.label, f"{number} {_id(item)} {item.question.reference} " * 2)


def _read(outcome: Outcome | None, state: State[Any]) -> tuple[str, float | None, str | None, str | None]:
    """Give status, value, detail and error."""
    if outcome is None:
        return unsettled(state), None, None, state.failure.error if isinstance(state, Stuck) else None
    if outcome.score is None:
        return "undelivered", None, None, f"no text: {outcome.lost}"
    detail = json.dumps(outcome.score.detail, ensure_ascii=False, sort_keys=True) if outcome.score.detail else None
    return outcome.score.status, outcome.score.value, detail, None


def _id(item: Answer) -> str:
    return f"{item.question.dataset}:{item.question.question_id}:{item.variant}"
