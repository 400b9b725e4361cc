"""Sums of what replies used, in plain numbers: this stands in the way of every call."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from itertools import accumulate

from judgeray.core.reply import Reply
from judgeray.engine.observe.metrics import (
    ANSWERED,
    CACHED_TOKENS,
    COST,
    INPUT_TOKENS,
    LATENCY_BUCKETS,
    LATENCY_SUM,
    OUTPUT_TOKENS,
    UNPRICED,
)
from judgeray.engine.observe.ray_metrics import Meters

Price = Callable[[Reply], float | None]

BOUNDS_SECONDS = (
    0.1,
    0.2,
    0.3,
    0.5,
    0.75,
    1.0,
    1.5,
    2.0,
    3.0,
    5.0,
    7.5,
    10.0,
    15.0,
    20.0,
    30.0,
    60.0,
    120.0,
    300.0,
)
"""Upper bounds of the latency buckets. They are counted here, for Ray takes observations only one by one, and its
agent counts each again."""

LABELS = (*(f"{bound:g}" for bound in BOUNDS_SECONDS), "+Inf")


class Tally:
    """What the replies of one model, in one mode, used since the last flush."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin again at zero."""
        self.outcomes: Counter[str] = Counter()
        self.input_tokens = self.output_tokens = self.cached_tokens = self.unpriced = 0
        self.cost_usd = self.latency_seconds = 0.0
        self.buckets = [0] * len(LABELS)

    def add(self, reply: Reply, cost_usd: float | None) -> None:
        """Count one reply; what is not known adds nothing."""
        usage, seconds = reply.usage, reply.latency_seconds
        self.outcomes[reply.outcome] += 1
        self.input_tokens += usage.input_tokens or 0
        self.output_tokens += usage.output_tokens or 0
        self.cached_tokens += usage.cached_tokens or 0
        if cost_usd is None:
            self.unpriced += 1
        else:
            self.cost_usd += cost_usd
        if seconds is not None:
            self.latency_seconds += seconds
            self.buckets[bisect_left(BOUNDS_SECONDS, seconds)] += 1

    def flush(self, meters: Meters, **tags: str) -> None:
        """Hand the sums over and begin again."""
        for outcome, count in self.outcomes.items():
            meters.add(ANSWERED, count, **tags, outcome=outcome)
        meters.add(INPUT_TOKENS, self.input_tokens, **tags)
        meters.add(OUTPUT_TOKENS, self.output_tokens, **tags)
        meters.add(CACHED_TOKENS, self.cached_tokens, **tags)
        meters.add(COST, self.cost_usd, **tags)
        meters.add(UNPRICED, self.unpriced, **tags)
        meters.add(LATENCY_SUM, self.latency_seconds, **tags)
        for label, count in zip(LABELS, accumulate(self.buckets), strict=True):
            meters.add(LATENCY_BUCKETS, count, **tags, le=label)
        self.clear()


class Tallies:
    """One tally per model and mode of a provider account."""

    def __init__(self, provider: str, price: Price) -> None:
        self._provider, self._price = provider, price
        self._tallies: dict[tuple[str, str], Tally] = {}

    def add(self, reply: Reply) -> None:
        """Count a reply."""
        kind = (reply.model, reply.mode)
        tally = self._tallies.get(kind)
        if tally is None:
            tally = self._tallies[kind] = Tally()
        tally.add(reply, self._price(reply))

    def flush(self, meters: Meters) -> None:
        """Hand all sums over; tallies that counted nothing are passed by."""
        for (model, mode), tally in self._tallies.items():
            if tally.outcomes:
                tally.flush(meters, provider=self._provider, model=model, mode=mode)
