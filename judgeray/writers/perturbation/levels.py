"""The answers of a ladder, and what is noted about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Flag = Literal["brackets_replaced", "equals_previous", "kept_term_changed", "rest_changed", "term_unchanged"]
"""What a level is marked with; it stays in the ladder all the same.

`brackets_replaced`: A0 had square brackets or braces of its own, which were made round. `equals_previous`: the text
is that of the level before, for A0 the reference. `kept_term_changed`: a term that was to be kept came back
different. `term_unchanged`: a term that was to be changed came back as it was. `rest_changed`: words outside all
terms came back different.
"""


@dataclass(frozen=True, slots=True)
class Level:
    """One answer, as it is published, and its flags in alphabetical order."""

    text: str
    flags: tuple[Flag, ...] = ()
