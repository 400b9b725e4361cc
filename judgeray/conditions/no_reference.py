"""Condition `no_reference`: the judge is given no reference and must rely on what it knows.

Study 1 (arXiv 2603.28005), "Grounding control" and Table 10.
"""

from __future__ import annotations

from dataclasses import replace

from judgeray.conditions.condition import Condition, fixed
from judgeray.rows import Row

MISSING = "(missing)"
"""What fills the reference slot, to the letter."""


def _without_reference(row: Row) -> Row:
    return replace(row, reference=MISSING)


NO_REFERENCE = Condition(
    "no_reference", f'The reference is taken away; its slot reads "{MISSING}".', fixed(_without_reference)
)
