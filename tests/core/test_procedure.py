"""Laws of procedures and their replay."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Call
from judgeray.core.procedure import Procedure, ask, ask_all, together
from judgeray.core.replay import (
    NondeterministicProcedureError,
    Pending,
    Settled,
    Stuck,
    replay,
    replay_twice,
)
from judgeray.core.reply import Answer, Failure, Reply, Usage


def call(text: str) -> Call:
    """A call told apart by its text."""
    return Call("openai", "m", None, text)


def reply_to(asked: Call) -> Reply:
    """A reply that repeats the call's text in upper case."""
    return Reply(asked.key, asked.provider, asked.model, "complete", asked.user.upper(), Usage())


def claims(text: str) -> Procedure[list[str]]:
    """Round one of the example: split a text by one call."""
    reply = yield from ask(call(f"claims of {text}"))
    return [f"{reply.text} {n}" for n in range(2)]


def checked(claims_: list[str], against: list[str]) -> Procedure[int]:
    """Round two: one call per claim."""
    replies = yield from ask_all(call(f"{claim} in {'; '.join(against)}") for claim in claims_)
    return len(replies)


def factual(answer: str, reference: str) -> Procedure[str]:
    """Three rounds: claims of both sides, entailment both ways, and a summary that needs all of it."""
    said, should = yield from together(claims(answer), claims(reference))
    right, covered = yield from together(checked(said, should), checked(should, said))
    reply = yield from ask(call(f"{right} and {covered}"))
    return str(reply.text)


def settle(known: dict[str, Answer]) -> tuple[object, int]:
    """Answer all that is wanted until the example settles; returns its value and the rounds that took."""
    for number in range(1, 20):
        state = replay(factual("a", "b"), known)
        if isinstance(state, Settled):
            return state.value, number - 1
        assert isinstance(state, Pending)
        known.update({wanted.key: reply_to(wanted) for wanted in state.wanted})
    raise AssertionError("did not settle")


def test_three_rounds_settle_in_three() -> None:
    """Calls that need no other's reply are wanted together: one round per dependency."""
    assert settle({}) == ("2 AND 2", 3)


def test_replay_is_pure() -> None:
    """A second replay against the same replies gives the same value and wants nothing."""
    known: dict[str, Answer] = {}
    settle(known)
    assert settle(known) == ("2 AND 2", 0)


@given(order=st.permutations(range(7)), step=st.integers(1, 3))
def test_value_does_not_depend_on_arrival_order(order: list[int], step: int) -> None:
    """Replies may come in any order and in any portions."""
    known: dict[str, Answer] = {}
    for _ in range(60):
        state = replay(factual("a", "b"), known)
        if isinstance(state, Settled):
            assert state.value == "2 AND 2"
            return
        assert isinstance(state, Pending)
        ranked = sorted(state.wanted, key=lambda wanted: order[int(wanted.key, 16) % 7])
        known.update({wanted.key: reply_to(wanted) for wanted in ranked[:step]})
    raise AssertionError("did not settle")


def test_branches_do_not_wait_for_each_other() -> None:
    """With one side's claims known, its checks are wanted while the other side's claims still are."""

    def side(name: str) -> Procedure[str]:
        first = yield from ask(call(f"first {name}"))
        second = yield from ask(call(f"second {first.text}"))
        return str(second.text)

    state = replay(together(side("a"), side("b")), {call("first a").key: reply_to(call("first a"))})
    assert isinstance(state, Pending)
    assert [wanted.user for wanted in state.wanted] == ["second FIRST A", "first b"]


def test_same_call_twice_is_wanted_once() -> None:
    """Two branches that ask the same thing share one call."""
    state = replay(together(ask(call("x")), ask(call("x"))), {})
    assert isinstance(state, Pending)
    assert len(state.wanted) == 1


def test_empty_procedures_settle_at_once() -> None:
    """Nothing asked, nothing wanted."""
    assert replay(ask_all([]), {}) == Settled([], ())
    assert replay(together(), {}) == Settled((), ())


def test_failure_makes_the_row_stuck() -> None:
    """A call that failed is not wanted again; the provider's words are carried."""
    failure = Failure(call("x").key, "openai", "too long", 1)
    assert replay(ask(call("x")), {failure.key: failure}) == Stuck(failure, ())


def test_replies_used_are_listed_in_the_order_asked() -> None:
    """The replies of a row are those it used, once each."""
    known: Mapping[str, Answer] = {c.key: reply_to(c) for c in (call("b"), call("a"), call("unused"))}
    state = replay(ask_all([call("b"), call("a"), call("b")]), known)
    assert [reply.text for reply in state.replies] == ["B", "A"]


def test_procedure_that_is_not_deterministic_is_named() -> None:
    """A procedure whose calls change from run to run would buy for ever; the row is named."""

    def moody() -> Procedure[str]:
        reply = yield from ask(call(str(random.random())))
        return str(reply.text)

    with pytest.raises(NondeterministicProcedureError, match="asqa:7:full"):
        replay_twice(moody, {}, "asqa:7:full")


def test_deterministic_procedure_passes_the_check() -> None:
    """The check changes nothing for a good procedure."""
    assert replay_twice(lambda: factual("a", "b"), {}, "row") == replay(factual("a", "b"), {})
