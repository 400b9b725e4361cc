"""Loading spaCy models: the one place that knows the optional extra, and says how to install what is missing."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

from judgeray.core.errors import BadInputError

if TYPE_CHECKING:
    from spacy.language import Language

USUAL_MODEL = "en_core_web_sm"
"""The small English model, which both studies that split and parse used."""

_PROBE = "One word follows another. And so on."
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=8)
def spacy_model(field: str, model: str, unused: Collection[str], annotations: Collection[str]) -> Language:
    """Load an installed model by name, without the parts named `unused`.

    Raises BadInputError, beginning with the manifest's `field`, where spaCy or the model is missing, saying how to
    install it, and where the model does not give the `annotations` that are needed.
    """
    try:
        import spacy  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise BadInputError(
            f"{field}: '{model}' needs spaCy: pip install 'judgeray[spacy]' and python -m spacy download "
            f"{USUAL_MODEL}."
        ) from error
    try:
        pipeline = spacy.load(model, exclude=list(unused))
    except OSError as error:
        raise BadInputError(
            f"{field}: found '{model}', which is no installed spaCy model, allowed: the name of one. Install the "
            f"usual one: python -m spacy download {USUAL_MODEL}; or name any installed package."
        ) from error
    read = pipeline(_PROBE)
    lacking = [name for name in annotations if not read.has_annotation(name)]
    if lacking:
        raise BadInputError(
            f"{field}: found '{model}', which gives no {' and '.join(lacking)}, allowed: a model that does."
        )
    return pipeline


def readable(text: str) -> str:
    """Give the text as spaCy can hold it: lone surrogates get stand-ins of their length, so that places stay."""
    return _LONE_SURROGATE.sub("\ufffd", text)
