"""Condition `swapped_reference`: the reference of another question of the same dataset.

Study 1 (arXiv 2603.28005), section 5, "Perturbations". Who lends to whom is drawn in `swaps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from judgeray.conditions.condition import Change, Condition, Setting, Swap
from judgeray.core.errors import BadInputError
from judgeray.rows import Row


def _bind(setting: Setting) -> Change:
    return lambda row: replace(row, reference=_swap(row, setting.swaps).reference)


def _swap(row: Row, swaps: Mapping[str, Swap]) -> Swap:
    if row.question_id not in swaps:
        raise BadInputError(
            f"dataset '{row.dataset}': swapped_reference: question '{row.question_id}' was not there when "
            "references were paired; the data file must stay the same during a run."
        )
    return swaps[row.question_id]


SWAPPED_REFERENCE = Condition(
    "swapped_reference",
    "The reference is that of another question of the dataset, drawn once per question with the seed.",
    _bind,
    needs_swaps=True,
)
