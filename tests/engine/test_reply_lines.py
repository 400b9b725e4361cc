"""Laws of replies as lines: whatever a model said comes back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.reply import Reply, TokenLogprob, Usage
from judgeray.engine.reply_lines import from_line, to_line

ANY_TEXT = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=80)


@given(text=st.none() | ANY_TEXT, raw=ANY_TEXT, tokens=st.none() | st.integers(0, 2**53))
def test_any_reply_survives_a_line(text: str | None, raw: str, tokens: int | None) -> None:
    """Lone surrogates, NUL, line ends and any other text are kept, on one line, by either library."""
    reply = Reply("k" * 64, "openai", "m", "complete", text, Usage(tokens, tokens), raw=raw, latency_seconds=0.25)
    line = to_line(reply)
    assert b"\n" not in line
    assert from_line(line) == reply
    assert from_line(reply.to_json().encode("ascii")) == reply
    assert line.startswith(b'{"key":"' + b"k" * 64 + b'"')


def test_a_log_probability_of_minus_infinity_survives() -> None:
    """A token that could never come keeps its log-probability: it does not become unknown."""
    token = TokenLogprob("1", -0.5, (("0", float("-inf")),))
    reply = Reply("k", "openai", "m", "complete", "1", Usage(), token_logprobs=(token,))
    assert from_line(to_line(reply)) == reply
