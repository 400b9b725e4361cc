"""Any labelled table: one row of the file is one thing to judge."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import nullcontext
from hashlib import sha256
from itertools import chain

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.cells import Place, count_in, label_in, text_in
from judgeray.datasets.files import data_files
from judgeray.datasets.records import shown
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.table_files import Table, open_table
from judgeray.datasets.tally import LastTally, Tally
from judgeray.rows import Row, Skip, row_id

NEEDED = ("question", "reference", "candidate", "label")
OPTIONAL = ("question_id", "row_id", "variant", "complexity", "other_reference")


def load_table(source: DatasetSource) -> Iterator[Row | Skip]:
    """Yield one Row for each row of a table, or a Skip for a row with an empty cell that must not be empty.

    `source.columns` maps row fields to columns; a field that is not named there is looked for under its own
    name. Without a `question_id` column, the id is a digest of the question's text, so that rows of one
    question stay together. Without a `row_id` column, the id is `dataset:question_id:variant`, or
    `dataset:question_id:n` with `n` counted from 1 within the question where there is no variant either;
    `variant` is then empty. Null means a missing cell; empty text is a missing id or label, and a text like any
    other elsewhere, except that a blank `other_reference` is none. Raises BadInputError naming file, row and column
    for anything else that does not fit.
    """
    for field in source.columns:
        if field not in NEEDED + OPTIONAL:
            raise bad_value(f"dataset '{source.name}'", "columns", field, NEEDED + OPTIONAL)
    named = {field: source.columns.get(field, field) for field in NEEDED + OPTIONAL}
    with nullcontext(LastTally()) if source.questions_together else Tally() as numbers:
        tables = ((file.where, open_table(file, set(named.values()))) for file in data_files(source))
        items = chain.from_iterable(_items(source, where, table, named, numbers) for where, table in tables)
        first = next(items, None)
        if first is None:
            raise BadInputError(f"dataset '{source.name}', {source.path}: holds no rows")
        yield first
        yield from items


def _items(
    source: DatasetSource, where: str, table: Table, named: Mapping[str, str], numbers: LastTally | Tally
) -> Iterator[Row | Skip]:
    columns: dict[str, str] = {}
    absent: set[str] = set()
    for number, record in enumerate(table.records, 1):
        # Only a file with rows must have the columns: empty shards among others are common.
        if not columns:
            columns = _present(source, where, table.columns, named)
            absent = set(named.values()) - set(columns.values())
        if not isinstance(record, Mapping):
            raise BadInputError(f"{where}: row {number}: found {type(record).__name__}, expected an object")
        late = record.keys() & absent
        if late:
            raise BadInputError(f"{where}: row {number}: column '{min(late)}' is missing in the rows before it")
        values = {field: record.get(column) for field, column in columns.items()}
        yield _item(source.name, Place(where, number, columns, values), numbers)


def _present(source: DatasetSource, where: str, found: Collection[str], named: Mapping[str, str]) -> dict[str, str]:
    for field, column in named.items():
        if column not in found and (field in NEEDED or field in source.columns):
            raise BadInputError(
                f"{where}: no column '{column}' for '{field}'; found {shown(list(found))}. Name it under columns."
            )
    return {field: column for field, column in named.items() if column in found}


def _item(dataset: str, place: Place, numbers: LastTally | Tally) -> Row | Skip:
    empty = place.empty()
    if empty:
        known = "question_id" in place.values and "question_id" not in empty
        question_id = text_in(place, "question_id") if known else f"row {place.number}"
        return Skip(dataset, question_id, f"row {place.number}: no {', '.join(empty)}")
    question = text_in(place, "question")
    question_id = text_in(place, "question_id") if "question_id" in place.values else digest(question)
    variant = text_in(place, "variant") if place.values.get("variant") is not None else ""
    other = text_in(place, "other_reference") if place.values.get("other_reference") is not None else ""
    return Row(
        dataset=dataset,
        question_id=question_id,
        row_id=_row_id(dataset, question_id, variant, place, numbers),
        variant=variant,
        label=label_in(place),
        question=question,
        reference=text_in(place, "reference"),
        candidate=text_in(place, "candidate"),
        complexity=count_in(place, "complexity"),
        other_reference=other if other.strip() else None,
    )


def _row_id(dataset: str, question_id: str, variant: str, place: Place, numbers: LastTally | Tally) -> str:
    if "row_id" in place.values:
        return text_in(place, "row_id")
    return row_id(dataset, question_id, variant or str(numbers.count(question_id)))


def digest(question: str) -> str:
    """Make a question id out of the question's text: 16 hex digits of its SHA-256."""
    return sha256(question.encode("utf-8", "surrogatepass")).hexdigest()[:16]
