"""Each provider account of a run of so many rows: amounts, dollars, time in each mode, and what binds it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from judgeray.engine.batches.counter import WINDOW_HOURS
from judgeray.engine.batches.cut import SHARE_OF_CAP
from judgeray.engine.limits import HEADROOM
from judgeray.engine.pace import CHARACTERS_PER_TOKEN
from judgeray.engine.rounds import WINDOW_CALLS
from judgeray.providers.account import IN_PROCESS, Account
from judgeray.providers.batch import LINE_OVERHEAD_BYTES
from judgeray.providers.connect import batch_caps
from judgeray.run.estimate import CostEstimate, estimate_cost, together
from judgeray.run.plan import minutes_at
from judgeray.run.scale.measured import CLIENT_SECONDS, IN_PROCESS_SECONDS
from judgeray.run.scale.mix import ArmMix, Mix


@dataclass(frozen=True)
class Bound:
    """How long something takes, and what makes it take so long."""

    hours: float
    by: str


@dataclass(frozen=True)
class ScaledAccount:
    """One account's share; `cost` is realtime, `core_hours` the actors' own, `batch` None without a batch API."""

    calls: int
    input_tokens: int
    output_tokens: int
    cost: CostEstimate
    realtime: Bound
    core_hours: float
    batches: int = 0
    batch: Bound | None = None


def scaled_accounts(mix: Mix, rows: int) -> dict[str, ScaledAccount]:
    """All accounts for so many rows of the mix."""
    total = sum(arm.calls for arm in mix.arms) * rows
    return {name: _scaled(mix, name, rows, total) for name in mix.accounts}


def _scaled(mix: Mix, name: str, rows: int, total_calls: float) -> ScaledAccount:
    arms = [arm for arm in mix.arms if arm.account == name]
    account, in_process = mix.accounts[name], mix.accounts[name].kind in IN_PROCESS
    calls, read, written = (
        math.ceil(sum(getattr(arm, part) for arm in arms) * rows)
        for part in ("calls", "input_tokens", "output_tokens")
    )
    core_hours = calls * (IN_PROCESS_SECONDS if in_process else CLIENT_SECONDS) / 3600
    realtime = _realtime(
        account, calls, read, written, 0.0 if in_process else mix.latency_seconds[name], core_hours
    )
    cost = together([_cost(arm, rows) for arm in arms])
    if in_process:
        return ScaledAccount(calls, 0, 0, cost, realtime, core_hours)
    batches = _batches(account, arms, rows)
    batch = _batch(account, batches, read, total_calls)
    return ScaledAccount(calls, read, written, cost, realtime, core_hours, batches, batch)


def _cost(arm: ArmMix, rows: int) -> CostEstimate:
    guess_usd = None if arm.guess_usd is None else arm.guess_usd * rows
    return estimate_cost(arm.pilot_usd, math.ceil(arm.calls * rows), guess_usd)


def _realtime(
    account: Account, calls: int, read: int, written: int, latency_seconds: float, core_hours: float
) -> Bound:
    """The slowest of: each limit, the places for calls in flight, and the actors' cores."""
    per_minute = minutes_at(account.limits, calls, read, written)
    bounds = [Bound(minutes / HEADROOM / 60, name) for name, minutes in per_minute.items()]
    if account.limits.requests_per_day is not None:
        bounds.append(Bound(calls / account.limits.requests_per_day * 24, "requests_per_day"))
    places = account.actors * account.concurrency
    bounds.append(Bound(calls * latency_seconds / places / 3600, "actors x concurrency"))
    bounds.append(Bound(core_hours / account.actors, "actors"))
    return max(bounds, key=lambda bound: bound.hours)


def _batches(account: Account, arms: list[ArmMix], rows: int) -> int:
    """Batches by what one may hold; each of them holds calls of one model."""
    caps = batch_caps(account.kind)
    most = min(caps.most_requests, account.batch.most_requests or caps.most_requests)
    calls, size = Counter[str](), Counter[str]()
    for arm in arms:
        calls[arm.model] += math.ceil(arm.calls * rows)
        line = arm.input_tokens * CHARACTERS_PER_TOKEN + arm.calls * LINE_OVERHEAD_BYTES
        size[arm.model] += math.ceil(line * rows)
    most_bytes = caps.most_bytes * SHARE_OF_CAP
    return sum(math.ceil(max(calls[model] / most, size[model] / most_bytes)) for model in calls)


def _batch(account: Account, batches: int, input_tokens: int, total_calls: float) -> Bound:
    """At most, if every batch takes its whole window: by rounds, batches at once, and tokens enqueued at once."""
    waves = [
        (math.ceil(total_calls / WINDOW_CALLS), f"{WINDOW_CALLS:,} calls a round"),
        (math.ceil(batches / account.batch.most_open), "batch.most_open"),
    ]
    if account.batch.most_enqueued_tokens is not None:
        waves.append((math.ceil(input_tokens / account.batch.most_enqueued_tokens), "batch.most_enqueued_tokens"))
    number, by = max(waves)
    return Bound(number * WINDOW_HOURS, by)
