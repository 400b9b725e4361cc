"""Splitting a text into sentences: by rules (pySBD), or by a spaCy model, which is an optional extra."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import pysbd

from judgeray.core.errors import bad_value
from judgeray.spacy_models import USUAL_MODEL, readable, spacy_model
from judgeray.summaries import Sentence

if TYPE_CHECKING:
    from spacy.language import Language

PYSBD, SPACY = "pysbd", "spacy:"
KEPT_TEXTS = 8192
"""Texts whose sentences are kept: several judges ask about the same slice of a dataset, one after the other."""

_UNUSED = ("ner", "lemmatizer", "attribute_ruler", "tagger", "textcat")

Starts = Callable[[str], Iterable[int]]
"""Gives the places where sentences begin."""


def split_sentences(text: str, by: str = PYSBD) -> list[Sentence]:
    """Split a text into sentences in order, without outer blanks; no word of it is lost.

    `by` is `pysbd` (English rules), or `spacy:MODEL` with the name of an installed model, as in study 3
    (`spacy:en_core_web_sm`). Raises what `check_splitter` raises.
    """
    return list(_split(text, by))


def check_splitter(by: str) -> None:
    """Load what a splitter needs, so that a missing package is known before anything is asked.

    Raises BadInputError for a splitter that is not known, and where spaCy or its model is missing or the model
    finds no sentences, saying how to install it.
    """
    _starts(by)


@lru_cache(maxsize=KEPT_TEXTS)
def _split(text: str, by: str) -> tuple[Sentence, ...]:
    places = sorted({0, *_starts(by)(text)})
    pieces = [text[start:end].strip() for start, end in pairwise([*places, len(text)])]
    return tuple(Sentence(index, piece) for index, piece in enumerate(filter(None, pieces)))


def _starts(by: str) -> Starts:
    if by == PYSBD:
        return _by_rules
    if by.startswith(SPACY) and by != SPACY:
        pipeline = _pipeline(by.removeprefix(SPACY))
        return lambda text: _by_model(text, pipeline)
    raise bad_value("sentences", "by", by, [PYSBD, f"{SPACY}{USUAL_MODEL}"])


def _by_rules(text: str) -> Iterable[int]:
    return [span.start for span in _segmenter().segment(text)]


@lru_cache(maxsize=1)
def _segmenter() -> pysbd.Segmenter:
    return pysbd.Segmenter(language="en", clean=False, char_span=True)


def _by_model(text: str, pipeline: Language) -> Iterable[int]:
    return [sentence.start_char for sentence in pipeline(readable(text)).sents]


def _pipeline(model: str) -> Language:
    return spacy_model("sentences", model, _UNUSED, ("SENT_START",))
