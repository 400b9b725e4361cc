"""A dataset of summaries as the manifest names it."""

from __future__ import annotations

from dataclasses import dataclass

from judgeray.datasets.source import DatasetSource


@dataclass(frozen=True)
class SummarySource(DatasetSource):
    """Where summaries come from; `layout` names a loader (`summaries_registry.SUMMARY_LAYOUTS`).

    `questions` keeps the first so many documents in file order. `subsets` keeps these parts of a benchmark alone.
    `split` is for layouts that hold several (`aggrefact`: val, test; `frank`: validation, test), `columns` (field
    -> column of the file) for tables, `documents` (a file: id -> text) for benchmarks that come without documents.
    """

    documents: str | None = None
    subsets: tuple[str, ...] = ()
