"""How many actors an account's pool may have: as many as the work needs and its limits can feed."""

from __future__ import annotations

import math

from judgeray.providers.account import Account, Limits

BLOCKS_PER_ACTOR = 8
"""Blocks in flight per actor: one slow call holds its block, not the actor."""

LONG_LATENCY_SECONDS = 20.0
"""How long a slow judge takes for a reply: what a limit lets start in this time may be in flight at once."""

ACTOR_CALLS_PER_SECOND = 500.0
"""What is asked of one actor in a second. A call takes it about 1 ms of a core (`bench_cpu.py`): at this rate
half of one is in use, and replies wait little for their turn."""

SMALL_CALL_TOKENS = {"input_tokens_per_minute": 400, "output_tokens_per_minute": 100, "tokens_per_minute": 500}
"""A short prompt and its verdict: limits of tokens allow no more calls than of these."""


def most_actors(account: Account, blocks: int) -> int:
    """Actors that an account's pool starts with, and the most it ever has, for so many blocks of calls.

    `account.actors` is the most. Ray Data takes an actor that waits for the rate limiter for a busy one, so the
    pool is bounded here; Ray lets idle actors go when the blocks run out.
    """
    needed = math.ceil(blocks / BLOCKS_PER_ACTOR)
    return max(1, min(account.actors, needed, _fed(account)))


def blocks_each(blocks: int, actors: int) -> int:
    """Blocks that an actor may hold at once, so that none takes the work of others that are about to start."""
    return max(1, min(BLOCKS_PER_ACTOR, math.ceil(blocks / actors)))


def _fed(account: Account) -> int:
    """Actors that the limits can keep busy: by calls in flight (Little's law) and by calls a second."""
    per_second = calls_per_second(account.limits)
    if per_second is None:
        return account.actors
    in_flight = per_second * LONG_LATENCY_SECONDS
    return math.ceil(max(in_flight / account.concurrency, per_second / ACTOR_CALLS_PER_SECOND))


def calls_per_second(limits: Limits) -> float | None:
    """Calls a second that limits allow at most, were all of them small; None without limits."""
    per_minute: list[float] = [limits.requests_per_minute] if limits.requests_per_minute else []
    for name, tokens in SMALL_CALL_TOKENS.items():
        limit: int | None = getattr(limits, name)
        if limit is not None:
            per_minute.append(limit / tokens)
    return min(per_minute) / 60 if per_minute else None
