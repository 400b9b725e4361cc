"""What annotators said of single sentences, where a benchmark brings it with it."""

from __future__ import annotations

from collections.abc import Iterator

from judgeray.summaries import SentenceLabel, Summary


def own_annotations(summary: Summary) -> Iterator[SentenceLabel]:
    """Yield what a benchmark's annotators said of its own sentences; nothing where they did not agree."""
    for index, (text, verdict) in enumerate(zip(summary.own_sentences, summary.own_verdicts, strict=True)):
        if verdict is not None:
            yield SentenceLabel(summary.summary_id, index, verdict, text)
