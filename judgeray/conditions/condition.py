"""What a condition is: a stated change of a row, or of the call, with everything else held fixed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from judgeray.core.canonical import JSONValue
from judgeray.rows import Row

Change = Callable[[Row], Row]
"""Gives the row as a judge is to see it; ids, variant, label and complexity stay. Raises BadInputError where a
row cannot be changed so."""


@dataclass(frozen=True, slots=True)
class Swap:
    """The reference that another source question lends; `same_text` tells that both read the same."""

    question_id: str
    reference: str
    same_text: bool = False


@dataclass(frozen=True)
class Setting:
    """What a condition may use besides the row: one per dataset, the same for all of its rows.

    `texts` holds the wording of conditions by name, `swaps` for each question id the question that lends its
    reference (empty where no condition needs it).
    """

    seed: int = 42
    texts: Mapping[str, str] = field(default_factory=dict)
    swaps: Mapping[str, Swap] = field(default_factory=dict)


@dataclass(frozen=True)
class Condition:
    """`bind` makes the change for one dataset; `parameters` are call parameters that the condition sets.

    `meaning` tells a reader in one sentence what is changed. `needs_swaps` asks for `Setting.swaps`, `needs_other`
    for rows with a second reference.
    """

    name: str
    meaning: str
    bind: Callable[[Setting], Change]
    parameters: Mapping[str, JSONValue] = field(default_factory=dict)
    needs_swaps: bool = False
    needs_other: bool = False


def fixed(change: Change) -> Callable[[Setting], Change]:
    """Bind a change that needs nothing besides the row."""
    return lambda _: change
