"""Any table of summaries: one row of the file is one summary."""

from __future__ import annotations

from collections.abc import Iterator

from judgeray.core.errors import bad_value
from judgeray.datasets.summaries_draft import Draft
from judgeray.datasets.summaries_records import Fields, from_records
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import Summary

NEEDED = ("document", "summary")
OPTIONAL = ("label", "document_id", "summary_id", "subset", "variant")


def load_table(source: SummarySource) -> Iterator[Summary | Skip]:
    """Yield the summaries of CSV, JSON, JSON Lines or Parquet files with the columns of NEEDED and OPTIONAL.

    `source.columns` maps fields to columns; a field that is not named there is looked for under its own name.
    Labels are 0 or 1, true or false, faithful or unfaithful; a table without a label column labels no summaries.
    Without ids, a document's is a digest of its text, and a summary's is made of subset, document and variant.
    Raises BadInputError for a field or column that is not known, and for a cell that does not fit.
    """
    for field in source.columns:
        if field not in NEEDED + OPTIONAL:
            raise bad_value(f"dataset '{source.name}'", "columns", field, NEEDED + OPTIONAL)
    named = {field: source.columns.get(field, field) for field in NEEDED + OPTIONAL}
    needed = [(named[field],) for field in (*NEEDED, *(field for field in source.columns if field in OPTIONAL))]

    def read(fields: Fields) -> Iterator[Draft]:
        yield Draft(
            document=fields.text(named["document"]),
            summary=fields.text(named["summary"]),
            label=fields.label(named["label"]),
            labelled=named["label"] in fields.columns,
            document_id=fields.name(named["document_id"]),
            summary_id=fields.name(named["summary_id"]),
            variant=fields.name(named["variant"]) or "",
            subset=fields.name(named["subset"]) or "",
        )

    return from_records(source, read, needed, named.values())
