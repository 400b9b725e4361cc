"""What a manifest says of an averaging study."""

from __future__ import annotations

from pydantic import Field

from judgeray.studies.spec import Name, Names, Positive, Strict


class ClaimsSpec(Strict):
    """The same question one level down: sentences with human labels, taken apart into claims.

    The labels are those that `annotations` names, the benchmark's own if it names none.
    """

    writer: Name = Field(description="A judge that takes sentences apart, without the source.")
    judges: Names | None = Field(default=None, description="Who judges claims; the study's judges if absent.")


class AveragingSpec(Strict):
    """Who judges the sentences, and what the judges are measured against."""

    judges: Names | None = Field(default=None, description="All judges of the manifest, if absent.")
    sentences: str = Field(
        default="pysbd", description="Splitter: pysbd, spacy:MODEL, or own for the benchmark's own sentences."
    )
    replicates: Positive = 1
    annotations: str | None = Field(
        default=None,
        description="Sentence annotations: a file with summary_id, sentence_index, annotation; or own, for those "
        "that a benchmark brings with it.",
    )
    reviews: str | None = Field(default=None, description="A copy of the run's review/review.csv, filled in.")
    claims: ClaimsSpec | None = None
