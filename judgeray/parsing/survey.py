"""A walk over a text: which objects stand in it, which broken ones, and what prose is around them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from judgeray.parsing.marks import QUOTES
from judgeray.parsing.objects import Found, read_object
from judgeray.parsing.values import Pairs

# A reply holds a handful of objects. With this bound on the positions where one may begin, and each reading
# going on where the last one ended, the work is linear in the length of the text.
MAX_CANDIDATES = 10_000

_THOUGHT = r"(?:think|thinking|thoughts?|reasoning)"
_CLOSING = re.compile(rf"[<\[]/{_THOUGHT}[>\]]", re.IGNORECASE)
_POINT = re.compile(rf"(?P<tag>[<\[]/?{_THOUGHT}[>\]])|\{{(?=\s*+(?:[{QUOTES}]|[^\W\d]|//|/\*|#))", re.IGNORECASE)
# What shows that an object belongs to something larger: `"claims": [{`, `claims: [{`, `}, {`, a quoted `"{`.
_NESTED_BEFORE = re.compile(
    rf"(?:[{QUOTES}]\s*:\s*\[?\s*"
    r"|(?:\A|[\n,{])[\s*-]*(?!(?:answer|output|response|result)\b)\w+\s*:[ \t]*\[\s*"
    rf"|\}}\s*,\s*|\S\s*[{QUOTES}])\Z",
    re.IGNORECASE,
)
_NESTED_BEHIND = re.compile(r"\s*,\s*\{")
_LOOK_BACK = 80


@dataclass(slots=True)
class Survey:
    """`objects` that are readable and stand alone, broken or cut-off `fragments`, and the `prose` between.

    `depth` is the number of brackets left open, at most, by what broke off.
    """

    objects: list[Pairs] = field(default_factory=list)
    fragments: list[Found] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    depth: int = 0

    def add_prose(self, text: str) -> None:
        """Keep prose, unless a fragment broke off inside a nested value: what follows may be nested too."""
        if self.depth <= 1:
            self.prose.append(text)

    def add(self, found: Found, *, nested: bool) -> None:
        """Keep an object, or what could be read of it, unless it is part of something larger."""
        if found.depth:
            self.depth = max(self.depth, found.depth + nested)
        if nested:
            return
        if found.depth:
            self.fragments.append(found)
        else:
            self.objects.append(found.pairs)


def survey(text: str) -> Survey:
    """Divide `text`; what comes before the end of a thinking block was thought and not said.

    Empty where a thinking block stays open, or where nobody can tell whether one ends.
    """
    seen, at = Survey(), 0
    for _ in range(MAX_CANDIDATES):
        point = _POINT.search(text, at)
        if point is None:
            seen.add_prose(text[at:])
            return seen
        if point["tag"]:
            closing = _CLOSING.search(text, point.start())
            if closing is None:
                return Survey()
            seen, at = Survey(), closing.end()
            continue
        found = read_object(text, point.start())
        tag = _CLOSING.search(text, point.start(), found.end) if found.depth else None
        if tag and found.pairs:
            return Survey()
        seen.add_prose(text[at : point.start()])
        at = tag.start() if tag else found.end
        seen.add(found, nested=_is_nested(text, point.start(), found.end))
    return Survey()


def _is_nested(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - _LOOK_BACK) : start]
    return bool(_NESTED_BEFORE.search(before) or _NESTED_BEHIND.match(text, end))
