"""HaluEval (Li et al., 2023), summarization: each document with a right and a hallucinated summary.

The labels are by construction and not by annotators: the hallucinated summaries were written to be unfaithful.
"""

from __future__ import annotations

from collections.abc import Iterator

from judgeray.datasets.summaries_draft import Draft
from judgeray.datasets.summaries_records import Fields, from_records
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import Summary

_VARIANTS = (("right", 1), ("hallucinated", 0))
_NEEDED = (("document",), ("right_summary",), ("hallucinated_summary",))


def load_halueval(source: SummarySource) -> Iterator[Summary | Skip]:
    """Yield two summaries a record, `right` (1) before `hallucinated` (0); documents are told apart by text."""
    return from_records(source, _read, _NEEDED)


def _read(fields: Fields) -> Iterator[Draft]:
    document = fields.text("document")
    for variant, label in _VARIANTS:
        yield Draft(document, fields.text(f"{variant}_summary"), label, variant=variant)
