"""How long a provider asks us to wait, in all the spellings it uses."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from judgeray.providers.body import inner, objects

CEILING_SECONDS = 300.0
"""No wait asked for by a provider is obeyed beyond this; the call is tried again then."""

_DURATION = re.compile(r"\s*(-?\d+(?:\.\d*)?)\s*(ms|s|m|h)?\s*")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def retry_after_seconds(headers: Mapping[str, str], body: object = None) -> float | None:
    """Read `retry-after-ms`, `retry-after` (seconds or HTTP date) or Gemini's `RetryInfo.retryDelay`.

    Returns None when nothing readable is asked for; negative waits are 0 and long ones end at `CEILING_SECONDS`.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    asked = ((lower.get("retry-after-ms"), 0.001), (lower.get("retry-after"), 1.0), (_delay(body), 1.0))
    for text, unit in asked:
        seconds = _seconds(text, unit) if text is not None else None
        if seconds is not None:
            return min(max(seconds, 0.0), CEILING_SECONDS)
    return None


def _seconds(text: str, unit: float) -> float | None:
    if match := _DURATION.fullmatch(text):
        return float(match[1]) * _UNITS.get(match[2], unit)
    try:
        return parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None


def _delay(body: object) -> str | None:
    """Find `retryDelay` in the details of a google.rpc error body."""
    delays = (detail.get("retryDelay") for detail in objects(inner(body, "error", "details")))
    return next((delay for delay in delays if isinstance(delay, str)), None)
