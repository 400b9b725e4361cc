"""TruthfulQA: the best answer against the first incorrect one.

Reads `TruthfulQA.csv` of the 817-question release (the file of study 1) and of the 790-question release of
January 2025, with or without byte order mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judgeray.datasets.construction import Pair, Scheme, construct
from judgeray.datasets.files import only_file
from judgeray.datasets.reading import csv_records
from judgeray.datasets.records import OddQuestionError, expect_fields, text_of
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row, Skip

SCHEME = Scheme(supported="pos", short="neg", short_label="unsupported")

_COLUMNS = (("Question",), ("Best Answer",), ("Incorrect Answers",))


def load_truthfulqa(source: DatasetSource) -> Iterator[Row | Skip]:
    """Yield variants `pos` and `neg` of each question; the id is the 0-based row of the file.

    Questions without an incorrect answer are skipped. Raises BadInputError where a column is missing.
    """
    file = only_file(source)
    records = expect_fields(file.where, source.layout, csv_records(file), _COLUMNS)
    yield from construct(source.name, records, lambda row, _: str(row), _read, SCHEME)


def _read(record: Mapping[str, object]) -> Pair:
    return Pair(
        question=text_of(record, "Question"),
        reference=text_of(record, "Best Answer"),
        short_candidate=_first_incorrect(text_of(record, "Incorrect Answers")),
    )


def _first_incorrect(cell: str) -> str:
    entries = (entry.strip() for entry in cell.split(";"))
    first = next(filter(None, entries), None)
    if first is None:
        raise OddQuestionError("no incorrect answer")
    return first
