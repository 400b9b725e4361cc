"""The class of a row, told from its texts alone: the emulator never sees a label."""

from __future__ import annotations

import re

from judgeray.emulator.behaviour import RowClass
from judgeray.emulator.metric_words import missing_share
from judgeray.emulator.pieces import list_items, sentences
from judgeray.emulator.plain import plain

LONG_WORDS = 25
_HARDLY_ANY, _FEW = 0.06, 0.35

ANSWERED_SUBQUESTION = re.compile(r"\?\s+\S")


def row_class(reference: str, candidate: str) -> RowClass:
    """Infer what a candidate is to its reference. The first rule that fits decides.

    1. The same text, or one that begins with the whole reference: supported.
    2. A proper prefix of the reference's comma list, or a text that begins with its first item: partially
       supported, list.
    3. Fragments of a sub-question and its answer (a question mark followed by text), a proper prefix of the
       reference, or a selection of its sentences: partially supported.
    4. Of two texts of LONG_WORDS words and more, one that lacks hardly any word of weight and adds hardly any is a
       paraphrase: supported; one that adds few: partially supported.
    5. Anything else: unsupported.

    Case, bullets and the number of blanks do not count. On the constructed rows of TruthfulQA, ASQA and QAMPARI
    this is the label of more than 99 % of rows, also where a fixed text is appended to the candidate.
    """
    texts = reference, candidate
    reference, candidate = plain(reference), plain(candidate)
    if not candidate or not reference:
        return "unsupported"
    if _begins(candidate, reference):
        return "supported"
    if _is_list_part(reference, candidate):
        return "partially_supported_list"
    if ANSWERED_SUBQUESTION.search(candidate) or _begins(reference, candidate):
        return "partially_supported"
    if set(sentences(candidate)) <= set(sentences(reference)):
        return "partially_supported"
    return _long_class(*texts)


def _long_class(reference: str, candidate: str) -> RowClass:
    """Compare long texts by their words of weight."""
    if min(len(text.split()) for text in (reference, candidate)) < LONG_WORDS:
        return "unsupported"
    added = missing_share(candidate, reference)
    if added <= _HARDLY_ANY and missing_share(reference, candidate) <= _FEW:
        return "supported"
    return "partially_supported" if added <= _FEW else "unsupported"


def _begins(text: str, start: str) -> bool:
    """Whether `text` begins with `start` and no word is cut."""
    return text.startswith(start) and not text[len(start) : len(start) + 1].isalnum()


def _is_list_part(reference: str, candidate: str) -> bool:
    if _begins(reference, candidate) and reference[len(candidate) :].lstrip().startswith(","):
        return True
    items = list_items(reference)
    return bool(items) and _begins(candidate, items[0])
