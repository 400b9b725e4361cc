"""What came back for a call: a reply (kept for ever) or a failure (asked again by the next run)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal

Outcome = Literal["complete", "truncated", "refused", "empty"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the provider reported them; None means not reported, never zero.

    `input_tokens` includes cached input, `output_tokens` includes reasoning.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    total_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply, verbatim, with what is needed to derive everything else from it.

    `text` is None where the provider sent no text. `raw` is the response body as received.
    `attempts` counts requests sent for this call, lost ones included. `received_at` is ISO 8601 in UTC.
    """

    key: str
    provider: str
    model: str
    outcome: Outcome
    text: str | None
    usage: Usage
    finish_reason: str | None = None
    served_model: str | None = None
    response_id: str | None = None
    request_id: str | None = None
    mode: str = "realtime"
    attempts: int = 1
    latency_seconds: float | None = None
    received_at: str = ""
    simulated: bool = False
    raw: str = ""

    def to_json(self) -> str:
        """One ASCII line; lone surrogates and NUL survive as escapes."""
        return json.dumps(asdict(self), ensure_ascii=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str | bytes) -> Reply:
        """Read what `to_json` wrote."""
        record = json.loads(text)
        return cls(**{**record, "usage": Usage(**record["usage"])})


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that ended without a reply: the provider's own words, and how many requests were sent.

    `code` names the cause of a refusal that the row itself does not explain (ProviderError.code), else "".
    """

    key: str
    provider: str
    error: str
    attempts: int
    fatal: bool = False
    code: str = ""


Answer = Reply | Failure
