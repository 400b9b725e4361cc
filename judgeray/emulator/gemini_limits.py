"""Gemini's rate limits: requests and input tokens per minute, told only in the body of a 429."""

from __future__ import annotations

import math
from collections.abc import Mapping

from judgeray.core.canonical import JSONValue
from judgeray.emulator.limit_manner import INPUT_TOKENS, REQUESTS, Cost, Level, LimitManner, Shortage
from judgeray.emulator.prompt import Prompt, input_tokens
from judgeray.emulator.refusal import RequestRefusedError

_METRIC = "generativelanguage.googleapis.com/generate_content_paid_tier"
PER_MINUTE = ("requests", "GenerateRequestsPerMinutePerProjectPerModel")
_QUOTAS = {
    REQUESTS: PER_MINUTE,
    INPUT_TOKENS: ("input_token_count", "GenerateContentPaidTierInputTokensPerModelPerMinute"),
}
PER_DAY = ("requests", "GenerateRequestsPerDayPerProjectPerModel")


def _costs(prompt: Prompt) -> Mapping[str, Cost]:
    tokens = input_tokens(prompt)
    return {REQUESTS: Cost(1, 1), INPUT_TOKENS: Cost(tokens, tokens)}


def _headers(_levels: Mapping[str, Level]) -> dict[str, str]:
    """The API has no headers for limits."""
    return {}


def _refusal(shortage: Shortage) -> RequestRefusedError:
    quota = _QUOTAS[shortage.measure]
    return quota_exceeded(quota, shortage.model, shortage.level.limit, shortage.wait_seconds)


def quota_exceeded(
    quota: tuple[str, str], model: str, limit: int, wait_seconds: float | None
) -> RequestRefusedError:
    """A 429 that names the quota (metric, id), with RetryInfo where a time to wait is given."""
    metric, quota_id = f"{_METRIC}_{quota[0]}", quota[1]
    violation: JSONValue = {
        "quotaMetric": metric,
        "quotaId": quota_id,
        "quotaDimensions": {"location": "global", "model": model},
        "quotaValue": str(limit),
    }
    details: list[JSONValue] = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]}]
    message = (
        "You exceeded your current quota, please check your plan and billing details.\n"
        f"* Quota exceeded for metric: {metric}, limit: {limit}, model: {model}"
    )
    if wait_seconds is not None:
        delay = f"{max(1, math.ceil(wait_seconds * 1000)) / 1000:g}s"
        message = f"{message}\nPlease retry in {delay}."
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay})
    return RequestRefusedError(429, message, details=details)


GEMINI_LIMITS = LimitManner(_costs, _headers, _refusal)
