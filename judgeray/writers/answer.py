"""The answer writer: a model answers a question, and its answer, whole or cut, is a candidate to judge.

Study 1 (arXiv 2603.28005), section 6.2 and appendix C, "Construction".
"""

from __future__ import annotations

from dataclasses import dataclass

from judgeray.core.reply import Reply
from judgeray.writers.writer import Writer

_STOP = ". "
_KEPT_PART = 3


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated answer, or, where `text` is None, the `reason` why there is none; one of the two is None."""

    text: str | None
    reason: str | None = None


def generated_candidate(reply: Reply) -> Generated:
    """Take the answer from a writer's reply, without outer blanks.

    A refusal gives none, whatever its text, and neither does a blank text. A reply that was cut at the cap is
    the answer as far as it goes: the paper's answers were capped at 256 tokens.
    """
    if reply.outcome == "refused":
        return Generated(None, "the writer refused")
    text = (reply.text or "").strip()
    if text:
        return Generated(text)
    return Generated(None, "cut before any text" if reply.outcome == "truncated" else "no text")


def nominal_partial(text: str) -> str:
    """Cut an answer to its nominal part: of n segments between `. ` the first n // 3, at least one.

    Segments are joined as they were parted, and a period is appended, also behind one that is there already.
    The cut knows no sentences: an answer of one segment stays whole.
    """
    segments = text.split(_STOP)
    return _STOP.join(segments[: max(1, len(segments) // _KEPT_PART)]) + "."


def is_whole(text: str, partial: str) -> bool:
    """Whether a nominal part is nothing but the whole answer and a period (25 of the paper's 100)."""
    return partial == f"{text}."


ANSWER = Writer(
    name="answer",
    version="v1",
    source=(
        "ours: arXiv 2603.28005, section 6.2 and appendix C, describe generated answers without printing the "
        "prompt that asked for them"
    ),
    system=(
        "You answer questions from what you know. Give the answer alone, as one paragraph of plain sentences: no "
        "headings, no lists, no remarks about the question or about yourself. Where a question can be read in "
        "more than one way, answer each reading."
    ),
    template="Question: {question}\nAnswer:",
    output_tokens=120,
)
