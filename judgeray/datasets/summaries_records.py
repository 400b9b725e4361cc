"""Records of benchmark files about summaries: what is missing is None, what does not fit is named."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judgeray.core.errors import BadInputError
from judgeray.datasets.files import data_files
from judgeray.datasets.records import expect_fields
from judgeray.datasets.summaries_draft import Draft, finished
from judgeray.datasets.summary_source import SummarySource
from judgeray.datasets.table_files import open_table
from judgeray.rows import Skip
from judgeray.summaries import Summary

LABELS = {"1": 1, "1.0": 1, "true": 1, "faithful": 1, "0": 0, "0.0": 0, "false": 0, "unfaithful": 0}
"""Spellings of labels, by small letters; numbers and booleans are compared by their spelling."""


@dataclass(frozen=True, slots=True)
class Fields:
    """One record of a file; each field is looked for under several names, of which the first wins.

    `number` counts from 1. `columns` are the fields that the file has, of which this record may lack some.
    """

    where: str
    number: int
    record: Mapping[str, object]
    columns: Collection[str]

    @property
    def place(self) -> str:
        """Name the record inside its file."""
        return f"row {self.number}"

    def text(self, *names: str) -> str | None:
        """Take a text verbatim, None where it is missing or blank. Raises BadInputError for anything else."""
        name, value = self._found(names)
        if value is not None and not isinstance(value, str):
            raise self.misfit(name, "text")
        return value if isinstance(value, str) and value.strip() else None

    def name(self, *names: str) -> str | None:
        """Take an id or a name as text; whole numbers are written out. Raises BadInputError for anything else."""
        _, value = self._found(names)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.text(*names)

    def label(self, *names: str) -> int | None:
        """Take a label, None where it is missing or empty. Raises BadInputError for what is no label."""
        name, value = self._found(names)
        if value is None or value != value or (isinstance(value, str) and not value.strip()):
            return None
        found = LABELS.get(str(value).strip().lower())
        if found is None:
            raise self.misfit(name, "0 or 1, true or false, faithful or unfaithful")
        return found

    def records(self, name: str) -> list[Mapping[str, object]]:
        """Take a list of objects. Raises BadInputError for anything else."""
        value = self.record.get(name)
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            raise self.misfit(name, "a list of objects")
        return value

    def misfit(self, name: str, expected: str) -> BadInputError:
        """Build the message for a field that holds something else than expected."""
        found = repr(self.record.get(name))[:80]
        return BadInputError(f"{self.where}: {self.place}: {name}: found {found}, expected {expected}")

    def _found(self, names: Sequence[str]) -> tuple[str, object]:
        return next(
            ((name, self.record[name]) for name in names if self.record.get(name) is not None), (names[0], None)
        )


Needed = Sequence[tuple[str, ...]]
"""Fields that a file must have, each with its alternative names."""


def fields_of(source: SummarySource, needed: Needed, optional: Iterable[str] = ()) -> Iterator[Fields]:
    """Yield the records of all files of a source: CSV, JSON lists, JSON Lines and Parquet.

    Raises BadInputError where a file lacks a needed field, or where a record is no object.
    """
    wanted = {name for names in needed for name in names} | set(optional)
    for file in data_files(source):
        table = open_table(file, wanted)
        records = expect_fields(file.where, source.layout, table.records, needed)
        for number, record in enumerate(records, 1):
            if not isinstance(record, Mapping):
                raise BadInputError(
                    f"{file.where}: row {number}: found {type(record).__name__}, expected an object"
                )
            yield Fields(file.where, number, record, table.columns)


def from_records(
    source: SummarySource,
    read: Callable[[Fields], Iterable[Draft]],
    needed: Needed,
    optional: Iterable[str] = (),
) -> Iterator[Summary | Skip]:
    """Load a layout whose records stand alone; `read` gives the drafts of one record."""
    drafts = ((fields.place, draft) for fields in fields_of(source, needed, optional) for draft in read(fields))
    return finished(source, drafts)
