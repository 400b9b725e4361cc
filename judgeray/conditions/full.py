"""Condition `full`: nothing is changed; what all others are compared with."""

from __future__ import annotations

from judgeray.conditions.condition import Condition, fixed
from judgeray.rows import Row


def unchanged(row: Row) -> Row:
    """Give the row as it was constructed."""
    return row


FULL = Condition("full", "Rows are judged as they were constructed.", fixed(unchanged))
