"""Questions with their gold answers: from a table of such, or from the rows of a benchmark."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from judgeray.core.canonical import canonical_json
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.cells import Place, text_in
from judgeray.datasets.files import data_files, reading_errors, unreadable
from judgeray.datasets.records import shown
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.table import digest
from judgeray.datasets.table_files import Table, open_table
from judgeray.datasets.tally import Tally
from judgeray.questions import Question
from judgeray.rows import Row, Skip

NAMES: dict[str, tuple[str, ...]] = {
    "question": ("question",),
    "reference": ("reference", "ground_truth", "answer"),
    "question_id": ("question_id", "id"),
}
"""Field -> the columns that it is looked for under, the first one found; only `question_id` may be missing."""


def load_questions(source: DatasetSource) -> Iterator[Question | Skip]:
    """Load the source questions of one dataset in file order, and a Skip for each one left out.

    Layout `table` reads JSON lists, JSON Lines, CSV and Parquet with the columns of NAMES; `source.columns` maps
    fields to other columns, and without an id column the id is a digest of the question's text. All other layouts
    give the first row of each question. Skipped: a question or reference that is missing or blank, and a later
    record that has the id of an earlier one but other texts; an exact repetition is passed over.
    `source.questions` keeps the first so many questions. Raises BadInputError at once for a wrong source, and while
    reading for a file that cannot be read and a cell that does not fit.
    """
    rows = load(source)  # checks the source, whatever its layout
    if source.layout != "table":
        return _first_of_each(_questions_of(rows), source.questions)
    for field in source.columns:
        if field not in NAMES:
            raise bad_value(f"dataset '{source.name}'", "columns", field, NAMES)
    return _readable(source, _first_of_each(_tables(source), source.questions))


def _questions_of(rows: Iterable[Row | Skip]) -> Iterator[Question | Skip]:
    for row in rows:
        if isinstance(row, Skip):
            yield row
        else:
            yield Question(row.dataset, row.question_id, row.question, row.reference)


def _first_of_each(items: Iterable[Question | Skip], limit: int | None) -> Iterator[Question | Skip]:
    accepted = 0
    with Tally() as ids, Tally() as known:
        for item in items:
            if isinstance(item, Skip):
                yield item
                continue
            whole = canonical_json([item.question_id, item.question, item.reference])
            first, new = ids.count(item.question_id) == 1, known.count(whole) == 1
            if first:
                accepted += 1
                yield item
            elif new:
                yield Skip(item.dataset, item.question_id, "a question of this id came before, with other texts")
            if accepted == limit:
                return


def _readable(source: DatasetSource, items: Iterator[Question | Skip]) -> Iterator[Question | Skip]:
    try:
        yield from items
    except reading_errors() as error:
        raise unreadable(source.name, source.path, error) from error


def _tables(source: DatasetSource) -> Iterator[Question | Skip]:
    records = 0
    wanted = {*source.columns.values(), *(name for names in NAMES.values() for name in names)}
    for file in data_files(source):
        for item in _items(source, file.where, open_table(file, wanted)):
            records += 1
            yield item
    if not records:
        raise BadInputError(f"dataset '{source.name}', {source.path}: holds no questions")


def _items(source: DatasetSource, where: str, table: Table) -> Iterator[Question | Skip]:
    columns: dict[str, str] = {}
    for number, record in enumerate(table.records, 1):
        columns = columns or _columns(source, where, table.columns)
        if not isinstance(record, Mapping):
            raise BadInputError(f"{where}: row {number}: found {type(record).__name__}, expected an object")
        values = {field: record.get(column) for field, column in columns.items()}
        yield _item(source.name, Place(where, number, columns, values))


def _columns(source: DatasetSource, where: str, found: Collection[str]) -> dict[str, str]:
    """Find the column of each field; one named under `columns` must be there."""
    columns: dict[str, str] = {}
    for field, names in NAMES.items():
        wanted = (source.columns[field],) if field in source.columns else names
        column = next((name for name in wanted if name in found), None)
        if column is not None:
            columns[field] = column
        elif field != "question_id" or field in source.columns:
            raise BadInputError(
                f"{where}: no column '{' or '.join(wanted)}' for '{field}'; found {shown(list(found))}. "
                "Name it under columns."
            )
    return columns


def _item(dataset: str, place: Place) -> Question | Skip:
    blank = [field for field, value in place.values.items() if value is None or not str(value).strip()]
    if blank:
        known = "question_id" in place.values and "question_id" not in blank
        question_id = text_in(place, "question_id") if known else f"row {place.number}"
        return Skip(dataset, question_id, f"row {place.number}: no {', '.join(blank)}")
    question = text_in(place, "question")
    question_id = text_in(place, "question_id") if "question_id" in place.values else digest(question)
    return Question(dataset, question_id, question, text_in(place, "reference"))
