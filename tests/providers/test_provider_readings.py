"""Response bodies, pinned: what is read from each shape that the APIs document."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.core.reply import Usage
from judgeray.providers import anthropic_messages, google_generate, openai_chat, openai_responses
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError

READERS = {
    "openai_responses": openai_responses.read_body,
    "openai_chat": openai_chat.read_body,
    "anthropic": anthropic_messages.read_body,
    "google": google_generate.read_body,
}


@pytest.mark.parametrize("name", READERS)
def test_each_shape_is_read_as_its_golden_reading(golden: Any, name: str) -> None:
    """Each case states its law; `read` is what a reply keeps, `error` what comes instead."""
    for case in golden(f"readings_{name}"):
        law, found = case["law"], _read(name, case["body"])
        if isinstance(found, ProviderError):
            assert case.get("error") == {"reaction": found.reaction, "code": found.code}, (law, found)
            continue
        assert case.get("read") == {
            "outcome": found.outcome,
            "text": found.text,
            "finish_reason": found.finish_reason,
            "usage": list(astuple(found.usage)),
        }, law


def _read(name: str, body: dict[str, Any]) -> Content | ProviderError:
    try:
        return READERS[name](body)
    except ProviderError as error:
        return error


_WORDS = st.sampled_from(
    """
    status output content text type message refusal output_text incomplete_details reason error code choices usage
    finish_reason candidates parts finishReason promptFeedback blockReason stop_reason input_tokens thought
    completed failed length usageMetadata promptTokenCount content_filter max_tokens details
    """.strip().split()
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _WORDS | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=5),
    max_leaves=25,
)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=200, deadline=None)
@given(body=st.dictionaries(_WORDS, _JSON, max_size=6))
def test_no_body_crashes_a_reader(name: str, body: dict[str, Any]) -> None:
    """Whatever JSON arrives, it is read or refused with a reaction, and counts are counts."""
    found = _read(name, body)
    if isinstance(found, ProviderError):
        assert found.code
        return
    assert found.text is None or isinstance(found.text, str)
    assert all(count is None or count >= 0 for count in astuple(found.usage))
    assert (found.outcome == "complete") <= bool(found.text)


def test_a_body_without_usage_has_unknown_counts() -> None:
    """Not reported is not zero."""
    body = {"choices": [{"message": {"content": "Yes"}, "finish_reason": "stop"}]}
    assert openai_chat.read_body(body).usage == Usage()
