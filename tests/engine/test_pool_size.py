"""Laws of pool sizes: never more actors than the manifest, the work or the limits ask for, and never none."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.engine.pool_size import (
    ACTOR_CALLS_PER_SECOND,
    BLOCKS_PER_ACTOR,
    LONG_LATENCY_SECONDS,
    blocks_each,
    calls_per_second,
    most_actors,
)
from judgeray.providers.account import Account, Limits

PER_MINUTE = st.none() | st.integers(1, 10**9)
LIMITS = st.builds(
    Limits,
    requests_per_minute=PER_MINUTE,
    input_tokens_per_minute=PER_MINUTE,
    output_tokens_per_minute=PER_MINUTE,
    tokens_per_minute=PER_MINUTE,
)
ACCOUNTS = st.builds(
    Account,
    name=st.just("openai"),
    kind=st.sampled_from(["openai", "lexical", "nli"]),
    concurrency=st.integers(1, 4096),
    actors=st.integers(1, 1024),
    gpus_per_actor=st.sampled_from([0.0, 0.5, 1.0]),
    limits=LIMITS,
)
BLOCKS = st.integers(0, 100_000)


def account(actors: int, concurrency: int = 64, **limits: int) -> Account:
    """An account with so many actors at most."""
    return Account("openai", "openai", actors=actors, concurrency=concurrency, limits=Limits(**limits))


@given(ACCOUNTS, BLOCKS)
def test_pool_is_never_larger_than_what_is_said_or_wanted(asked: Account, blocks: int) -> None:
    """One actor at least; never more than `actors`, nor than the blocks can occupy."""
    size = most_actors(asked, blocks)
    assert 1 <= size <= asked.actors
    assert size <= max(1, math.ceil(blocks / BLOCKS_PER_ACTOR))


@given(ACCOUNTS, BLOCKS, st.integers(0, 10_000), st.integers(1, 100))
def test_more_work_or_looser_limits_never_mean_fewer_actors(
    asked: Account, blocks: int, further: int, times: int
) -> None:
    """The size is monotone in blocks, in `actors` and in every limit."""
    size = most_actors(asked, blocks)
    looser = {name: limit and limit * times for name, limit in vars(asked.limits).items()}
    assert most_actors(asked, blocks + further) >= size
    assert most_actors(replace(asked, actors=asked.actors + further), blocks) >= size
    assert most_actors(replace(asked, limits=Limits(**looser)), blocks) >= size


@given(ACCOUNTS)
def test_last_actor_can_be_fed(asked: Account) -> None:
    """With one actor fewer, slow replies would fill every place or calls a second would be too many for them."""
    size = most_actors(asked, 10**6)
    rate = calls_per_second(asked.limits)
    if rate is not None and size > 1:
        places, calls = (size - 1) * asked.concurrency, (size - 1) * ACTOR_CALLS_PER_SECOND
        assert rate * LONG_LATENCY_SECONDS > places or rate > calls


@given(BLOCKS, st.integers(1, 1024))
def test_all_actors_can_hold_all_blocks_and_none_much_more_than_its_part(blocks: int, actors: int) -> None:
    """Places suffice for all blocks up to eight an actor, and one place fewer each would not."""
    each = blocks_each(blocks, actors)
    assert 1 <= each <= BLOCKS_PER_ACTOR
    assert each * actors >= min(blocks, BLOCKS_PER_ACTOR * actors)
    assert (each - 1) * actors < max(1, blocks)


def test_work_decides_where_nothing_is_limited() -> None:
    """Without limits, eight blocks are one actor's work and the ninth asks for a second."""
    assert most_actors(account(4), BLOCKS_PER_ACTOR) == 1
    assert most_actors(account(4), BLOCKS_PER_ACTOR + 1) == 2
    assert most_actors(account(4), 10_000) == 4


@pytest.mark.parametrize(
    ("limits", "actors"),
    [
        ({"requests_per_minute": 60}, 1),  # 20 calls in flight at 20 s a reply
        ({"requests_per_minute": 600}, 4),  # 200 calls in flight
        ({"input_tokens_per_minute": 40_000}, 1),
        ({"requests_per_minute": 60_000, "tokens_per_minute": 30_000}, 1),
    ],
)
def test_low_limit_holds_one_actor(limits: dict[str, int], actors: int) -> None:
    """What one actor of 64 places carries is left to one, whatever limit it is that binds."""
    assert most_actors(account(16, **limits), 10_000) == actors


def test_fast_account_is_bound_by_what_an_actor_can_do() -> None:
    """Places alone do not make an actor: at thousands of calls a second its core is the limit."""
    assert most_actors(account(64, concurrency=4096, requests_per_minute=60_000), 10_000) == math.ceil(
        max(1_000 / ACTOR_CALLS_PER_SECOND, 1_000 * LONG_LATENCY_SECONDS / 4096)
    )
