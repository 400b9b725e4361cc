"""What annotators said of single sentences: from a file, or from a benchmark's own votes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.summaries_records import Fields, fields_of
from judgeray.datasets.summary_source import SummarySource
from judgeray.summaries import SENTENCE_VERDICTS, SentenceLabel, SentenceVerdict, SplitSummary, Summary

_NEEDED = (("summary_id",), ("sentence_index",), ("label",))
_SPELLINGS: dict[str, SentenceVerdict] = {verdict: verdict for verdict in SENTENCE_VERDICTS} | {
    "unclear/fragment": "unclear",
    "fragment": "unclear",
}

Labels = Mapping[tuple[str, int], SentenceLabel]
"""Labels by summary id and sentence index."""


def read_annotations(path: str, name: str = "annotations") -> dict[tuple[str, int], SentenceLabel]:
    """Read a table of sentence labels: `summary_id`, `sentence_index` (from 0), `label`, and perhaps `sentence`.

    Labels are Faithful, Unfaithful and Unclear (also Fragment, or Unclear/fragment), in any case; a row without a
    label is passed over, so that a sheet may be filled in part. `name` stands in messages. Raises BadInputError for
    any other label, and for a sentence that comes twice.
    """
    found: dict[tuple[str, int], SentenceLabel] = {}
    for fields in fields_of(SummarySource(name, "annotations", path), _NEEDED, ("sentence",)):
        label = _label(fields)
        if label is None:
            continue
        if (label.summary_id, label.index) in found:
            raise BadInputError(
                f"{fields.where}: {fields.place}: sentence {label.index} of '{label.summary_id}' comes twice"
            )
        found[label.summary_id, label.index] = label
    return found


def own_annotations(summaries: Iterable[Summary]) -> dict[tuple[str, int], SentenceLabel]:
    """Give the verdicts that benchmarks bring with them; they are about the benchmark's own sentences."""
    return {
        (summary.summary_id, index): SentenceLabel(summary.summary_id, index, verdict, text)
        for summary in summaries
        for index, (text, verdict) in enumerate(zip(summary.own_sentences, summary.own_verdicts, strict=True))
        if verdict is not None
    }


def verdicts_of(split: SplitSummary, labels: Labels) -> list[SentenceVerdict | None]:
    """Give what was said of each sentence of a summary, None where nothing was.

    Raises BadInputError where a label is about other text than the sentence of its index, or about none: the
    sentences that were labelled are then not those that are judged.
    """
    return [_verdict(split, index, labels) for index in range(len(split.sentences))]


def check_annotations(splits: Iterable[SplitSummary], labels: Labels) -> None:
    """Raise BadInputError for a label that is about no sentence of these summaries."""
    lengths = {split.summary.summary_id: len(split.sentences) for split in splits}
    for summary_id, index in labels:
        if index >= lengths.get(summary_id, 0):
            raise BadInputError(
                f"annotations: sentence {index} of summary '{summary_id}' was labelled, but there is no such "
                "sentence; label the sentences that are judged."
            )


def _label(fields: Fields) -> SentenceLabel | None:
    written = fields.text("label")
    if written is None:
        return None
    verdict = _SPELLINGS.get(written.strip().lower().replace(" ", ""))
    if verdict is None:
        raise bad_value(f"{fields.where}: {fields.place}", "label", written, SENTENCE_VERDICTS)
    summary_id, index = fields.name("summary_id"), fields.name("sentence_index")
    if summary_id is None:
        raise fields.misfit("summary_id", "the id of a summary")
    if index is None or not index.isdecimal():
        raise fields.misfit("sentence_index", "a whole number from 0")
    return SentenceLabel(summary_id, int(index), verdict, fields.text("sentence"))


def _verdict(split: SplitSummary, index: int, labels: Labels) -> SentenceVerdict | None:
    summary_id = split.summary.summary_id
    label = labels.get((summary_id, index))
    if label is None:
        return None
    judged = split.sentences[index].text
    if label.text is not None and label.text.split() != judged.split():
        raise BadInputError(
            f"annotations: sentence {index} of summary '{summary_id}': found '{label.text[:80]}', but the sentence "
            f"that is judged is '{judged[:80]}'; split the summaries as the annotators saw them."
        )
    return label.verdict


def labelled_sentences(summaries: Iterable[Summary]) -> Iterator[Summary]:
    """Give each labelled sentence as a summary of its own, with the label of the sentence (study 3, appendix D.2).

    Unclear sentences and those without a verdict are left out; ids are those of the summary with the sentence's
    index behind a `#`.
    """
    for summary in summaries:
        for index, (text, verdict) in enumerate(zip(summary.own_sentences, summary.own_verdicts, strict=True)):
            if verdict in ("faithful", "unfaithful"):
                yield Summary(
                    dataset=summary.dataset,
                    subset=summary.subset,
                    summary_id=f"{summary.summary_id}#{index}",
                    document_id=summary.document_id,
                    document=summary.document,
                    summary=text,
                    label=int(verdict == "faithful"),
                )
