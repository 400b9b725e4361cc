"""LLM-AggreFact (Tang et al., 2024): eleven collections of claims with the documents they are checked against.

Its subsets `AggreFact-CNN` and all others are the AggreFact-CNN and AggreFact-Other of study 3, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator

from judgeray.datasets.summaries_draft import Draft
from judgeray.datasets.summaries_records import Fields, from_records
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import Summary

_NEEDED = (("dataset",), ("doc",), ("claim",), ("label",))


def load_llm_aggrefact(source: SummarySource) -> Iterator[Summary | Skip]:
    """Yield each claim as a summary; the subset is `dataset`, documents are told apart by their text."""
    return from_records(source, _read, _NEEDED)


def _read(fields: Fields) -> Iterator[Draft]:
    yield Draft(
        document=fields.text("doc"),
        summary=fields.text("claim"),
        label=fields.label("label"),
        subset=fields.name("dataset") or "",
    )
