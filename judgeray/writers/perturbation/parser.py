"""The dependency parser: factual spans of a text, by a spaCy model."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from judgeray.spacy_models import USUAL_MODEL, readable, spacy_model
from judgeray.writers.perturbation.spans import Span, factual_spans

if TYPE_CHECKING:
    from spacy.language import Language

DEFAULT_PARSER = USUAL_MODEL
KEPT_TEXTS = 4096

_UNUSED = ("ner", "lemmatizer", "senter", "textcat")


def check_parser(model: str) -> None:
    """Load the model, so that a missing one is known before anything is asked.

    Raises BadInputError, saying how to install it, where spaCy or the model is missing, or where the model gives no
    dependency parse.
    """
    _pipeline(model)


@lru_cache(maxsize=KEPT_TEXTS)
def spans_of(text: str, model: str) -> tuple[Span, ...]:
    """Parse a text by the spaCy model of this name and give its factual spans; raises what `check_parser` does."""
    found = factual_spans(_pipeline(model)(readable(text)))
    return tuple(Span(start, end, text[start:end]) for start, end, _ in found)


def stop_words(model: str) -> frozenset[str]:
    """Give the stop words of the model's language, in small letters."""
    return frozenset(_pipeline(model).Defaults.stop_words)


def _pipeline(model: str) -> Language:
    return spacy_model("parser", model, _UNUSED, ("DEP", "POS"))
