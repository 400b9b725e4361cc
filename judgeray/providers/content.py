"""What the three APIs' bodies have in common once read."""

from __future__ import annotations

from dataclasses import dataclass

from judgeray.core.reply import Outcome, TokenLogprob, Usage


@dataclass(frozen=True, slots=True)
class Content:
    """The parts of a response body that a reply keeps apart from the raw text."""

    outcome: Outcome
    text: str | None
    usage: Usage
    finish_reason: str | None
    served_model: str | None
    response_id: str | None
    token_logprobs: tuple[TokenLogprob, ...] | None = None
