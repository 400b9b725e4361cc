"""Whether a document has the words of a sentence: by stems, with names and numbers weighing most."""

from __future__ import annotations

import re
from functools import lru_cache

from judgeray.emulator.metric_words import content_words

MISSING_ALLOWED = 0.4
"""Share of a sentence's content words that may be said in other words."""

_WORD = re.compile(r"\w+")
_STEM = 4
_KEPT_DOCUMENTS = 64


def supported(document: str, sentence: str) -> bool:
    """Whether the document has all names and numbers of the sentence, and at least 60% of its content words."""
    words, present = content_words(sentence), _stems(document)
    missing = [word for word in words if word.stem not in present]
    return not any(word.decisive for word in missing) and len(missing) <= MISSING_ALLOWED * len(words)


@lru_cache(maxsize=_KEPT_DOCUMENTS)
def _stems(document: str) -> frozenset[str]:
    return frozenset(word.casefold()[:_STEM] for word in _WORD.findall(document))
