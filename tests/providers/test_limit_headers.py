"""Laws of the limits read from response headers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judgeray.providers.limit_headers import stated_limits


def test_limits_of_both_spellings_are_read() -> None:
    """OpenAI states requests and tokens, Anthropic requests, input and output tokens."""
    openai = {"x-ratelimit-limit-requests": "500", "x-ratelimit-limit-tokens": "200000"}
    assert stated_limits(openai) == {"requests": 500.0, "tokens": 200_000.0}
    anthropic = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-input-tokens-limit": "30000",
        "anthropic-ratelimit-output-tokens-limit": "8000",
        "anthropic-ratelimit-tokens-limit": "38000",
    }
    assert stated_limits(anthropic) == {"requests": 50.0, "input_tokens": 30_000.0, "output_tokens": 8_000.0}


@given(text=st.text(max_size=12))
def test_anything_else_states_nothing(text: str) -> None:
    """Zero, negative numbers, units and garbage are no limit, and never an error."""
    found = stated_limits({"x-ratelimit-limit-requests": text})
    assert found == ({"requests": float(text)} if text.isascii() and text.isdigit() and int(text) > 0 else {})


def test_no_header_states_nothing() -> None:
    """Gemini and most compatible servers state none."""
    assert stated_limits({}) == {}
