"""OpenAI's rate limits: requests and tokens per minute, told in headers of their own spelling."""

from __future__ import annotations

import math
from collections.abc import Mapping

from judgeray.emulator.limit_manner import REQUESTS, TOKENS, Cost, Level, LimitManner, Shortage
from judgeray.emulator.prompt import Prompt, input_tokens
from judgeray.emulator.refusal import RequestRefusedError

_SHORT = {REQUESTS: "requests per min (RPM)", TOKENS: "tokens per min (TPM)"}


def _costs(prompt: Prompt) -> Mapping[str, Cost]:
    """A prompt is charged the larger of its output cap and the estimate from its characters."""
    tokens = max(prompt.output_cap or 0, input_tokens(prompt))
    return {REQUESTS: Cost(1, 1), TOKENS: Cost(tokens, tokens)}


def _headers(levels: Mapping[str, Level]) -> dict[str, str]:
    headers = {}
    for measure, level in levels.items():
        headers[f"x-ratelimit-limit-{measure}"] = str(level.limit)
        headers[f"x-ratelimit-remaining-{measure}"] = str(level.left)
        headers[f"x-ratelimit-reset-{measure}"] = duration(level.full_seconds)
    return headers


def _refusal(shortage: Shortage) -> RequestRefusedError:
    where = f"for {shortage.model} in organization org-simulated on {_SHORT[shortage.measure]}"
    limit, left = shortage.level.limit, shortage.level.left
    if shortage.wait_seconds is None:
        message = f"Request too large {where}: Limit {limit}, Requested {shortage.wanted}."
        return rate_limited(message, shortage.measure, None)
    message = (
        f"Rate limit reached {where}: Limit {limit}, Used {limit - left}, Requested {shortage.wanted}. "
        f"Please try again in {duration(shortage.wait_seconds)}."
    )
    return rate_limited(message, shortage.measure, shortage.wait_seconds)


def rate_limited(message: str, kind: str, wait_seconds: float | None) -> RequestRefusedError:
    """A 429 of kind `requests` or `tokens`, with the time to wait in both spellings where one is given."""
    headers = {}
    if wait_seconds is not None:
        headers["retry-after"] = str(max(1, math.ceil(wait_seconds)))
        headers["retry-after-ms"] = str(max(1, math.ceil(wait_seconds * 1000)))
    return RequestRefusedError(429, message, kind=kind, code="rate_limit_exceeded", headers=headers)


def duration(seconds: float) -> str:
    """Write a duration as the API does: `120ms`, `1.5s`, `6m0s`."""
    milliseconds = math.ceil(seconds * 1000)
    if milliseconds < 1000:
        return f"{milliseconds}ms"
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{head}{rest / 1000:g}s"


OPENAI_LIMITS = LimitManner(_costs, _headers, _refusal, charges_refused=True)
