"""The account's limits, kept in one place for the whole cluster and handed out in small leases.

Requests, input tokens, output tokens and both together are one bucket each. A bucket fills at its limit and is
nearly empty when full, so that nothing is handed out in bursts; it may be overdrawn by the last call it lets
through, and pays that back before the next.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from judgeray.engine.limits_history import LimitsHistory
from judgeray.providers.account import Limits
from judgeray.storage.place import Place

Amounts = Mapping[str, float]
"""Amounts by bucket name: a call's cost, a lease, a debt."""

BUCKETS: dict[str, str] = {
    "requests": "requests_per_minute",
    "input_tokens": "input_tokens_per_minute",
    "output_tokens": "output_tokens_per_minute",
    "tokens": "tokens_per_minute",
}
"""Bucket name -> field of `Limits`."""

HEADROOM = 0.985
"""Share of a limit that is handed out: clocks and token estimates are not exact."""

BURST_SECONDS = 0.5
"""What a bucket holds when full, in seconds of its limit."""

FRESH_SECONDS = 1.0
"""How long an actor's wish counts when the bucket is divided."""

CUT, LEAST, RECOVER = 0.8, 0.1, 0.05
CUT_EVERY_SECONDS, RECOVER_EVERY_SECONDS = 1.0, 3.0
SATURATED = 0.7
LEAST_GUESS_PER_MINUTE = 60.0
"""AIMD: a busy answer cuts the rate to `CUT` of itself, at most once a second and only if at least `SATURATED` of
the present rate was in use; quiet time gives `RECOVER` of the full rate back."""


@dataclass
class Bucket:
    """One limited resource; `per_minute` None means not limited."""

    per_minute: float | None = None
    level: float = 0.0
    used: deque[tuple[float, float]] = field(default_factory=deque)


Changed = Callable[[str, float, Mapping[str, float]], None]
"""Is told of changed limits."""

FREE = "free_seconds"
"""Stands in a lease of an account without any limit: for how long calls may go without asking again."""

FREE_SECONDS = 0.2
DAY_OVER = "day_over"
"""Stands in a lease when the day's requests are used up."""


class LimitKeeper:
    """Divides one account's limits among its actors. Plain and synchronous; `clock` counts seconds.

    `history` is a file that gets a JSON line for each change: what the provider said, and the limits since. `told`
    is called with the same: change, share of the limits in use, limits per minute.
    """

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        history: Place | None = None,
        used_today: int = 0,
        told: Changed | None = None,
    ) -> None:
        per_day = limits.requests_per_day
        self._left_today = None if per_day is None else max(0.0, per_day - used_today)
        self._clock, self._told = clock, told
        self._kept = None if history is None else LimitsHistory(history)
        self._configured = {name: getattr(limits, field) for name, field in BUCKETS.items()}
        self._buckets = {name: Bucket(per_minute) for name, per_minute in self._configured.items()}
        self._wishes: dict[str, tuple[float, Amounts]] = {}
        self._factor, self._last_cut, self._last_change = 1.0, float("-inf"), clock()
        self._filled_at = clock()
        self._guessed = False
        self.history: list[dict[str, float | str]] = []

    def lease(self, actor: str, wish: Amounts) -> dict[str, float]:
        """Take up to `wish` out of the buckets for one actor; a bucket without limit gives all that is wished."""
        now = self._clock()
        self._fill(now)
        self._wishes[actor] = (now, wish)
        given = {name: self._take(name, wished, now) for name, wished in wish.items()}
        if self._left_today is not None:
            return self._within_day(given, self._left_today)
        limited = any(bucket.per_minute is not None for bucket in self._buckets.values())
        return given if limited else {**given, FREE: FREE_SECONDS}

    def _within_day(self, given: dict[str, float], left: float) -> dict[str, float]:
        """Cut a lease down to what the day still allows, and say so when that is nothing."""
        given["requests"] = min(given["requests"], left)
        self._left_today = left - given["requests"]
        return given if left > 0 else {**given, DAY_OVER: 1.0}

    def in_force(self) -> dict[str, float]:
        """The limits that are kept now, per minute; buckets without limit are left out."""
        known = {name: bucket.per_minute for name, bucket in self._buckets.items()}
        return {name: per_minute * self._factor for name, per_minute in known.items() if per_minute is not None}

    def busy(self) -> None:
        """Note that the provider said it is busy: cut the rate, if it was in use."""
        now = self._clock()
        if now - self._last_cut < CUT_EVERY_SECONDS:
            return
        if not self._guess(now) and all(not self._saturated(name, now) for name in BUCKETS):
            return
        self._last_cut = self._last_change = now
        self._factor = max(LEAST, self._factor * CUT)
        self._note("busy", now)

    def _guess(self, now: float) -> bool:
        """Take the present rate for the limit where none is known; a low rate is no sign of a limit."""
        requests, observed = self._buckets["requests"], self._rate_per_minute("requests", now)
        if requests.per_minute is not None or observed < LEAST_GUESS_PER_MINUTE:
            return False
        requests.per_minute, self._guessed = observed, True
        return True

    def learn(self, seen: Mapping[str, float]) -> None:
        """Take in limits that the provider's headers state; the manifest's own are never exceeded."""
        for name, per_minute in seen.items():
            bucket, configured = self._buckets[name], self._configured[name]
            known = per_minute if configured is None else min(configured, per_minute)
            if bucket.per_minute != known:
                bucket.per_minute = known
                self._guessed = self._guessed and name != "requests"
                self._note(f"learned {name}", self._clock())

    def _fill(self, now: float) -> None:
        elapsed, self._filled_at = now - self._filled_at, now
        if (self._factor < 1 or self._guessed) and now - self._last_change >= RECOVER_EVERY_SECONDS:
            self._recover(now)
        for bucket in self._buckets.values():
            if bucket.per_minute is not None:
                per_second = bucket.per_minute / 60 * HEADROOM * self._factor
                bucket.level = min(per_second * BURST_SECONDS, bucket.level + per_second * elapsed)

    def _recover(self, now: float) -> None:
        """Quiet time: give a part of the rate back; a guessed limit grows on, for it may have been too low."""
        requests = self._buckets["requests"]
        if self._factor >= 1 and requests.per_minute is not None:
            requests.per_minute *= 1 + RECOVER
        self._factor, self._last_change = min(1.0, self._factor + RECOVER), now
        self._note("recovered", now)

    def _take(self, name: str, wished: float, now: float) -> float:
        bucket = self._buckets[name]
        if bucket.per_minute is not None:
            all_wishes = sum(w.get(name, 0.0) for at, w in self._wishes.values() if now - at <= FRESH_SECONDS)
            share = wished / all_wishes if all_wishes else 1.0
            wished = max(0.0, min(wished, bucket.level * share))
            bucket.level -= wished
        bucket.used.append((now, wished))
        while bucket.used and bucket.used[0][0] < now - 2.0:
            bucket.used.popleft()
        return wished

    def _rate_per_minute(self, name: str, now: float) -> float:
        used = self._buckets[name].used
        return sum(amount for at, amount in used if at >= now - 2.0) * 30

    def _saturated(self, name: str, now: float) -> bool:
        per_minute = self._buckets[name].per_minute
        return per_minute is not None and self._rate_per_minute(name, now) >= SATURATED * per_minute * self._factor

    def _note(self, event: str, now: float) -> None:
        limits = {name: each.per_minute for name, each in self._buckets.items() if each.per_minute is not None}
        mark: dict[str, float | str] = {"at_seconds": round(now, 3), "factor": round(self._factor, 4), **limits}
        self.history.append({"event": event, **mark})
        if self._told is not None:
            self._told(event, round(self._factor, 4), limits)
        if self._kept is not None:
            line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **self.history[-1]})
            self._kept.add(line + "\n")
