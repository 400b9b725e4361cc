"""What came back for a call: a reply (kept for ever) or a failure (asked again by the next run)."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

Outcome = Literal["complete", "truncated", "refused", "empty"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the provider reported them; None means not reported, never zero.

    `input_tokens` includes cached input, `output_tokens` includes reasoning. `cache_write_tokens` are input that
    was stored for later calls, where a provider bills that apart.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    total_tokens: int | None = None
    cache_write_tokens: int | None = None


class TokenLogprob(NamedTuple):
    """One token of a reply with its log-probability (natural), and the likeliest tokens at its place.

    `top` holds tokens and log-probabilities, likeliest first as a rule; the token itself may be missing there.
    """

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply, verbatim, with what is needed to derive everything else from it.

    `text` is None where the provider sent no text. `raw` is the response body as received.
    `attempts` counts requests sent for this call, lost ones included. `received_at` is ISO 8601 in UTC.
    `token_logprobs` are those of the text's tokens in order; None where the provider sent none.
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
    token_logprobs: tuple[TokenLogprob, ...] | None = None

    def to_record(self) -> dict[str, Any]:
        """The fields as JSON values, in order; what was not reported and came late to this format is left out."""
        record: dict[str, Any] = {name: getattr(self, name) for name in _NAMES}
        record["usage"] = {name: getattr(self.usage, name) for name in _COUNTS}
        if self.usage.cache_write_tokens is None:
            del record["usage"]["cache_write_tokens"]
        if self.token_logprobs is None:
            del record["token_logprobs"]
        return record

    def to_json(self) -> str:
        """One ASCII line; lone surrogates and NUL survive as escapes."""
        return json.dumps(self.to_record(), ensure_ascii=True, separators=(",", ":"))

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Reply:
        """Read what `to_record` gave, now or before replies had log-probabilities; takes the record over."""
        record["usage"] = Usage(**record["usage"])
        if "token_logprobs" in record:
            record["token_logprobs"] = tuple(_token_logprob(*entry) for entry in record["token_logprobs"])
        return cls(**record)

    @classmethod
    def from_json(cls, text: str | bytes) -> Reply:
        """Read what `to_json` wrote."""
        return cls.from_record(json.loads(text))


_NAMES = tuple(field.name for field in fields(Reply))
_COUNTS = tuple(field.name for field in fields(Usage))


def _token_logprob(token: str, logprob: float, top: list[tuple[str, float]]) -> TokenLogprob:
    return TokenLogprob(token, logprob, tuple((other, number) for other, number in top))


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
