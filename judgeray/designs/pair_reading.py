"""From a reply about a pair to a judgment: what the text says of A and B, told as first and second."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from judgeray.core.reply import Reply
from judgeray.core.status import Status
from judgeray.designs.reading import number_within
from judgeray.pairs import Pair
from judgeray.parsing import Branch, Reading, read_label

Position = Literal["A", "B", "tie"]
Winner = Literal["first", "second", "tie"]

_POSITIONS: dict[str, Position] = {"A": "A", "B": "B", "tie": "tie"}
_CAPITAL = re.compile(r"(?i:winner)[\W_]{1,20}(?:(?i:is)[\W_]{1,20})?([AB])(?![^\W_])")


@dataclass(frozen=True, slots=True)
class PairJudgment:
    """What a pairwise design makes of a reply. `winner` and `position` are None unless `status` is ok.

    `position` is what the reply says, `winner` the candidate that stood there. `score_first` and `score_second`
    are 1 to 5, each None where the reply gives no such number.
    """

    status: Status
    winner: Winner | None = None
    position: Position | None = None
    score_first: float | None = None
    score_second: float | None = None
    confidence: float | None = None
    parse_branch: Branch | None = None


def pair_judgment(pair: Pair, reply: Reply) -> PairJudgment:
    """Read a reply about `pair`, by the rules of pointwise replies.

    A refusal is never read. A truncated reply that still states its winner is read; one that does not is
    `truncated`.
    """
    if reply.outcome == "refused":
        return PairJudgment("refused")
    text = reply.text or ""
    reading = read_label(text, key="winner", labels=tuple(_POSITIONS))
    if reading.label is None or _is_article(text, reading):
        return PairJudgment("truncated" if reply.outcome == "truncated" else "unparsed")
    position = _POSITIONS[reading.label]
    scores = [number_within(reading.fields.get(name), 1, 5) for name in ("score_a", "score_b")]
    score_first, score_second = reversed(scores) if pair.reversed else scores
    return PairJudgment(
        "ok",
        _winner(position, pair),
        position,
        score_first,
        score_second,
        number_within(reading.fields.get("confidence"), 0, 1),
        reading.branch,
    )


def _winner(position: Position, pair: Pair) -> Winner:
    if position == "tie":
        return "tie"
    return "second" if (position == "A") == pair.reversed else "first"


def _is_article(text: str, reading: Reading) -> bool:
    """Whether a label outside any object may be the word "a": there, only the capital names an answer."""
    return reading.branch == "regex" and reading.label == "A" and "A" not in _CAPITAL.findall(text)
