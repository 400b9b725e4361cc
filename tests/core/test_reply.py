"""Laws of replies and failures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.reply import Reply, TokenLogprob, Usage

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


tokens = st.builds(
    TokenLogprob, texts, st.floats(-1e4, 0), st.lists(st.tuples(texts, st.floats(-1e4, 0)), max_size=3).map(tuple)
)


@given(st.none() | st.lists(tokens, max_size=4).map(tuple))
def test_log_probabilities_survive_the_round_trip(found: tuple[TokenLogprob, ...] | None) -> None:
    """Any token comes back with its numbers; none at all is not the same as no token."""
    reply = Reply("k" * 64, "openai", "m", "complete", "text", Usage(), token_logprobs=found)
    line = reply.to_json()
    assert Reply.from_json(line) == reply
    assert line.isascii()
    assert all(isinstance(token, TokenLogprob) for token in Reply.from_json(line).token_logprobs or ())


def test_replies_without_log_probabilities_are_written_as_ever() -> None:
    """Lines of earlier versions are read, and a reply that has nothing new is written as they were."""
    line = (
        '{"key":"k","provider":"openai","model":"m","outcome":"complete","text":"t","usage":{"input_tokens":1,'
        '"output_tokens":null,"reasoning_tokens":null,"cached_tokens":null,"total_tokens":null},'
        '"finish_reason":null,"served_model":null,"response_id":null,"request_id":null,"mode":"realtime",'
        '"attempts":1,"latency_seconds":null,"received_at":"","simulated":false,"raw":""}'
    )
    reply = Reply.from_json(line)
    assert (reply.token_logprobs, reply.usage.input_tokens) == (None, 1)
    assert reply.to_json() == line


def test_log_probabilities_are_stored_compactly() -> None:
    """A token is a list of its text, its number and its alternatives, without names."""
    token = TokenLogprob("1", -0.25, (("1", -0.25), ("0", -1.5)))
    line = Reply("k", "openai", "m", "complete", "1", Usage(), token_logprobs=(token,)).to_json()
    assert line.endswith(',"token_logprobs":[["1",-0.25,[["1",-0.25],["0",-1.5]]]]}')
