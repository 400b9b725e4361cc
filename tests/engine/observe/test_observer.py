"""Laws of an actor's observer: what it is told comes out as figures and lines, and no text with them."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Failure, Reply
from judgeray.engine.batches.record import BatchRecord
from judgeray.engine.limits import LimitKeeper
from judgeray.engine.observe.cap import BURST_LINES
from judgeray.engine.observe.event_log import EventLog
from judgeray.engine.observe.metrics import (
    ANSWERED,
    BATCH_CALLS,
    BATCHES,
    BUSY,
    FAILED,
    IN_FLIGHT,
    LIMIT,
    RETRIES,
    WAITING,
)
from judgeray.engine.observe.observed import Observed
from judgeray.engine.observe.observer import Observer, Waits, observer_for
from judgeray.providers.account import Limits
from judgeray.providers.errors import ProviderError
from tests.engine.observe.recorded import Kept, Recorded

MakeReply = Callable[..., Reply]
IDLE = Waits(0)


@pytest.fixture
def meters() -> Recorded:
    """Meters that remember."""
    return Recorded()


@pytest.fixture
def kept() -> Kept:
    """A log in memory."""
    return Kept()


@pytest.fixture
def observer(meters: Recorded, kept: Kept) -> Observer:
    """An observer of the account openai."""
    return Observer("openai", EventLog(kept), meters)


def test_answers_are_counted_and_only_failures_logged(
    observer: Observer, meters: Recorded, kept: Kept, make_call: Callable[[str], Call], make_reply: MakeReply
) -> None:
    """A reply costs no line; a failure is one, with its key and cause, without the provider's words."""
    call = make_call("secret prompt")
    observer.answered(make_reply(call, text="secret reply"))
    error = ProviderError("row", "it said 'secret prompt'", code="400:bad_field")
    observer.unanswered(call, error, 3, 0.5, again=False)
    observer.answered(Failure(call.key, "openai", error.message, 3, code=error.code))
    observer.flush(IDLE)
    assert (meters.total(ANSWERED), meters.total(FAILED)) == (1, 1)
    (line,) = kept.events()
    assert (line["event"], line["key"], line["code"], line["attempt"]) == (
        "call_failed",
        call.key,
        "400:bad_field",
        3,
    )
    assert "secret" not in kept.lines[0]


def test_busy_answers_and_retries_are_told_apart(
    observer: Observer, meters: Recorded, kept: Kept, make_call: Callable[[str], Call]
) -> None:
    """Each has its own count by status and its own line, with how long the call has taken so far."""
    call = make_call("a")
    observer.unanswered(
        call, ProviderError("busy", "slow down", 2.0, "429:rate_limit_exceeded"), 1, 0.5, again=True
    )
    observer.unanswered(call, ProviderError("retry", "oh", code="500:server_error"), 2, 3.5, again=True)
    observer.unanswered(call, ProviderError("retry", "gone", code="transport:ConnectError"), 3, 4.5, again=True)
    observer.flush(IDLE)
    assert meters.sums[BUSY] == {("openai", "429"): 1}
    assert meters.sums[RETRIES] == {("openai", "500"): 1, ("openai", "transport"): 1}
    assert [(line["event"], line["attempt"], line["seconds"]) for line in kept.events()] == [
        ("busy", 1, 0.5),
        ("retry", 2, 3.5),
        ("retry", 3, 4.5),
    ]


@pytest.mark.parametrize("code", ["unnamed", "made:up", "", "4290:x", "batch:no_file"])
def test_no_server_can_invent_tags(
    observer: Observer, meters: Recorded, code: str, make_call: Callable[[str], Call]
) -> None:
    """Causes that are no HTTP status share one tag, so that Prometheus gets no series of a server's naming."""
    observer.unanswered(make_call("a"), ProviderError("retry", "w", code=code), 1, 0.1, again=True)
    observer.flush(IDLE)
    assert meters.sums[RETRIES] == {("openai", "other"): 1}


def test_row_of_a_batch_fails_with_its_cause(
    observer: Observer, kept: Kept, make_call: Callable[[str], Call]
) -> None:
    """What a batch says of a row is logged by its cause alone."""
    observer.row_failed(make_call("a"), ProviderError("row", "quoted text", code="400:too_long", blames_row=True))
    (line,) = kept.events()
    assert (line["event"], line["code"], line["reaction"]) == ("call_failed", "400:too_long", "row")
    assert "quoted" not in kept.lines[0]


def test_waits_are_shown_by_their_reason(observer: Observer, meters: Recorded) -> None:
    """Calls in flight, for a slot and for the limits are three figures, set anew by each flush."""
    observer.flush(Waits(9, 8, 7))
    observer.flush(Waits(1, 2, 3))
    assert meters.gauges[IN_FLIGHT] == {("openai", "realtime"): 1}
    assert meters.gauges[WAITING] == {("openai", "realtime", "slot"): 2, ("openai", "realtime", "limit"): 3}


def test_batches_are_counted_by_step_and_steps_logged_once(
    observer: Observer, meters: Recorded, kept: Kept
) -> None:
    """A batch stands under its last step alone; saving it without a new step or state is no event."""
    record = BatchRecord("jr1a1", "openai", 40)
    created = replace(record, step="created", batch_id="b1", state="validating")
    for each in (record, record, created, replace(created, uploaded_id="f"), replace(created, state="running")):
        observer.batch_changed(each)
    observer.batch_changed(BatchRecord("jr2a1", "openai", 2))
    observer.flush(IDLE)
    steps = {step: count for (_, step), count in meters.gauges[BATCHES].items() if count}
    calls = {step: count for (_, step), count in meters.gauges[BATCH_CALLS].items() if count}
    assert steps == {"created": 1, "intent": 1}
    assert calls == {"created": 40, "intent": 2}
    logged = [(line["tag"], line["step"], line.get("state")) for line in kept.events()]
    assert logged == [
        ("jr1a1", "intent", None),
        ("jr1a1", "created", "validating"),
        ("jr1a1", "created", "running"),
        ("jr2a1", "intent", None),
    ]


def test_flushing_goes_on_and_tells_the_limits(observer: Observer, meters: Recorded, kept: Kept) -> None:
    """The background task sets gauges until it is cancelled; a keeper that does not answer in time is passed by."""
    keeper = LimitKeeper(Limits(requests_per_minute=600), told=observer.limit_changed)
    asked: list[int] = []

    async def limits() -> Mapping[str, float]:
        asked.append(1)
        return keeper.in_force()

    async def late() -> Mapping[str, float]:
        raise TimeoutError

    async def go() -> None:
        tasks = [asyncio.create_task(observer.forever(lambda: Waits(5), each)) for each in (limits, late)]
        await asyncio.sleep(0.05)
        assert not any(task.done() for task in tasks)
        for task in tasks:
            task.cancel()

    keeper.learn({"requests": 300.0, "input_tokens": 1000.0})
    asyncio.run(go())
    assert asked == [1]
    assert meters.gauges[IN_FLIGHT] == {("openai", "realtime"): 5}
    assert meters.gauges[LIMIT] == {("openai", "requests"): 300, ("openai", "input_tokens"): 1000}
    changes = [(line["change"], line["factor"], line["per_minute"]) for line in kept.events()]
    assert changes[-1] == ("learned input_tokens", 1.0, {"requests": 300.0, "input_tokens": 1000.0})


def test_lines_left_out_are_told_when_the_actor_rests(
    observer: Observer, kept: Kept, make_call: Callable[[str], Call]
) -> None:
    """An actor may end without a word: whenever no call is left, it says what was not logged."""
    error = ProviderError("busy", "w", code="429")
    for _ in range(BURST_LINES + 7):
        observer.unanswered(make_call("a"), error, 1, 0.1, again=True)
    observer.flush(Waits(1))
    assert len(kept.lines) == BURST_LINES
    observer.flush(IDLE)
    assert kept.events()[-1]["lines"] == {"busy": 7}


def test_silent_observer_takes_everything(make_call: Callable[[str], Call], make_reply: MakeReply) -> None:
    """Where nobody observes, telling costs nothing and needs no Ray and no folder."""
    observer = observer_for(None, "openai", "openai-1", None)
    observer.answered(make_reply(make_call("a")))
    observer.unanswered(make_call("a"), ProviderError("busy", "w"), 1, 0.1, again=True)
    observer.stopped("why")
    observer.flush(IDLE)


def test_limits_kept_elsewhere_are_logged_there(tmp_path: Path) -> None:
    """The log of a limit keeper travels to its process unopened, and opens its own file there."""
    observed = Observed.below(tmp_path, "r", "0123456789abcdef")
    sent: LimitKeeper = pickle.loads(pickle.dumps(LimitKeeper(Limits(), told=observed.limit_log("openai"))))
    assert not (tmp_path / "logs").exists()
    sent.learn({"requests": 300.0})
    (path,) = (tmp_path / "logs").glob("*/*.jsonl")
    assert path.name == "openai-limits.jsonl"
    assert path.parent.name.endswith("-01234567")
    assert '"change":"learned requests"' in path.read_text()
