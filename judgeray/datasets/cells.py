"""Cells of a table row: what fits a field, and the message for what does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judgeray.core.errors import BadInputError, bad_value
from judgeray.rows import LABELS

_NEVER_NULL = ("question", "reference", "candidate", "label", "question_id", "row_id")
_NEVER_BLANK = ("label", "question_id", "row_id")


@dataclass(frozen=True, slots=True)
class Place:
    """One row of a file, by row field.

    `number` counts from 1 without the header; `columns` (row field -> column) and `values` (row field -> cell)
    hold the fields that the file has a column for.
    """

    where: str
    number: int
    columns: Mapping[str, str]
    values: Mapping[str, object]

    def empty(self) -> list[str]:
        """Name the fields that the file has a column for but this row no value."""
        return [
            field
            for field, value in self.values.items()
            if (value is None and field in _NEVER_NULL) or (value == "" and field in _NEVER_BLANK)
        ]

    @property
    def row(self) -> str:
        """Name file and row."""
        return f"{self.where}: row {self.number}"

    def misfit(self, field: str, expected: str) -> BadInputError:
        """Build the message for a cell that does not fit its field."""
        found = repr(self.values[field])[:80]
        return BadInputError(f"{self.row}: {self.columns[field]}: found {found}, expected {expected}")


def text_in(place: Place, field: str) -> str:
    """Take a cell as text, verbatim; whole numbers are written out.

    Other types are refused, floats above all: they cannot hold ids beyond 2^53.
    """
    value = place.values.get(field)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise place.misfit(field, "text")
    return value


def label_in(place: Place) -> str:
    """Take the label of a row; raises BadInputError where it is not one of LABELS."""
    label = text_in(place, "label")
    if label not in LABELS:
        raise bad_value(place.row, place.columns["label"], label, LABELS)
    return label


def count_in(place: Place, field: str) -> int | None:
    """Take a cell as a whole number from 0 to 2^63 - 1, from text too; None where it is empty."""
    value = place.values.get(field)
    if value is None or value == "":
        return None
    number = _whole(value)
    if number is None or not 0 <= number < 2**63:
        raise place.misfit(field, "a whole number")
    return number


def _whole(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)
    return None
