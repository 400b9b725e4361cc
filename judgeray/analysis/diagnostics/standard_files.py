"""Files of hand labels: CSV, JSON Lines or Parquet to annotations, every defect named with its row."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fsspec.implementations.local import LocalFileSystem

from judgeray.analysis.columns import shown
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.cells import Place, text_in
from judgeray.datasets.files import DataFile
from judgeray.datasets.table_files import open_table

NEEDED = ("row_id", "label")
OPTIONAL = ("annotator", "dataset")
ANNOTATOR = "annotator"
"""Who labelled the rows of a file that does not say."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One row of a label file; `dataset` is None where the file does not tell it. `place` names file and row."""

    place: str
    row_id: str
    label: str
    annotator: str
    dataset: str | None


def read_annotations(path: Path, labels: Sequence[str], reserved: Collection[str]) -> list[Annotation]:
    """Read all rows of a label file.

    Raises BadInputError, naming file, row, column, value found and values allowed, for a file that cannot be read,
    is empty, is not UTF-8 or lacks a needed column, an empty or unknown value, and an annotator of a `reserved`
    name.
    """
    try:
        found = [_annotation(place, labels, reserved) for place in _places(path)]
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read: {error.strerror or error}") from error
    if not found:
        raise BadInputError(f"{path}: no labels: the file is empty")
    return found


def _places(path: Path) -> Iterator[Place]:
    where = str(path)
    names = (*NEEDED, *OPTIONAL)
    table = open_table(DataFile(where, where, LocalFileSystem()), names)
    for number, record in enumerate(table.records, 1):
        if number == 1:
            _check_columns(where, table.columns)
        if not isinstance(record, Mapping):
            raise BadInputError(f"{where}: row {number}: found '{shown(record)}', allowed: an object")
        values = {name: record.get(name) for name in names}
        yield Place(where, number, {name: name for name in names}, values)


def _check_columns(where: str, columns: Collection[str]) -> None:
    for name in NEEDED:
        if name not in columns:
            found = ", ".join(shown(column) for column in sorted(columns)) or "none"
            raise BadInputError(f"{where}: missing column '{name}'; columns found: {found}")


def _annotation(place: Place, labels: Sequence[str], reserved: Collection[str]) -> Annotation:
    row_id, label, annotator, dataset = (_text(place, name) for name in (*NEEDED, *OPTIONAL))
    if row_id is None:
        raise BadInputError(f"{place.row}: row_id: found nothing, allowed: the id of a row of the log")
    if label not in labels:
        raise bad_value(place.row, "label", shown(label or ""), labels)
    if annotator in reserved:
        raise BadInputError(f"{place.row}: annotator: found '{annotator}', which has a meaning of its own")
    return Annotation(place.row, row_id, str(label), annotator or ANNOTATOR, dataset)


def _text(place: Place, name: str) -> str | None:
    """Take a cell as text; None where it is empty."""
    value = place.values.get(name)
    return None if value is None or value == "" else text_in(place, name)
