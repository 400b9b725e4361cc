"""Rows to be changed, any text at all, and the way to change a row by a condition's name."""

from __future__ import annotations

from hypothesis import strategies as st

from judgeray.conditions.condition import Setting, Swap
from judgeray.conditions.registry import find_condition
from judgeray.rows import Row

any_text = st.text(st.characters(exclude_categories=()))
"""Every code point there is, NUL and lone surrogates included."""

prose = st.text(st.sampled_from("aBßİ\u0131é漢7.?! \n\t\u00a0-*\"'"), max_size=60)
"""Texts in which separators, blanks and odd letters meet often."""

texts = any_text | prose


def row_of(reference: str = "R", candidate: str = "C", other: str | None = None, question_id: str = "q") -> Row:
    """Make one row of dataset `d`."""
    return Row("d", question_id, f"d:{question_id}:v", "v", "supported", "Q?", reference, candidate, 3, other)


def changed(name: str, row: Row, setting: Setting | None = None) -> Row:
    """Change a row by the condition of this name; without a setting, its question takes "lent" in a swap."""
    condition = find_condition(name)
    assert condition is not None, name
    return condition.bind(setting or Setting(swaps={row.question_id: Swap("other", "lent")}))(row)


def candidate_under(name: str, candidate: str) -> str:
    """Give what a condition makes of a candidate."""
    return changed(name, row_of(candidate=candidate)).candidate
