"""Condition `reduced_reference`: the reference, cut after what looks like its first sentence.

Study 1 (arXiv 2603.28005), "Grounding control" and Table 10: a truncation at delimiters, not a paraphrase. The
paper does not say whether the mark itself stays. It stays here, so that what is left reads as a whole sentence, as
the paper's other constructor puts the period back after its cut (section 6.2); the blank and the rest go.
"""

from __future__ import annotations

from dataclasses import replace

from judgeray.conditions.condition import Condition, fixed
from judgeray.rows import Row

SEPARATORS = (". ", "? ", "! ")
"""Tried in this order; the first that the reference holds anywhere decides, even if another stands before it."""


def reduced(text: str) -> str:
    """Cut a text at the first occurrence of the deciding separator; without any, it stays as it is."""
    separator = next((mark for mark in SEPARATORS if mark in text), None)
    if separator is None:
        return text
    return text.partition(separator)[0] + separator.rstrip()


def _with_reduced_reference(row: Row) -> Row:
    return replace(row, reference=reduced(row.reference))


REDUCED_REFERENCE = Condition(
    "reduced_reference",
    'The reference ends at the first ". ", else at the first "? ", else at the first "! "; '
    "one without any of these stays whole.",
    fixed(_with_reduced_reference),
)
