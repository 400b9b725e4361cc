"""All layouts of summaries by name, and the one door through which summaries are loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.files import data_files
from judgeray.datasets.loaded import first_units, loaded
from judgeray.datasets.summaries_aggrefact import load_aggrefact
from judgeray.datasets.summaries_diversumm import load_diversumm
from judgeray.datasets.summaries_frank import load_frank
from judgeray.datasets.summaries_halueval import load_halueval
from judgeray.datasets.summaries_llm_aggrefact import load_llm_aggrefact
from judgeray.datasets.summaries_qags import load_qags
from judgeray.datasets.summaries_table import load_table
from judgeray.datasets.summaries_tofueval import load_tofueval
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import Summary

SUMMARY_LAYOUTS: dict[str, Callable[[SummarySource], Iterator[Summary | Skip]]] = {
    "aggrefact": load_aggrefact,
    "llm_aggrefact": load_llm_aggrefact,
    "diversumm": load_diversumm,
    "halueval": load_halueval,
    "qags": load_qags,
    "frank": load_frank,
    "tofueval": load_tofueval,
    "table": load_table,
}

WITH_SPLITS, WITH_COLUMNS, WITH_DOCUMENTS = ("aggrefact", "frank"), ("table",), ("tofueval",)


def load_summaries(source: SummarySource) -> Iterator[Summary | Skip]:
    """Load the summaries of one dataset in file order, and a Skip for each one left out.

    `source.questions` keeps the summaries of the first so many documents; a file with fewer gives what it has.
    Raises BadInputError at once for a wrong source, and while reading for a file that cannot be read, a field that
    does not fit, or a summary id that comes twice.
    """
    _check(source)
    data_files(source)

    def first() -> Iterator[Summary | Skip]:
        return first_units(SUMMARY_LAYOUTS[source.layout](source), source.questions, lambda item: item.document_id)

    return loaded(source, first, "summary", lambda item: item.summary_id)


def _check(source: SummarySource) -> None:
    where = f"dataset '{source.name}'"
    if source.layout not in SUMMARY_LAYOUTS:
        raise bad_value(where, "layout", source.layout, SUMMARY_LAYOUTS)
    if source.questions is not None and source.questions < 1:
        raise BadInputError(f"{where}: questions: found {source.questions}, allowed: 1 or more")
    for field, given, layouts in (
        ("split", source.split, WITH_SPLITS),
        ("columns", source.columns, WITH_COLUMNS),
        ("documents", source.documents, WITH_DOCUMENTS),
    ):
        if given and source.layout not in layouts:
            raise BadInputError(f"{where}: {field}: layout '{source.layout}' has none, only {', '.join(layouts)}")
