"""All layouts by name, and the one door through which rows are loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.asqa import load_asqa
from judgeray.datasets.files import data_files
from judgeray.datasets.loaded import first_units, loaded
from judgeray.datasets.qampari import load_qampari
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.table import load_table
from judgeray.datasets.truthfulqa import load_truthfulqa
from judgeray.rows import Row, Skip

Loader = Callable[[DatasetSource], Iterator[Row | Skip]]

LAYOUTS: dict[str, Loader] = {
    "truthfulqa": load_truthfulqa,
    "asqa": load_asqa,
    "qampari": load_qampari,
    "table": load_table,
}


def load(source: DatasetSource) -> Iterator[Row | Skip]:
    """Load the rows of one dataset in file order, and a Skip for each source question left out.

    `questions` keeps the rows of the first so many accepted questions; a file with fewer gives what it has.
    Skipped questions do not count; those after the last accepted one are not shown. Raises BadInputError at
    once for a wrong source, and while reading for a file that cannot be read or a row id that comes twice.
    """
    _check(source)
    data_files(source)

    def first() -> Iterator[Row | Skip]:
        return first_units(LAYOUTS[source.layout](source), source.questions, lambda row: row.question_id)

    return loaded(source, first, "row", lambda row: row.row_id)


def _check(source: DatasetSource) -> None:
    where = f"dataset '{source.name}'"
    if source.layout not in LAYOUTS:
        raise bad_value(where, "layout", source.layout, LAYOUTS)
    if source.questions is not None and source.questions < 1:
        raise BadInputError(f"{where}: questions: found {source.questions}, allowed: 1 or more")
    if source.split is not None and source.layout != "asqa":
        raise BadInputError(f"{where}: split: layout '{source.layout}' has no splits, only 'asqa' has")
    if source.columns and source.layout != "table":
        raise BadInputError(f"{where}: columns: only layout 'table' has columns, found '{source.layout}'")
