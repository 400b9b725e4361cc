"""Laws of writers: the text goes where the template says, unread, and only a model that writes is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.writers.writer import Writer

JUDGE = Judge("gpt", "openai", "gpt-4.1", {})


def writer(template: str) -> Writer:
    """A writer of some name with this template."""
    return Writer("shorten", "v1", "ours", "You shorten texts.", template, 10)


@given(st.text(), st.sampled_from(["text", "question", "sentence"]))
def test_the_text_goes_in_as_it_is(text: str, field: str) -> None:
    """Braces and percent signs in a text are part of it, under whatever name the template has its field."""
    assert writer(f"Before {{{field}}} after").user(text) == f"Before {text} after"


def test_a_template_without_a_place_for_the_text_is_a_mistake() -> None:
    """A prompt that drops the text would have a model answer nothing; it is never sent."""
    with pytest.raises(ValueError, match="unpack"):
        writer("No place").user("text")


def test_fresh_draws_are_calls_of_their_own() -> None:
    """The same text asked twice is one call, and two where the replicate differs."""
    shorten = writer("{text}")
    keys = {shorten.call("a", JUDGE, replicate).key for replicate in (0, 1, 1)}
    assert len(keys) == 2


def test_a_judge_in_process_writes_nothing() -> None:
    """What runs in process has no prompt to answer, and the message names judge, writer and what is allowed."""
    rule = Judge("overlap", "lexical", "overlap", {}, in_process=True)
    with pytest.raises(BadInputError, match=r"judges\.overlap: writer shorten: found 'lexical'.*answers prompts"):
        writer("{text}").call("a", rule)
