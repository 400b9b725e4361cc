"""Support labels as metrics: what a pointwise design of study 1 says of an answer, as a number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.status import Status
from judgeray.designs.pointwise import HEADER, PointwiseDesign
from judgeray.designs.reading import Judgment
from judgeray.designs.registry import DESIGNS
from judgeray.metrics.metric import Part, Score, Scored
from judgeray.metrics.settings import Settings
from judgeray.rows import Row

SOURCE = "study 1 (arXiv 2603.28005), its designs read as numbers; the reading is ours"


def support_call(item: Scored, judge: Judge, settings: Settings) -> Call:
    """Build the design's call on the three texts: the very call of a grid row with these texts."""
    row = Row("", "", "", "", "", item.question, item.reference, item.answer)
    return DESIGNS[settings.design].call(row, judge, settings.replicate)


def support(
    item: Scored, judge: Judge, settings: Settings, value_of: Callable[[Judgment], float | None]
) -> Procedure[Score]:
    """Ask the design and take `value_of` its judgment; a judgment that lacks the value is unparsed."""
    reply = yield from ask(support_call(item, judge, settings))
    judgment = DESIGNS[settings.design].read(reply)
    value = value_of(judgment) if judgment.status == "ok" else None
    status: Status = "unparsed" if judgment.status == "ok" and value is None else judgment.status
    detail = {name: told for name, told in asdict(judgment).items() if name != "status"}
    return Score(status, value, detail, (Part("judgment", status),))


def support_prompts(settings: Settings) -> tuple[str, ...]:
    """Give system text, header and block of the design."""
    design: PointwiseDesign = DESIGNS[settings.design]
    return design.system, HEADER, design.block
