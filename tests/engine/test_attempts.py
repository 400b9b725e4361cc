"""Laws of attempts: what is tried again, what is not, and what each try costs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Answer, Failure, Reply
from judgeray.engine.attempts import Attempts
from judgeray.engine.keepers import LocalKeeper
from judgeray.engine.limits import LimitKeeper
from judgeray.engine.observe.observer import Observer
from judgeray.engine.pace import Pace
from judgeray.engine.spending import Spending
from judgeray.providers.account import Account, Limits
from judgeray.providers.errors import ProviderError

MakeReply = Callable[..., Reply]


class Scripted:
    """A client that raises or returns what it is given, one item per request."""

    seen_limits: Mapping[str, float] = MappingProxyType({})

    def __init__(self, script: list[Reply | ProviderError | float]) -> None:
        self.script, self.requests = script, 0

    async def answer(self, call: Call) -> Reply:
        """Play the next item; a number is a wait in seconds before the one after it."""
        self.requests += 1
        item = self.script.pop(0)
        if isinstance(item, float):
            await asyncio.sleep(item)
            item = self.script.pop(0)
        if isinstance(item, ProviderError):
            raise item
        assert isinstance(item, Reply)
        assert item.key == call.key
        return item

    async def close(self) -> None:
        """Nothing to close."""


def run(
    script: list[Reply | ProviderError | float],
    call: Call,
    account: Account | None = None,
    stopped: bool = False,
    observer: Observer | None = None,
) -> tuple[Answer | None, int, list[float]]:
    """Answer one call; returns the answer, the requests sent and the waits between them."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def go() -> tuple[Answer | None, int]:
        client = Scripted(script)
        pace = Pace(LocalKeeper(LimitKeeper(Limits())), "actor")
        used = account or Account("openai", "openai")
        attempts = Attempts(used, client, pace, Spending(None, None), lambda: stopped, sleep, observer)
        return await attempts.answer(call), client.requests

    answer, requests = asyncio.run(go())
    return answer, requests, waits


def failing(reaction: str, times: int, retry_after: float | None = None) -> list[Reply | ProviderError | float]:
    """The same failure several times."""
    return [ProviderError(reaction, "words", retry_after) for _ in range(times)]  # type: ignore[arg-type]


@pytest.fixture
def call(make_call: Callable[[str], Call]) -> Call:
    """One call."""
    return make_call("a")


def test_reply_says_when_and_how_it_came(call: Call, make_reply: MakeReply) -> None:
    """A reply carries its attempts, its latency and the time it was received."""
    answer, requests, _ = run([*failing("retry", 2), make_reply(call)], call)
    assert isinstance(answer, Reply)
    assert (answer.attempts, requests) == (3, 3)
    assert answer.received_at > "2026-01-02"
    assert answer.latency_seconds is not None


def test_passing_faults_are_tried_again_with_growing_waits(call: Call, make_reply: MakeReply) -> None:
    """Waits double, with jitter, so that a struggling server is not hammered."""
    _, _, waits = run([*failing("retry", 4), make_reply(call)], call)
    assert len(waits) == 4
    for number, wait in enumerate(waits):
        assert 0.25 * 2**number <= wait <= 0.5 * 2**number


def test_wait_asked_for_is_obeyed(call: Call, make_reply: MakeReply) -> None:
    """The provider's own delay wins over ours."""
    _, _, waits = run([*failing("retry", 1, 7.5), make_reply(call)], call)
    assert waits == [7.5]


def test_attempts_are_bounded(call: Call) -> None:
    """A call that never succeeds ends as a failure with the provider's words and the requests it cost."""
    answer, requests, _ = run(failing("retry", 50), call, Account("openai", "openai", max_attempts=3))
    assert answer == Failure(call.key, "openai", "gave up after 3 attempts: words", 3)
    assert requests == 3


def test_busy_costs_no_attempt(call: Call, make_reply: MakeReply) -> None:
    """429s that pass never use up a row's attempts."""
    script = [*failing("busy", 4, 0.001), make_reply(call)]
    answer, requests, _ = run(script, call, Account("openai", "openai", max_attempts=2))
    assert isinstance(answer, Reply)
    assert requests == 5


def test_busy_for_ever_ends_by_the_deadline(call: Call) -> None:
    """A throttled row has a total deadline, and the failure names it."""
    account = Account("openai", "openai", row_timeout_seconds=0.05)
    answer, _, _ = run(failing("busy", 1000, 0.005), call, account)
    assert isinstance(answer, Failure)
    assert "gave up after 0.05 s" in answer.error


@pytest.mark.parametrize(("reaction", "fatal"), [("row", False), ("account", True)])
def test_hopeless_failures_are_not_tried_again(call: Call, reaction: str, fatal: bool) -> None:
    """A row's own fault and an account's fault each cost one request."""
    answer, requests, waits = run(failing(reaction, 1), call)
    assert answer == Failure(call.key, "openai", "words", 1, fatal, "" if fatal else "unnamed")
    assert (requests, waits) == (1, [])


def test_hang_ends_by_the_deadline(call: Call, make_reply: MakeReply) -> None:
    """A server that never answers costs the timeout, and the call is tried again."""
    account = Account("openai", "openai", timeout_seconds=0.05)
    answer, requests, _ = run([5.0, make_reply(call), make_reply(call)], call, account)
    # The first request waited on the first item; its reply item was never taken.
    assert isinstance(answer, Reply)
    assert requests == 2


def test_stopped_run_sends_nothing(call: Call, make_reply: MakeReply) -> None:
    """After a stop no further request leaves."""
    answer, requests, _ = run([make_reply(call)], call, stopped=True)
    assert (answer, requests) == (None, 0)


def test_emulator_never_answers_a_real_call(call: Call, make_reply: MakeReply) -> None:
    """A simulated reply to a call that is not simulated stops the account and is not kept."""
    from dataclasses import replace

    answer, _, _ = run([replace(make_reply(call), simulated=True)], call)
    assert isinstance(answer, Failure)
    assert answer.fatal
    assert "emulator" in answer.error


def test_observer_hears_of_each_request_without_a_reply(call: Call, make_reply: MakeReply) -> None:
    """What was sent again and what was given up are told once each, with the attempt; a reply is not told here."""
    told: list[tuple[str, int, bool]] = []

    class Listener(Observer):
        def unanswered(self, call: Call, error: ProviderError, attempt: int, seconds: float, again: bool) -> None:
            told.append((error.reaction, attempt, again))

    script = [*failing("busy", 1, 0.001), *failing("retry", 2), make_reply(call)]
    run(script, call, observer=Listener())
    assert told == [("busy", 1, True), ("retry", 2, True), ("retry", 3, True)]
    told.clear()
    run(failing("retry", 2), call, Account("openai", "openai", max_attempts=2), observer=Listener())
    assert told == [("retry", 1, True), ("retry", 2, False)]
