"""All layouts of summaries by name, and the one door through which summaries are loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.files import data_files, reading_errors, unreadable
from judgeray.datasets.summaries_aggrefact import load_aggrefact
from judgeray.datasets.summaries_diversumm import load_diversumm
from judgeray.datasets.summaries_frank import load_frank
from judgeray.datasets.summaries_halueval import load_halueval
from judgeray.datasets.summaries_llm_aggrefact import load_llm_aggrefact
from judgeray.datasets.summaries_qags import load_qags
from judgeray.datasets.summaries_table import load_table
from judgeray.datasets.summaries_tofueval import load_tofueval
from judgeray.datasets.summary_source import SummarySource
from judgeray.datasets.tally import Tally
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
    return _loaded(source)


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


def _loaded(source: SummarySource) -> Iterator[Summary | Skip]:
    try:
        with Tally() as ids:
            for item in _first_documents(SUMMARY_LAYOUTS[source.layout](source), source.questions):
                if isinstance(item, Summary) and ids.count(item.summary_id) > 1:
                    raise BadInputError(
                        f"dataset '{source.name}', {source.path}: summary id '{item.summary_id}' comes twice"
                    )
                yield item
    except reading_errors() as error:
        raise unreadable(source.name, source.path, error) from error


def _first_documents(items: Iterator[Summary | Skip], limit: int | None) -> Iterator[Summary | Skip]:
    if limit is None:
        yield from items
        return
    accepted: set[str] = set()
    for item in items:
        # Summaries of one document need not stand together, so that reading goes on to the end.
        document_id = item.document_id if isinstance(item, Summary) else item.question_id
        if len(accepted) >= limit and document_id not in accepted:
            continue
        if isinstance(item, Summary):
            accepted.add(document_id)
        yield item
