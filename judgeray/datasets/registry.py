"""All layouts by name, and the one door through which rows are loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.asqa import load_asqa
from judgeray.datasets.files import data_files, reading_errors, unreadable
from judgeray.datasets.qampari import load_qampari
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.table import load_table
from judgeray.datasets.tally import Tally
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
    return _loaded(source)


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


def _loaded(source: DatasetSource) -> Iterator[Row | Skip]:
    try:
        with Tally() as row_ids:
            for item in _first_questions(LAYOUTS[source.layout](source), source.questions):
                if isinstance(item, Row) and row_ids.count(item.row_id) > 1:
                    raise BadInputError(
                        f"dataset '{source.name}', {source.path}: row id '{item.row_id}' comes twice"
                    )
                yield item
    except reading_errors() as error:
        raise unreadable(source.name, source.path, error) from error


def _first_questions(items: Iterator[Row | Skip], limit: int | None) -> Iterator[Row | Skip]:
    if limit is None:
        yield from items
        return
    accepted: set[str] = set()
    for item in items:
        # Rows of one question need not stand together in a table, so that reading goes on to the end.
        if len(accepted) >= limit and item.question_id not in accepted:
            continue
        if isinstance(item, Row):
            accepted.add(item.question_id)
        yield item
