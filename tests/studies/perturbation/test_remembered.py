"""Laws of memory: a remembered procedure asks, answers and fails as it would without, and builds its calls once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Call
from judgeray.core.procedure import Procedure, ask, ask_all
from judgeray.core.replay import Pending, Settled, State, replay
from judgeray.core.reply import Answer, Reply
from judgeray.studies.perturbation.remembered import Memory
from tests.studies.scripted_judges import failure_of, reply_to


def call(text: str) -> Call:
    """A call with this text."""
    return Call("openai", "gpt-4.1", None, text)


def winding(name: str, length: int) -> Procedure[str]:
    """Asks one call or two at a time, which the replies before decide; ends early where a reply says so."""
    said = name
    for step in range(length):
        if said.endswith("2"):
            replies = yield from ask_all([call(f"{said} {step} left"), call(f"{said} {step} right")])
        else:
            replies = [(yield from ask(call(f"{said} {step}")))]
        said += "".join(reply.text or "" for reply in replies)
        if said.endswith("9"):
            break
    return said


def taken(start: Callable[[], Procedure[str]], known: dict[str, Answer], digits: list[str]) -> list[State[str]]:
    """Answer what is wanted, one call after the other, until digits run out; give the states on the way."""
    states = [replay(start(), known)]
    for digit in digits:
        if not isinstance(states[-1], Pending):
            break
        wanted = states[-1].wanted[0]
        known.setdefault(wanted.key, reply_to(wanted, digit) if digit != "x" else failure_of(wanted))
        states.append(replay(start(), known))
    return states


DIGITS = st.lists(st.sampled_from(["1", "2", "3", "9", "x"]), max_size=8)


@given(st.lists(st.tuples(st.sampled_from("abc"), DIGITS), min_size=1, max_size=6), st.integers(1, 3))
def test_memory_changes_nothing(walks: list[tuple[str, list[str]]], most: int) -> None:
    """Whatever was run before under the same key, with the same replies or others, every state is as without."""
    memory = Memory[str](most)
    for name, digits in walks:
        plain = taken(lambda name=name: winding(name, 5), {}, digits)  # type: ignore[misc]
        kept = taken(lambda name=name: memory.run(name, lambda: winding(name, 5)), {}, digits)  # type: ignore[misc]
        assert kept == plain


def counted(built: list[str], name: str) -> Procedure[str]:
    """Asks three calls in turn and notes each that it builds."""
    said = ""
    for step in range(3):
        built.append(f"{name}{step}")
        said += (yield from ask(call(f"{name}{step}"))).text or ""
    return said


def test_calls_are_built_once_for_all() -> None:
    """Ten tasks that begin alike build the calls of one, at the pace at which replies come."""
    memory, built, known = Memory[str](2), list[str](), dict[str, Answer]()
    for rounds in range(4):
        states = [replay(memory.run("k", lambda: counted(built, "k")), known) for _ in range(10)]
        for state in states:
            known.update(
                {wanted.key: reply_to(wanted, "!") for wanted in state.wanted} if isinstance(state, Pending) else {}
            )
        assert built.count(f"k{rounds}") == int(rounds < 3)
    assert {state.value for state in states if isinstance(state, Settled)} == {"!!!"}


def test_tasks_may_take_turns() -> None:
    """Runs that go on side by side, as evidence is gathered, each end with their value."""
    memory, built = Memory[str](1), list[str]()
    running = [memory.run(name, lambda name=name: counted(built, name)) for name in "aabb"]  # type: ignore[misc]
    waves = [next(procedure) for procedure in running]
    ends = []
    for _ in range(3):
        for number, procedure in enumerate(running):
            replies: tuple[Reply, ...] = tuple(reply_to(asked, str(number // 2)) for asked in waves[number])
            try:
                waves[number] = procedure.send(replies)
            except StopIteration as stop:
                ends.append(stop.value)
    assert ends == ["000", "000", "111", "111"]


def test_no_more_is_kept_than_allowed() -> None:
    """The least recently used path is forgotten, and built anew when it is wanted."""
    memory, built = Memory[str](2), list[str]()
    for name in ("a", "b", "a", "c", "a", "b"):
        assert isinstance(replay(memory.run(name, lambda name=name: counted(built, name)), {}), Pending)  # type: ignore[misc]
    assert built == ["a0", "b0", "c0", "b0"]


def test_what_a_procedure_raises_is_raised_again() -> None:
    """An error is not remembered as an end."""

    def failing() -> Procedure[str]:
        yield (call("once"),)
        raise ValueError("no")

    memory = Memory[str](2)
    known: dict[str, Answer] = {call("once").key: reply_to(call("once"), "x")}
    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            replay(memory.run("k", failing), known)


def test_a_run_that_is_let_go_closes_what_it_began() -> None:
    """Files and locks that a procedure holds are released with it."""
    closed: list[str] = []

    def holding() -> Procedure[str]:
        try:
            yield (call("held"),)
        finally:
            closed.append("closed")
        return ""

    procedure = Memory[str](1).run("k", holding)
    next(procedure)
    procedure.close()
    assert closed == ["closed"]
