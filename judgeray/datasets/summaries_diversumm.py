"""DiverSumm (Zhang et al., 2024): long-document and multi-document summaries of five origins (`DiverSumm.csv`)."""

from __future__ import annotations

from collections.abc import Iterator

from judgeray.datasets.summaries_draft import Draft
from judgeray.datasets.summaries_records import Fields, from_records
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import Summary

_NEEDED = (("origin",), ("id",), ("doc",), ("summary",), ("label",))


def load_diversumm(source: SummarySource) -> Iterator[Summary | Skip]:
    """Yield the summaries; the subset is `origin`, the variant the summarizer's name."""
    return from_records(source, _read, _NEEDED, ("model_name",))


def _read(fields: Fields) -> Iterator[Draft]:
    yield Draft(
        document=fields.text("doc"),
        summary=fields.text("summary"),
        label=fields.label("label"),
        document_id=fields.name("id"),
        variant=fields.name("model_name") or "",
        subset=fields.name("origin") or "",
    )
