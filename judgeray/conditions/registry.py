"""All conditions by name. A new condition is one file and one line here."""

from __future__ import annotations

from judgeray.conditions.appended import DISTRACTOR, PADDING, PADDING_FALSE, PADDING_TRUE
from judgeray.conditions.cap import FAMILY, cap
from judgeray.conditions.casing import LOWER_CASE, UPPER_CASE
from judgeray.conditions.condition import Condition
from judgeray.conditions.full import FULL
from judgeray.conditions.markdown import MARKDOWN
from judgeray.conditions.no_reference import NO_REFERENCE
from judgeray.conditions.reduced_reference import REDUCED_REFERENCE
from judgeray.conditions.second_reference import SECOND_REFERENCE
from judgeray.conditions.swapped_reference import SWAPPED_REFERENCE
from judgeray.conditions.whitespace import WHITESPACE

CONDITIONS: dict[str, Condition] = {
    condition.name: condition
    for condition in (
        FULL,
        REDUCED_REFERENCE,
        NO_REFERENCE,
        SWAPPED_REFERENCE,
        SECOND_REFERENCE,
        DISTRACTOR,
        PADDING,
        PADDING_TRUE,
        PADDING_FALSE,
        MARKDOWN,
        UPPER_CASE,
        LOWER_CASE,
        WHITESPACE,
    )
}
"""Conditions with a name of their own; the family `cap_N` is known to `find_condition` alone."""


def find_condition(name: str) -> Condition | None:
    """Find a condition by name, `cap_N` included; None where there is none of that name."""
    return CONDITIONS.get(name) or cap(name)


def condition_names() -> list[str]:
    """List the names that a message may offer, the family `cap_N` last."""
    return [*CONDITIONS, FAMILY]
