"""Conditions `upper_case` and `lower_case`: the candidate in letters of one case, by Unicode's full mappings.

These may change a text's length ("ß" becomes "SS", "İ" becomes "i" and a combining dot) but not what it reads when
case is ignored (`str.casefold`), with one exception in all of Unicode: the Turkish dotless i (U+0131) becomes "I".
"""

from __future__ import annotations

from dataclasses import replace

from judgeray.conditions.condition import Condition, fixed
from judgeray.rows import Row


def _upper(row: Row) -> Row:
    return replace(row, candidate=row.candidate.upper())


def _lower(row: Row) -> Row:
    return replace(row, candidate=row.candidate.lower())


UPPER_CASE = Condition("upper_case", "The candidate is written in capital letters.", fixed(_upper))
LOWER_CASE = Condition("lower_case", "The candidate is written in small letters.", fixed(_lower))
