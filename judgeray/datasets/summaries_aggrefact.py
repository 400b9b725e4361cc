"""AggreFact (Tang et al., 2023): nine annotated collections of CNN/DM and XSum summaries in one table.

Two layouts are read: the unified table (`aggre_fact_final.csv`, `aggre_fact_sota.csv`) with a binary label, and the
tables of error types (`CLIFF_error_types.csv`, `Goyal21_error_types.csv`, ...).
"""

from __future__ import annotations

from collections.abc import Iterator

from judgeray.datasets.summaries_draft import Draft
from judgeray.datasets.summaries_records import Fields, from_records
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import Summary

NO_ERROR = "correct"

_NEEDED = (("dataset",), ("origin",), ("id",), ("doc",), ("summary", "summ"), ("label", "error_type"))


def load_aggrefact(source: SummarySource) -> Iterator[Summary | Skip]:
    """Yield the summaries; the subset is `dataset-origin` (`CLIFF-xsum`), the variant the summarizer's name.

    Where a table has error types and no labels, the label is 1 where the type is `correct` or empty. `source.split`
    keeps one cut, `val` or `test`. Raises BadInputError where the file has another layout.
    """
    return from_records(source, _read, _NEEDED, ("model_name", "cut"))


def _read(fields: Fields) -> Iterator[Draft]:
    yield Draft(
        document=fields.text("doc"),
        summary=fields.text("summary", "summ"),
        label=fields.label("label") if "label" in fields.columns else _without_errors(fields),
        document_id=fields.name("id"),
        variant=fields.name("model_name") or "",
        subset="-".join(filter(None, (fields.name("dataset"), fields.name("origin")))),
        split=fields.name("cut") or "",
    )


def _without_errors(fields: Fields) -> int:
    return int(fields.text("error_type") in (None, NO_ERROR))
