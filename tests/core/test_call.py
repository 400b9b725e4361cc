"""Laws of calls and their keys."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Call, Judge
from judgeray.core.canonical import canonical_json

GOLDEN = Call("anthropic", "claude-opus-4-6", "You judge.", "Question: Where?", {"max_output_tokens": 256}, 2, None)
texts = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60)


def test_key_is_pinned() -> None:
    """A call key never changes between releases: replies bought yesterday must be found tomorrow."""
    assert GOLDEN.to_json() == (
        '{"model":"claude-opus-4-6","parameters":{"max_output_tokens":256},"provider":"anthropic",'
        '"replicate":2,"system":"You judge.","user":"Question: Where?"}'
    )
    assert GOLDEN.key == "464bcd927f582401c6369929ee99aa53458685be2a5792ec4db0976e1061937a"


def test_key_of_simulated_call_is_another() -> None:
    """A reply of the emulator can never serve a real call: the two have different keys."""
    real = Judge("j", "openai", "gpt-4.1").call("s", "u")
    simulated = Judge("j", "openai", "gpt-4.1", simulated="0123456789abcdef").call("s", "u")
    assert real.key != simulated.key


def test_a_shared_prefix_does_not_enter_the_key() -> None:
    """What a provider may keep of a prompt is how it travels: the same call is bought once, and told in full."""
    shared = replace(GOLDEN, shared_prefix_characters=10)
    assert shared.key == GOLDEN.key
    assert shared.to_json() == GOLDEN.to_json().replace('"system"', '"shared_prefix_characters":10,"system"')
    assert Call.from_json(shared.to_json()) == shared
    assert Judge("j", "openai", "m").call(None, "text", 0, 3).shared_prefix_characters == 3


@pytest.mark.parametrize(
    "other",
    [
        Call("openai", "claude-opus-4-6", "You judge.", "Question: Where?", {"max_output_tokens": 256}, 2),
        Call("anthropic", "claude-opus-4-5", "You judge.", "Question: Where?", {"max_output_tokens": 256}, 2),
        Call("anthropic", "claude-opus-4-6", None, "Question: Where?", {"max_output_tokens": 256}, 2),
        Call("anthropic", "claude-opus-4-6", "You judge.", "Question: where?", {"max_output_tokens": 256}, 2),
        Call("anthropic", "claude-opus-4-6", "You judge.", "Question: Where?", {"max_output_tokens": 257}, 2),
        Call("anthropic", "claude-opus-4-6", "You judge.", "Question: Where?", {}, 2),
        Call("anthropic", "claude-opus-4-6", "You judge.", "Question: Where?", {"max_output_tokens": 256}, 3),
    ],
)
def test_every_field_of_what_enters_the_key(other: Call) -> None:
    """Provider account, model, system, user, parameters and replicate each make another call."""
    assert other.key != GOLDEN.key


def test_judge_name_does_not_enter_the_key() -> None:
    """Two judges that ask the same model the same thing share the reply."""
    assert Judge("a", "openai", "m").call("s", "u").key == Judge("b", "openai", "m").call("s", "u").key


def test_whole_floats_and_integers_are_one_number() -> None:
    """`temperature: 0` and `temperature: 0.0` are the same call."""
    zero, point = (Call("openai", "m", None, "u", {"temperature": number}) for number in (0, 0.0))
    assert zero.key == point.key


@given(system=st.none() | texts, user=texts, replicate=st.integers(0, 9))
def test_any_text_survives_the_round_trip(system: str | None, user: str, replicate: int) -> None:
    """NUL, lone surrogates and any other character come back from JSON as they went in."""
    call = Call("openai", "m", system, user, {"temperature": 0.5}, replicate)
    assert Call.from_json(call.to_json()) == call
    assert call.to_json().isascii()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1: 2}, {1, 2}, object(), b"bytes"])
def test_values_without_one_spelling_are_refused(value: object) -> None:
    """Nothing is ever keyed by `str()` of an object."""
    with pytest.raises(TypeError):
        canonical_json({"a": value})


@given(
    system=st.none() | texts,
    user=texts,
    parameters=st.dictionaries(texts, st.none() | st.integers() | texts | st.lists(st.booleans()), max_size=3),
    replicate=st.integers(0, 9),
    simulated=st.none() | texts,
    shared=st.none() | st.integers(0, 9),
)
def test_a_call_is_spelled_as_canonical_json(
    system: str | None,
    user: str,
    parameters: dict[str, Any],
    replicate: int,
    simulated: str | None,
    shared: int | None,
) -> None:
    """The quick spelling of a call is canonical JSON of its fields that are not None, for any text."""
    call = Call("openai", "m", system, user, parameters, replicate, simulated, shared)
    present = {field.name: getattr(call, field.name) for field in fields(call)}
    assert call.to_json() == canonical_json({name: value for name, value in present.items() if value is not None})
    assert Call.from_json(call.to_json()) == call
    assert Call.from_json(call.to_json(), call.key).key == call.key
