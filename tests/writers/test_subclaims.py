"""Laws of the subclaim writer: what it asks about a sentence, and which lists it takes."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Outcome, Reply, Usage
from judgeray.writers.subclaims import SUBCLAIMS, Subclaims, read_subclaims

JUDGE = Judge("gemma", "vllm", "google/gemma-3-27b-it", {"temperature": 0})
PINNED = "bd6d2d2ccd793b64"


def reply(text: str | None, outcome: Outcome = "complete") -> Reply:
    """A reply with this text."""
    return Reply("0" * 64, "vllm", "m", outcome, text, Usage())


def test_prompt_is_pinned() -> None:
    """The wording is an instrument: a changed comma is another version."""
    words = f"{SUBCLAIMS.version}\0{SUBCLAIMS.system}\0{SUBCLAIMS.template}"
    assert sha256(words.encode()).hexdigest()[:16] == PINNED


def test_a_sentence_is_asked_about_alone() -> None:
    """The call holds the sentence verbatim and nothing of its source."""
    call = SUBCLAIMS.call("It {rained} on 3 May.", JUDGE, 2)
    assert (call.user, call.system, call.replicate) == ("Sentence: It {rained} on 3 May.", SUBCLAIMS.system, 2)
    with pytest.raises(BadInputError, match=r"judges\.base: writer subclaims: found 'lexical'"):
        SUBCLAIMS.call("It rained.", Judge("base", "lexical", "coverage-v1", in_process=True))


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("- A is b.\n- C is d.", ("A is b.", "C is d.")),
        ("Here are the claims:\n\n* A is b. \r\n* C is d.\n\nThat is all.", ("A is b.", "C is d.")),
        ("1. A is b.\n2) C is d.\n10. E is f.", ("A is b.", "C is d.", "E is f.")),
        ("  \u2022 A is b.", ("A is b.",)),
        ("- A is b.\n- A is b.\n- C is d.", ("A is b.", "C is d.")),
        ("- It cost - as they say - 3.5 pounds.", ("It cost - as they say - 3.5 pounds.",)),
        ("NONE", ()),
        ("None.\n", None),
        (" NONE. ", ()),
        ("- NONE", ()),
        ("A is b. C is d.", None),
        ("-A is b.", None),
        ("- ", None),
        ("", None),
        (None, None),
    ],
)
def test_lists_are_read(text: str | None, claims: tuple[str, ...] | None) -> None:
    """Bullets and numbers are taken off, remarks left out; without a list, nothing is guessed."""
    expected = Subclaims("unparsed") if claims is None else Subclaims("ok", claims)
    assert read_subclaims(reply(text)) == expected


@pytest.mark.parametrize("outcome", ["refused", "truncated"])
def test_refused_and_cut_lists_are_none(outcome: Literal["refused", "truncated"]) -> None:
    """A refusal is never read, and of a list that was cut nobody can tell what is missing."""
    assert read_subclaims(reply("- A is b.\n- C is", outcome)) == Subclaims(outcome)


@given(
    st.lists(st.text("abc -*.1", min_size=1, max_size=12).filter(lambda text: text.strip()), min_size=1, max_size=5)
)
def test_what_is_listed_is_read_back(claims: list[str]) -> None:
    """Claims written one a line come back, each once, in order."""
    listed = "\n".join(f"- {claim}" for claim in claims)
    assert read_subclaims(reply(listed)).claims == tuple(dict.fromkeys(claim.strip() for claim in claims))
