"""Scoring ladders: one metric by one judge on every level and control of every question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure, Wave
from judgeray.core.replay import Pending, Settled, State, Stuck, replay
from judgeray.core.reply import Reply
from judgeray.core.task import Task
from judgeray.metrics.metric import Metric, Score, Scored
from judgeray.metrics.settings import Settings
from judgeray.questions import Question
from judgeray.report.evidence import CaseKey
from judgeray.scores import SCORE_SCHEMA
from judgeray.studies.arm import Case, Sizes
from judgeray.studies.perturbation.ladder_arm import LadderArm, Written, level_of
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, totals, unsettled

_TIMES = 3
"""How much longer than the reference a call is that checks claims: both texts, and the prompt."""


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
    written = yield from arm.texts.written(item.question)
    level = written.texts.get(item.variant)
    if level is None:
        return Outcome(None, written.lacking(item.variant), written.keys)
    answer = Scored(item.question.question, item.question.reference, level.text)
    score = yield from arm.metric.score(answer, arm.judge, arm.metric_settings)
    return Outcome(score, None, written.keys)


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
        written = None if outcome else self._written(item, state)
        status, value, detail, error = _read(outcome, state, bool(written))
        used = self.own(state) if outcome else _scoring(state, written)
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
            **totals(state, price, used),
        }
        return [record]

    def case(self, item: Answer) -> Case:
        """Name the score's row."""
        replicate = self.metric_settings.replicate
        key = CaseKey(self.dataset, _id(item), self.label, self.judge.name, "full", replicate)
        text = f"({item.variant}: what the ladder's calls, which come first, have written)"
        return Case(key, item.question.question, item.question.reference, text)

    def own(self, state: State[Any]) -> Sequence[Reply]:
        """Replies to the metric's calls; of a score that is not settled none is told from the ladder's."""
        if not isinstance(state, Settled):
            return ()
        return [reply for reply in state.replies if reply.key not in state.value.writing]

    def follow_ups(self, item: Answer, state: State[Any]) -> Iterable[Call]:
        """Give the metric's further calls; its first ones too, on a text of the reference's length, while the
        answer's is being written."""
        if not isinstance(state, Pending):
            return
        written, name = self._written(item, state), _id(item)
        if written is None:
            first = self._first_wave(item.question, f"{name} {item.question.reference}", self.metric_settings)
            begun = len(first)
            yield from first
        else:
            begun = len(_scoring(state, written)) + len(state.wanted)
        settings = self.metric_settings
        asked = f"{self.metric.name} {settings.atomicity} {settings.coverage} {settings.design}"
        for number in range(begun, self._calls(item.question)):
            text = f"{number} {name} {item.question.reference}\n" * _TIMES
            yield self.judge.call(asked, text, settings.replicate)

    def _written(self, item: Answer, state: State[Any]) -> Written | None:
        """Give the ladder behind a score that is not settled; None where it is not settled either."""
        found = replay(self.texts.written(item.question), {reply.key: reply for reply in state.replies})
        return found.value if isinstance(found, Settled) else None

    def _calls(self, question: Question) -> int:
        """Prompts that one answer takes: the metric says for its default mode, and others ask for a part of it."""
        whole = replace(self.metric_settings, mode=Settings().mode)
        waves = (self._first_wave(question, "", settings) for settings in (self.metric_settings, whole))
        first, most = map(len, waves)
        return self.metric.calls * first // most

    def _first_wave(self, question: Question, text: str, settings: Settings) -> Wave:
        answer = Scored(question.question, question.reference, text or question.reference)
        return next(self.metric.score(answer, self.judge, settings), ())


def _scoring(state: State[Any], written: Written | None) -> list[Reply]:
    """Give the replies to the metric's calls: those that are not the ladder's; none before it is written."""
    return [] if written is None else [reply for reply in state.replies if reply.key not in written.keys]


def _read(
    outcome: Outcome | None, state: State[Any], has_text: bool
) -> tuple[str, float | None, str | None, str | None]:
    """Give status, value, detail and error."""
    if outcome is None:
        failed = state.failure.error if isinstance(state, Stuck) else None
        return unsettled(state), None, None, failed if failed is None or has_text else f"no text: {failed}"
    if outcome.score is None:
        return "undelivered", None, None, f"no text: {outcome.lost}"
    detail = json.dumps(outcome.score.detail, ensure_ascii=False, sort_keys=True) if outcome.score.detail else None
    return outcome.score.status, outcome.score.value, detail, None


def _id(item: Answer) -> str:
    return f"{item.question.dataset}:{item.question.question_id}:{item.variant}"
