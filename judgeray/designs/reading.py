"""From a reply to a judgment: status first, then what the text says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judgeray.core.reply import Reply
from judgeray.core.status import Status
from judgeray.parsing import Branch, read_label
from judgeray.rows import LABELS


@dataclass(frozen=True, slots=True)
class Judgment:
    """What a design makes of a reply. `verdict` is None unless `status` is ok."""

    status: Status
    verdict: str | None = None
    score: float | None = None
    confidence: float | None = None
    parse_branch: Branch | None = None


def judgment(reply: Reply, labels: Sequence[str] = LABELS) -> Judgment:
    """Read a support-label reply (study 1, appendix H, "Parsing").

    A refusal is never read. A truncated reply that still states its verdict is read; one that does not is
    `truncated`. Scores outside 1 to 5 and confidences outside 0 to 1 are unknown, not clipped.
    """
    if reply.outcome == "refused":
        return Judgment("refused")
    reading = read_label(reply.text or "", labels=labels)
    if reading.label is None:
        return Judgment("truncated" if reply.outcome == "truncated" else "unparsed")
    return Judgment(
        "ok",
        reading.label,
        number_within(reading.fields.get("score"), 1, 5),
        number_within(reading.fields.get("confidence"), 0, 1),
        reading.branch,
    )


def number_within(value: object, low: float, high: float) -> float | None:
    """Give a number that a judge stated, if it is one from `low` to `high`; booleans and numerals are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if low <= value <= high else None
