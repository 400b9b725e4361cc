"""The observer of one actor of a pool: is told what happened, keeps sums, and now and then hands them on."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import NamedTuple, get_args

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Answer, Reply
from judgeray.engine.batches.record import BatchRecord, Step
from judgeray.engine.observe.event_log import EventLog, Fact
from judgeray.engine.observe.metrics import BATCH_CALLS, BATCHES, BUSY, FAILED, IN_FLIGHT, LIMIT, RETRIES, WAITING
from judgeray.engine.observe.observed import Observed, write_limits
from judgeray.engine.observe.ray_metrics import Meters, RayMetrics
from judgeray.engine.observe.tallies import Price, Tallies
from judgeray.providers.errors import ProviderError

FLUSH_SECONDS = 1.0
LIMITS_EVERY = 5
"""Flushes between two looks at the limits in force, which for several actors are kept in another process."""

LIMITS_DEADLINE_SECONDS = 30.0
LEFT_OUT_SECONDS = 60.0

Limits = Callable[[], Awaitable[Mapping[str, float]]]


class Waits(NamedTuple):
    """Calls of one actor that are sent and not answered, and those that wait: for a slot, or for the limits."""

    in_flight: int
    for_slot: int = 0
    for_limit: int = 0
    mode: str = "realtime"


def unpriced(_: Reply) -> float | None:
    """The cost of a reply where nobody knows prices."""
    return None


class Observer:
    """Without a log and meters it is silent, and still cheap to tell."""

    def __init__(
        self, provider: str = "", log: EventLog | None = None, meters: Meters | None = None, price: Price = unpriced
    ) -> None:
        self._provider, self._log, self._meters = provider, log or EventLog(), meters
        self._tallies = Tallies(provider, price)
        self._failed = 0
        self._busy, self._retries = Counter[str](), Counter[str]()
        self._batches: dict[str, BatchRecord] = {}
        self._at_step, self._calls_at_step = Counter[str](), Counter[str]()
        self._limits: Mapping[str, float] = {}
        self._told_left_out_at = time.monotonic()

    def answered(self, answer: Answer) -> None:
        """A call's reply or failure is on storage."""
        if isinstance(answer, Reply):
            self._tallies.add(answer)
        else:
            self._failed += 1

    def unanswered(self, call: Call, error: ProviderError, attempt: int, seconds: float, again: bool) -> None:
        """A request brought no reply, `seconds` after the call was taken up: it is sent `again`, or has failed."""
        facts: dict[str, Fact] = {"key": call.key, "code": error.code, "attempt": attempt, "seconds": seconds}
        if not again:
            self._log.error("call_failed", **facts, reaction=error.reaction)
            return
        busy = error.reaction == "busy"
        (self._busy if busy else self._retries)[_status(error.code)] += 1
        wait = error.retry_after_seconds
        self._log.warning("busy" if busy else "retry", **facts, retry_after_seconds=wait)

    def row_failed(self, call: Call, error: ProviderError) -> None:
        """A row of a batch can never be answered."""
        self._log.error("call_failed", key=call.key, code=error.code, reaction=error.reaction)

    def opened(self, **facts: str | int) -> None:
        """The actor has its client and can send."""
        self._log.info("actor_opened", **facts)

    def stopped(self, words: str) -> None:
        """This actor stopped its account, or the run, for a reason in the provider's words or ours."""
        self._log.error("account_stopped", words=words)

    def storage_problem(self, error: OSError | BadInputError) -> None:
        """Storage did not take what it was given."""
        told = error.strerror if isinstance(error, OSError) else str(error)
        errno = error.errno if isinstance(error, OSError) else None
        self._log.error("storage_problem", error=type(error).__name__, words=told, errno=errno)

    def limit_changed(self, change: str, factor: float, limits: Mapping[str, float]) -> None:
        """The account's limits were learned, cut or recovered; see `LimitLog`."""
        write_limits(self._log, change, factor, limits)

    def batch_changed(self, record: BatchRecord) -> None:
        """A batch was written down anew; its steps and the provider's states are logged."""
        before = self._batches.get(record.tag)
        self._batches[record.tag] = record
        for each, sign in ((before, -1), (record, 1)):
            if each is not None:
                self._at_step[each.step] += sign
                self._calls_at_step[each.step] += sign * each.calls
        if before is None or (before.step, before.state) != (record.step, record.state):
            self._log.info(
                "batch_changed",
                tag=record.tag,
                batch_id=record.batch_id,
                step=record.step,
                state=record.state,
                calls=record.calls,
                attempt=record.tries,
            )

    def flush(self, waits: Waits) -> None:
        """Hand the sums on, and say which calls wait now."""
        self._tell_left_out(idle=not (waits.in_flight or waits.for_slot))
        if self._meters is None:
            return
        self._tallies.flush(self._meters)
        self._meters.add(FAILED, self._failed, provider=self._provider)
        self._failed = 0
        for metric, sums in ((BUSY, self._busy), (RETRIES, self._retries)):
            for status, answers in sums.items():
                self._meters.add(metric, answers, provider=self._provider, status=status)
            sums.clear()
        self._meters.put(IN_FLIGHT, waits.in_flight, provider=self._provider, mode=waits.mode)
        self._meters.put(WAITING, waits.for_slot, provider=self._provider, mode=waits.mode, reason="slot")
        self._meters.put(WAITING, waits.for_limit, provider=self._provider, mode=waits.mode, reason="limit")
        for bucket, per_minute in self._limits.items():
            self._meters.put(LIMIT, per_minute, provider=self._provider, bucket=bucket)
        for step in get_args(Step) if self._batches else ():
            self._meters.put(BATCHES, self._at_step[step], provider=self._provider, step=step)
            self._meters.put(BATCH_CALLS, self._calls_at_step[step], provider=self._provider, step=step)

    async def forever(self, waits: Callable[[], Waits], limits: Limits | None = None) -> None:
        """Flush again and again until cancelled; `limits` gives the limits in force per minute, by bucket."""
        for number in count():
            if limits is not None and self._meters is not None and number % LIMITS_EVERY == 0:
                # A keeper too busy to tell is asked again later.
                with suppress(TimeoutError):
                    async with asyncio.timeout(LIMITS_DEADLINE_SECONDS):
                        self._limits = await limits()
            self.flush(waits())
            await asyncio.sleep(FLUSH_SECONDS)

    def _tell_left_out(self, idle: bool) -> None:
        now = time.monotonic()
        if idle or now - self._told_left_out_at > LEFT_OUT_SECONDS:
            self._told_left_out_at = now
            self._log.tell_left_out()


def _status(code: str) -> str:
    """The HTTP status in a cause, or `transport`: a tag must not take whatever a server names."""
    status = code.partition(":")[0]
    return status if status == "transport" or (status.isdigit() and len(status) == 3) else "other"


def observer_for(observed: Observed | None, provider: str, process: str, price: Price | None) -> Observer:
    """The observer of an actor, with metrics in a Ray process alone; a silent one where nobody observes."""
    if observed is None:
        return Observer()
    log = observed.log(process, provider)
    meters = RayMetrics(observed.run) if observed.in_ray else None
    return Observer(provider, log, meters, price or unpriced)
