"""The summary: a generated text about a source document, with the label that people gave the whole of it.

Study 3 (*Averaging Bias: Human Faithfulness Annotations are not Locally Faithful*), section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

FRAGMENT_WORDS = 5
"""A sentence of fewer words is a fragment (study 3, appendix C.2)."""

SentenceVerdict = Literal["faithful", "unfaithful", "unclear"]
SENTENCE_VERDICTS: tuple[SentenceVerdict, ...] = get_args(SentenceVerdict)
"""What an annotator says of one sentence; `unclear` also stands for a fragment (study 3, section 5)."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One summary. The unit of statistics is the document, whose summaries share `document_id`.

    `summary_id` is unique in a dataset; `subset` names the part of a benchmark, empty where there are no parts.
    `label` is 1 for faithful, 0 for not, None where the benchmark labels no whole summaries. `own_sentences` are
    the benchmark's own split of the summary and `own_verdicts` what its annotators said of each, None where they
    did not agree; both are empty where the benchmark has none.
    """

    dataset: str
    subset: str
    summary_id: str
    document_id: str
    document: str
    summary: str
    label: int | None
    own_sentences: tuple[str, ...] = ()
    own_verdicts: tuple[SentenceVerdict | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a summary, without outer blanks; `index` counts from 0."""

    index: int
    text: str

    @property
    def words(self) -> int:
        """Count of the blank-separated parts that have a letter or a digit."""
        return sum(any(character.isalnum() for character in part) for part in self.text.split())

    @property
    def fragment(self) -> bool:
        """Whether it has fewer than FRAGMENT_WORDS words."""
        return self.words < FRAGMENT_WORDS


@dataclass(frozen=True, slots=True)
class SplitSummary:
    """A summary and its sentences, in order."""

    summary: Summary
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class SentenceLabel:
    """What an annotator says of the sentence of this index; `text` is the sentence, None where it is not given."""

    summary_id: str
    index: int
    verdict: SentenceVerdict
    text: str | None = None
