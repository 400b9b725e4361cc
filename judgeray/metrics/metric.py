"""What a metric is: a procedure that scores one answer against a reference, and what is known of it beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from judgeray.core.call import Judge
from judgeray.core.canonical import JSONValue
from judgeray.core.errors import BadInputError
from judgeray.core.procedure import Procedure
from judgeray.core.status import Status
from judgeray.metrics.settings import Settings


@dataclass(frozen=True, slots=True)
class Scored:
    """One answer to score: three texts."""

    question: str
    reference: str
    answer: str


@dataclass(frozen=True, slots=True)
class Part:
    """One step of a metric: how it ended, and how many draws that took (0 where no call was needed)."""

    name: str
    status: Status
    draws: int = 1


@dataclass(frozen=True, slots=True)
class Score:
    """What a metric makes of one answer.

    `value` is None unless `status` is ok, and also where the metric is not defined on the texts: a text without
    claims has no share of them. `detail` is what the value was made of, as plain JSON; `parts` are the steps in
    the order asked. `status` is that of the first part that did not end well.
    """

    status: Status
    value: float | None = None
    detail: Mapping[str, JSONValue] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Metric:
    """A metric by its name in the registry.

    Values lie from `low` to `high`, where `high` is best. `calls` is how many prompts one answer takes with the
    default settings, fresh draws and in-process calls left out; `output_tokens` is what all their replies are
    expected to write before any is known. Both only feed cost plans. `reads` names the settings that change
    anything, `prompts` gives the texts of which the prompts are made. `score` raises BadInputError, before any
    call, for a judge or a setting with which it cannot work.
    """

    name: str
    title: str
    version: str
    source: str
    low: float
    high: float
    calls: int
    output_tokens: int
    reads: frozenset[str]
    prompts: Callable[[Settings], tuple[str, ...]]
    score: Callable[[Scored, Judge, Settings], Procedure[Score]]


def require_prompts(metric: str, judge: Judge) -> None:
    """Raise BadInputError for a judge that runs in process and reads no prompt."""
    if judge.in_process:
        raise BadInputError(
            f"judges.{judge.name}: metric {metric}: found '{judge.provider}', which reads no prompts, "
            "allowed: a judge that answers prompts."
        )
