"""The rate limits that response headers state: `x-ratelimit-limit-*` (OpenAI), `anthropic-ratelimit-*-limit`."""

from __future__ import annotations

from collections.abc import Mapping

STATED: dict[str, tuple[str, ...]] = {
    "requests": ("x-ratelimit-limit-requests", "anthropic-ratelimit-requests-limit"),
    "tokens": ("x-ratelimit-limit-tokens",),
    "input_tokens": ("anthropic-ratelimit-input-tokens-limit",),
    "output_tokens": ("anthropic-ratelimit-output-tokens-limit",),
}
"""Limit per minute by name -> headers that state it; Gemini states none."""


def stated_limits(headers: Mapping[str, str]) -> dict[str, float]:
    """Read the limits per minute that are stated as whole numbers above zero."""
    found: dict[str, float] = {}
    for name, spellings in STATED.items():
        for spelling in spellings:
            text = headers.get(spelling, "")
            if text.isascii() and text.isdigit() and int(text) > 0:
                found[name] = float(text)
    return found
