"""Condition `second_reference`: the reference as a second annotator wrote it; the same question, other words."""

from __future__ import annotations

from dataclasses import replace

from judgeray.conditions.condition import Condition, fixed
from judgeray.core.errors import BadInputError
from judgeray.rows import Row


def _with_second_reference(row: Row) -> Row:
    if row.other_reference is None:
        raise BadInputError(
            f"dataset '{row.dataset}': second_reference: row '{row.row_id}' has no second reference; needed: a "
            "second annotation with a long answer (layout 'asqa') or text in column 'other_reference' "
            "(layout 'table')."
        )
    return replace(row, reference=row.other_reference)


SECOND_REFERENCE = Condition(
    "second_reference",
    "The reference is the one that a second annotator wrote for the same question.",
    fixed(_with_second_reference),
    needs_other=True,
)
