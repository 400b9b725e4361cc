"""Style edits by rule: contractions, everyday words, printers' marks; no fact is touched."""

from __future__ import annotations

import re

_WORDINGS = {
    "additionally": "also",
    "also known as": "also called",
    "although": "though",
    "approximately": "about",
    "consists of": "is made up of",
    "currently": "now",
    "due to": "because of",
    "for example": "for instance",
    "frequently": "often",
    "in order to": "to",
    "including": "among them",
    "initially": "at first",
    "numerous": "many",
    "primarily": "mainly",
    "prior to": "before",
    "subsequently": "later",
    "such as": "like",
    "typically": "usually",
    "utilizes": "uses",
    "whereas": "while",
}
_VERBS = ("do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "would", "could", "should")
_NEGATIONS = {f"{verb} not": f"{verb}n't" for verb in _VERBS} | {"cannot": "can't", "will not": "won't"}
# Only before such a word is the verb never the last of its clause, where it cannot be contracted.
_CONTRACTIONS = {
    f"{pronoun} {verb} {word}": f"{pronoun}'{short} {word}"
    for verb, short, pronouns in (("is", "s", ("he", "she", "it", "that", "there")), ("are", "re", ("they",)))
    for pronoun in pronouns
    for word in ("a", "an", "the", "also", "now", "still")
}
_SWAPS = _WORDINGS | _NEGATIONS | _CONTRACTIONS
_SWAPPED = re.compile(rf"\b(?:{'|'.join(f'[{phrase[0]}{phrase[0].upper()}]{phrase[1:]}' for phrase in _SWAPS)})\b")
_QUOTED = re.compile(r'("[^"]*"|\u201c[^\u201d]*\u201d)')
_TYPOGRAPHY = (
    (re.compile(r'(?<!\w)"([^"\n]+)"(?!\w)'), "\u201c\\1\u201d"),
    (re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])"), "\u2019"),
    (re.compile(r"(?<=\d)-(?=\d)"), "\u2013"),
)


def restyled(text: str) -> str | None:
    """Contract verbs, put everyday words for stiff ones, and set quotation marks and dashes as a printer would.

    What stands in quotation marks keeps its words. None where no rule finds anything.
    """
    parts = _QUOTED.split(text)
    parts[::2] = [_SWAPPED.sub(_swap, part) for part in parts[::2]]
    changed = "".join(parts)
    for pattern, printed in _TYPOGRAPHY:
        changed = pattern.sub(printed, changed)
    return None if changed == text else changed


def _swap(found: re.Match[str]) -> str:
    phrase = found.group()
    swapped = _SWAPS[phrase[0].lower() + phrase[1:]]
    return swapped[0].upper() + swapped[1:] if phrase[0].isupper() else swapped
