"""Anthropic's rate limits: requests, input tokens and output tokens per minute, enforced below the minute."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

from judgeray.emulator.limit_manner import (
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    REQUESTS,
    TOKENS,
    Cost,
    Level,
    LimitManner,
    Shortage,
)
from judgeray.emulator.prompt import Prompt, input_tokens
from judgeray.emulator.refusal import RequestRefusedError


def _costs(prompt: Prompt) -> Mapping[str, Cost]:
    """Output is charged when it is known: `max_tokens` counts nothing, but a debt keeps prompts out."""
    tokens = input_tokens(prompt)
    return {REQUESTS: Cost(1, 1), INPUT_TOKENS: Cost(tokens, tokens), OUTPUT_TOKENS: Cost(1, 0)}


def _headers(levels: Mapping[str, Level]) -> dict[str, str]:
    told = dict(levels)
    tokens = [levels[measure] for measure in (INPUT_TOKENS, OUTPUT_TOKENS) if measure in levels]
    if tokens:
        # The API's `tokens` tell of the limit that is closest.
        told[TOKENS] = min(tokens, key=lambda level: level.left)
    headers = {}
    for measure, level in told.items():
        headers[f"anthropic-ratelimit-{measure}-limit"] = str(level.limit)
        headers[f"anthropic-ratelimit-{measure}-remaining"] = str(level.left)
        headers[f"anthropic-ratelimit-{measure}-reset"] = timestamp(time.time() + level.full_seconds)
    return headers


def _refusal(shortage: Shortage) -> RequestRefusedError:
    message = (
        f"This request would exceed your organization's rate limit of {shortage.level.limit:,} "
        f"{shortage.measure.replace('-', ' ')} per minute (model: {shortage.model})."
    )
    return rate_limited(message, shortage.wait_seconds)


def rate_limited(message: str, wait_seconds: float | None) -> RequestRefusedError:
    """A 429, with the time to wait where one is given."""
    headers = {} if wait_seconds is None else {"retry-after": str(max(1, math.ceil(wait_seconds)))}
    return RequestRefusedError(429, message, headers=headers)


def timestamp(seconds: float) -> str:
    """Write a time (seconds since 1970) as RFC 3339, rounded up to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(math.ceil(seconds)))


ANTHROPIC_LIMITS = LimitManner(_costs, _headers, _refusal)
