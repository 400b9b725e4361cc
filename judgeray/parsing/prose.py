"""Statements in prose: a key, then a colon, an equals sign or "is", then a value and nothing more.

The value must end there: `supported by the source`, `supported, but only partly` and `supported / unsupported`
state no label. So must the sentence be a plain one: no condition, no negation, no quotation, no single claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from judgeray.parsing.marks import DOUBLE, QUOTES, WIDE_COLON
from judgeray.parsing.vocabulary import Vocabulary

# All repetitions are bounded or disjoint, so that a search is linear in the length of the text.
_BEHIND_KEY = rf"[\s{QUOTES}`*_\])]{{0,6}}"
_SEPARATOR = rf"(?:[:={WIDE_COLON}]|\bis\b[ \t]{{0,4}}:?|->|=>|→)"
_OPENING = rf"[\s{QUOTES}`*_\[(<]{{0,12}}"
_CLOSING = rf"[{QUOTES}`*_\])>]{{0,6}}+"
_DASHES = r"\u2013\u2014-"
_END = rf"(?=[ \t]{{0,4}}(?:\Z|[\r\n]|[.;!](?!\w)|,(?!\d)|[)}}\]]|[{_DASHES}](?=\s)|</?[a-z]|//|#))"
_TURNS = "but|though|although|however|not|or|and|if|unless|only|except|yet"
_CONTRAST = rf"[ \t]{{0,4}}[,;{_DASHES}]{{1,4}}\s{{0,4}}(?:{_TURNS})\b"
_LIST_JOINT = rf"[ \t,/|;{QUOTES}`*]{{0,12}}(?:(?:or|and)[ \t]{{1,4}})?[{QUOTES}`*]{{0,4}}"
_NUMBER = r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?"
_DOUBTFUL = re.compile(r"\b(?:if|whether|unless|not|never|no|claims?)\b[^.:;,!?]*\Z", re.IGNORECASE)
_LOOK_BACK = 200


def stated_labels(prose: Iterable[str], words: Vocabulary) -> list[str]:
    """Labels stated in each piece of `prose`, in order."""
    found = (words.label(value) for value in _values(prose, words.key_pattern, words.label_pattern))
    return [label for label in found if label is not None]


def stated_numbers(prose: Iterable[str], key: str) -> set[float]:
    """Numbers stated for `key`; a number with a scale or a unit (`4/5`, `90%`) is none."""
    return {float(value) for value in _values(prose, re.escape(key), _NUMBER)}


def _values(prose: Iterable[str], key: str, value: str) -> Iterator[str]:
    pattern = _statement(key, value)
    for piece in prose:
        for match, is_quoted in _with_quotation(pattern, piece):
            if not is_quoted and _is_plain(match, piece):
                yield match["value"]


@lru_cache(maxsize=64)
def _statement(key: str, value: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w\\-]){key}(?P<behind>{_BEHIND_KEY}){_SEPARATOR}(?P<opening>{_OPENING})"
        rf"(?P<value>{value})(?P<closing>{_CLOSING}){_END}(?!{_CONTRAST})(?!{_LIST_JOINT}{value}(?!\w))",
        re.IGNORECASE,
    )


def _with_quotation(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Each match, and whether it stands inside a quotation: behind an odd number of quotes on its line."""
    last = quotes = 0
    for match in pattern.finditer(text):
        line_start = text.rfind("\n", last, match.start()) + 1
        quotes = (0 if line_start else quotes) + _quotes(text[max(line_start, last) : match.start()])
        last = match.start()
        has_quoted_key = _quotes(match["behind"]) > 0
        yield match, (quotes - has_quoted_key) % 2 == 1


def _quotes(text: str) -> int:
    return sum(text.count(quote) for quote in '"' + DOUBLE)


def _is_plain(match: re.Match[str], text: str) -> bool:
    opened, closed = (any(quote in match[part] for quote in QUOTES) for part in ("opening", "closing"))
    line = text[max(0, match.start() - _LOOK_BACK) : match.start()].rpartition("\n")[2]
    return opened == closed and not _DOUBTFUL.search(line)
