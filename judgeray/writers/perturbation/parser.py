"""The dependency parser: the one place that knows spaCy, which is an optional extra."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from judgeray.core.errors import BadInputError
from judgeray.writers.perturbation.spans import Span, factual_spans

if TYPE_CHECKING:
    from spacy.language import Language

DEFAULT_PARSER = "en_core_web_sm"
KEPT_TEXTS = 4096

_UNUSED = ["ner", "lemmatizer", "senter", "textcat"]
_PROBE = "One word follows another."
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def check_parser(model: str) -> None:
    """Load the model, so that a missing one is known before anything is asked.

    Raises BadInputError, saying how to install it, where spaCy or the model is missing, or where the model gives no
    dependency parse.
    """
    _pipeline(model)


@lru_cache(maxsize=KEPT_TEXTS)
def spans_of(text: str, model: str) -> tuple[Span, ...]:
    """Parse a text by the spaCy model of this name and give its factual spans; raises what `check_parser` does."""
    # spaCy cannot hold lone surrogates; their stand-in is as long, so that places stay.
    found = factual_spans(_pipeline(model)(_LONE_SURROGATE.sub("\ufffd", text)))
    return tuple(Span(start, end, text[start:end]) for start, end, _ in found)


def stop_words(model: str) -> frozenset[str]:
    """Give the stop words of the model's language, in small letters."""
    return frozenset(_pipeline(model).Defaults.stop_words)


@lru_cache(maxsize=4)
def _pipeline(model: str) -> Language:
    try:
        import spacy  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise BadInputError(
            f"parser: '{model}' needs spaCy: pip install 'judgeray[spacy]' and python -m spacy download "
            f"{DEFAULT_PARSER}."
        ) from error
    try:
        pipeline = spacy.load(model, exclude=_UNUSED)
    except OSError as error:
        raise BadInputError(
            f"parser: found '{model}', which is no installed spaCy model, allowed: the name of one. Install the "
            f"usual one: python -m spacy download {DEFAULT_PARSER}; or name any installed package."
        ) from error
    parsed = pipeline(_PROBE)
    if not (parsed.has_annotation("DEP") and parsed.has_annotation("POS")):
        raise BadInputError(f"parser: found '{model}', which parses no dependencies, allowed: a model that does.")
    return pipeline
