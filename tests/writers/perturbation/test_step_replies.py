"""Laws of reading a step's reply: thinking is passed over, and an odd reply is drawn afresh three times."""

from __future__ import annotations

import pytest

from judgeray.core.call import Call
from judgeray.core.procedure import Procedure
from judgeray.core.replay import Pending, Settled, replay
from judgeray.core.reply import Answer, Outcome, Reply
from judgeray.writers.perturbation.odd import LostError, OddReplyError
from judgeray.writers.perturbation.replies import FRESH_DRAWS, drawn, output_of, text_of
from tests.writers.perturbation.made import reply_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<output>a</output>", "a"),
        ("<thinking>b <c> </thinking>\n<output>\n a\n b \n</output>\n", "a\n b"),
        ("<OUTPUT>a</Output>", "a"),
        ("<thinking>I put it in <output>.</thinking><output>a</output>", "a"),
        ("<output>first</output> No, better: <output>a</output>", "a"),
        ("<output>a</output> That is all.", "a"),
    ],
)
def test_last_output_counts(text: str, expected: str) -> None:
    """What stands in the last output is taken without outer blanks, whatever was thought before."""
    assert output_of(reply_of(text)) == expected


@pytest.mark.parametrize(
    ("text", "outcome", "reason"),
    [
        ("a", "complete", "no <output>"),
        ("<output>a", "complete", "no <output>"),
        ("a</output>", "complete", "no <output>"),
        ("<output>a</output><output>b", "complete", "no <output>"),
        ("<output>a</output></output>", "complete", "no <output>"),
        ("<thinking>a", "truncated", "cut before the end of <output>"),
        ("<output>a", "truncated", "cut before the end of <output>"),
        ("<output> \n</output>", "complete", "a blank <output>"),
        ("<output>a</output>", "refused", "the writer refused"),
        (None, "empty", "no text"),
        (" \n", "complete", "no text"),
        (None, "truncated", "cut before any text"),
    ],
)
def test_reply_without_output_says_why(text: str | None, outcome: Outcome, reason: str) -> None:
    """A tag without its partner, a refusal and a blank are odd, each for its own reason."""
    with pytest.raises(OddReplyError, match=f"^{reason}$"):
        output_of(reply_of(text, outcome))


def test_output_of_a_cut_reply_counts_if_it_is_whole() -> None:
    """A cut behind the output costs nothing."""
    assert output_of(reply_of("<output>a</output> That w", "truncated")) == "a"


def test_text_is_taken_without_outer_blanks() -> None:
    """A reply without tags is its text."""
    assert text_of(reply_of("\n a b \n")) == "a b"


def call(draw: int) -> Call:
    """The call of one draw."""
    return Call("openai", "m", None, "x", replicate=draw)


def read(reply: Reply) -> str:
    """Read any text but those that begin with `odd`."""
    text = text_of(reply)
    if text.startswith("odd"):
        raise OddReplyError(text)
    return text


def step() -> Procedure[str]:
    """One step, with its loss as its value."""
    try:
        value = yield from drawn("rank", call, read)
    except LostError as lost:
        return str(lost)
    return value


def known(*texts: str) -> dict[str, Answer]:
    """The replies of the first draws."""
    return {call(draw).key: reply_of(text) for draw, text in enumerate(texts)}


@pytest.mark.parametrize("odd", range(FRESH_DRAWS + 1))
def test_odd_replies_are_drawn_afresh(odd: int) -> None:
    """After each odd reply the next replicate is wanted, one at a time, and the first good one is taken."""
    texts = [f"odd {draw}" for draw in range(odd)]
    assert replay(step(), known(*texts)) == Pending((call(odd),), tuple(map(reply_of, texts[-1:])))
    state = replay(step(), known(*texts, "good"))
    assert isinstance(state, Settled)
    assert state.value == "good"


def test_draws_are_bounded() -> None:
    """After three fresh draws the step is lost, with the last draw's reason; nothing more is asked."""
    state = replay(step(), known("odd 0", "odd 1", "odd 2", "odd 3"))
    assert isinstance(state, Settled)
    assert state.value == "rank: odd 3"
    assert FRESH_DRAWS == 3


def test_good_replies_are_drawn_once() -> None:
    """A first good reply is taken though others are known."""
    state = replay(step(), known("good", "better"))
    assert isinstance(state, Settled)
    assert state.value == "good"
