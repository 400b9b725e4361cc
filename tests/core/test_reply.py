"""Laws of replies and failures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.reply import Reply, Usage

texts = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=80)
counts = st.none() | st.integers(0, 10**9)


@given(text=st.none() | texts, raw=texts, tokens=counts, cached=counts, simulated=st.booleans())
def test_reply_survives_the_round_trip(
    text: str | None, raw: str, tokens: int | None, cached: int | None, simulated: bool
) -> None:
    """A reply comes back from its line exactly: any text, and null never becomes zero."""
    usage = Usage(input_tokens=tokens, cached_tokens=cached)
    reply = Reply("k" * 64, "openai", "m", "complete", text, usage, simulated=simulated, raw=raw)
    line = reply.to_json()
    assert Reply.from_json(line) == reply
    assert line.isascii()
    assert "\n" not in line


def test_key_comes_first_in_the_line() -> None:
    """Actors cut the key out of a journal line by position."""
    reply = Reply("k" * 64, "openai", "m", "complete", "text", Usage())
    assert reply.to_json().startswith('{"key":"' + "k" * 64 + '"')
