"""Reading one JSON object, with the repairs that models' replies need.

Repairing libraries were tried and refused: they complete strings that were cut off, let the last of two equal
keys win, and take seconds for 20 kB of braces. This reader repairs spelling only (trailing commas, single and
typographic quotes, bare words, Python literals, comments, line ends and stray quotes in strings, unknown
escapes); it adds nothing that is not there. It keeps its own stack and passes over the text once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from judgeray.core.canonical import JSONValue
from judgeray.parsing.marks import DOUBLE, QUOTES, SINGLE, WIDE_COLON
from judgeray.parsing.values import Pairs, bare_value, unescaped

# A value nested deeper is read but not kept, so that callers may walk `fields` by recursion.
KEPT_DEPTH = 100

_ENDS = {'"': '"', "'": "'"} | dict.fromkeys(DOUBLE, DOUBLE + '"') | dict.fromkeys(SINGLE, SINGLE + "'")
_STOPS = {opener: re.compile(rf"[\\{ends}]") for opener, ends in _ENDS.items()}
_GAP = re.compile(r"(?:\s+|//[^\n]*|#[^\n]*|/\*(?s:.{0,2000}?)\*/)*+")
_KEY = re.compile(
    r'(?:"((?:[^"\\\n]|\\.)*+)"'
    r"|'((?:[^'\\\n]|\\.)*+)'"
    rf'|[{DOUBLE}]((?:[^{DOUBLE}"\\\n]|\\.)*+)[{DOUBLE}"]'
    rf"|[{SINGLE}]((?:[^{SINGLE}'\\\n]|\\.)*+)[{SINGLE}']"
    rf"|([^\W\d][\w-]*+))\s*+[:{WIDE_COLON}]"
)
_BARE = re.compile(rf'(?:(?!//|/\*|\s#)[^,{{}}\[\]":\n{DOUBLE}])++')
# A quote ends a string only where JSON goes on behind it; any other quote is one that nobody escaped.
_GOES_ON = re.compile(
    r"\s*+(?:[}\]#]|//|/\*|\Z"
    rf"|,\s*+(?:[{QUOTES}{{}}\[\]#/\d-]|[\w-]+\s*+:|(?:[Tt]rue|[Ff]alse|null|None)\b|\.\.\.|\Z))"
)
_LISTS = re.compile(r"\[++")


@dataclass(frozen=True, slots=True)
class Found:
    """An object as far as it could be read.

    `end` is the position behind it, or where reading failed, with `depth` brackets open (0: read to its
    end). `cut_key` is the top-level field whose value the end of the text cut off.
    """

    pairs: Pairs
    end: int
    depth: int
    cut_key: str | None = None


def read_object(text: str, start: int) -> Found:
    """Read the object that begins with the brace at `start`, repairing its spelling where needed."""
    return _Reader(text, start).read()


class _UnreadableError(Exception):
    """The text at the reader's position continues no object."""


@dataclass(slots=True)
class _Frame:
    """An open bracket: what closes it, what it holds, and the key whose value is being read."""

    closer: str
    items: list[JSONValue] | dict[str, JSONValue]
    key: str = ""


class _Reader:
    def __init__(self, text: str, start: int) -> None:
        self._text, self._at = text, start
        self._pairs: Pairs = []
        self._frames: list[_Frame] = []

    def read(self) -> Found:
        self._open()
        try:
            while self._frames:
                self._step()
        except _UnreadableError:
            return self._unfinished()
        return Found(self._pairs, self._at, 0)

    def _unfinished(self) -> Found:
        cut_key = self._frames[0].key if self._at >= len(self._text) else ""
        return Found(self._pairs, self._at, len(self._frames), cut_key or None)

    def _open(self) -> None:
        lists = _LISTS.match(self._text, self._at)
        if lists is None:
            self._frames.append(_Frame("}", {}))
            self._at += 1
        else:
            self._frames.extend(_Frame("]", []) for _ in lists[0])
            self._at = lists.end()

    def _step(self) -> None:
        frame = self._frames[-1]
        self._skip_gap()
        if self._text.startswith(frame.closer, self._at):
            self._close()
            return
        if frame.closer == "}":
            frame.key = self._key()
            self._skip_gap()
        opener = self._text[self._at : self._at + 1]
        if opener in ("{", "["):
            self._open()
        else:
            self._keep(self._string(opener) if opener in _ENDS else self._bare())

    def _close(self) -> None:
        self._at += 1
        closed = self._frames.pop()
        if self._frames:
            self._keep(closed.items if len(self._frames) < KEPT_DEPTH else None)

    def _keep(self, value: JSONValue) -> None:
        frame = self._frames[-1]
        self._skip_gap()
        follower = self._text[self._at : self._at + 1]
        if follower not in (",", frame.closer, ""):
            raise _UnreadableError
        if isinstance(frame.items, list):
            frame.items.append(value)
        elif len(self._frames) == 1:
            self._pairs.append((frame.key, value))
        else:
            frame.items[frame.key] = value
        frame.key = ""
        self._at += follower == ","

    def _skip_gap(self) -> None:
        gap = _GAP.match(self._text, self._at)
        self._at = gap.end() if gap else self._at

    def _key(self) -> str:
        match = _KEY.match(self._text, self._at)
        if match is None:
            raise _UnreadableError
        self._at = match.end()
        return unescaped(match[match.lastindex or 0])

    def _string(self, opener: str) -> str:
        start = self._at = self._at + 1
        while stop := _STOPS[opener].search(self._text, self._at):
            self._at = stop.end()
            if stop[0] == "\\":
                self._at += 1
            elif _GOES_ON.match(self._text, self._at):
                return unescaped(self._text[start : stop.start()])
        self._at = len(self._text)
        raise _UnreadableError

    def _bare(self) -> JSONValue:
        match = _BARE.match(self._text, self._at)
        if match is None:
            raise _UnreadableError
        self._at = match.end()
        # At the end of the text a bare word or number may have been cut: "0.9" of "0.95".
        if self._at == len(self._text):
            raise _UnreadableError
        return bare_value(match[0].strip())
