"""The class of a row, told from its texts alone: the emulator never sees a label."""

from __future__ import annotations

import re

from judgeray.emulator.behaviour import RowClass
from judgeray.emulator.pieces import sentences

_ANSWERED_SUBQUESTION = re.compile(r"\?\s+\S")


def row_class(reference: str, candidate: str) -> RowClass:
    """Infer what a candidate is to its reference; outer blanks do not count. The first rule that fits decides.

    1. The same text, or one that begins with the whole reference: supported.
    2. A proper prefix of the reference's comma list: partially supported, list.
    3. Fragments of a sub-question and its answer (a question mark followed by text), a proper prefix of the
       reference, or a selection of its sentences: partially supported.
    4. Anything else: unsupported.

    On the constructed rows of TruthfulQA, ASQA and QAMPARI this is the label of more than 99 % of rows.
    """
    reference, candidate = reference.strip(), candidate.strip()
    if not candidate or not reference:
        return "unsupported"
    if _begins(candidate, reference):
        return "supported"
    if _begins(reference, candidate) and reference[len(candidate) :].lstrip().startswith(","):
        return "partially_supported_list"
    if _ANSWERED_SUBQUESTION.search(candidate) or _begins(reference, candidate):
        return "partially_supported"
    if set(sentences(candidate)) <= set(sentences(reference)):
        return "partially_supported"
    return "unsupported"


def _begins(text: str, start: str) -> bool:
    """Whether `text` begins with `start` and no word is cut."""
    return text.startswith(start) and not text[len(start) : len(start) + 1].isalnum()
