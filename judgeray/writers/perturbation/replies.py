"""Taking a text from a writer's reply, and asking again where there is none."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from judgeray.core.call import Call
from judgeray.core.procedure import Procedure, ask
from judgeray.core.reply import Reply
from judgeray.writers.perturbation.odd import LostError, OddReplyError

T = TypeVar("T")

FRESH_DRAWS = 3
"""How often a step is asked again after a first odd reply; the replicates of its calls are 0 to 3."""

_OUTPUT = re.compile(r"<output>(?:(?!<output>).)*?</output>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?output>", re.IGNORECASE)


def drawn(step: str, call: Callable[[int], Call], read: Callable[[Reply], T]) -> Procedure[T]:
    """Ask `call(0)`, and while `read` raises OddReplyError the fresh draws `call(1)` to `call(FRESH_DRAWS)`.

    Raises LostError, with the last draw's reason, where none can be read.
    """
    reason = ""
    for draw in range(FRESH_DRAWS + 1):
        reply = yield from ask(call(draw))
        try:
            return read(reply)
        except OddReplyError as odd:
            reason = str(odd)
    raise LostError(step, reason)


def text_of(reply: Reply) -> str:
    """Take a reply's text without outer blanks; raises OddReplyError for a refusal and for a blank text."""
    if reply.outcome == "refused":
        raise OddReplyError("the writer refused")
    text = (reply.text or "").strip()
    if not text:
        raise OddReplyError("cut before any text" if reply.outcome == "truncated" else "no text")
    return text


def output_of(reply: Reply) -> str:
    """Take what stands in the last `<output>` of a reply, without outer blanks; what comes before is thinking.

    Raises OddReplyError for a refusal, for no or a blank output, and where a tag after the thinking has no partner.
    """
    text = text_of(reply)
    outputs = list(_OUTPUT.finditer(text))
    if not outputs or _TAG.search(text, outputs[-1].end()):
        raise OddReplyError("cut before the end of <output>" if reply.outcome == "truncated" else "no <output>")
    output = _TAG.sub("", outputs[-1].group()).strip()
    if not output:
        raise OddReplyError("a blank <output>")
    return output
