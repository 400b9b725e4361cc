"""Laws of tallies: what is handed on adds up to what was counted, and nothing unknown is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Call
from judgeray.core.reply import Reply, Usage
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
from judgeray.engine.observe.tallies import BOUNDS_SECONDS, Tallies
from tests.engine.observe.recorded import Recorded

MakeReply = Callable[..., Reply]


def test_sums_are_those_of_the_replies(make_call: Callable[[str], Call], make_reply: MakeReply) -> None:
    """Flushed in any portions, the figures are the ledger's: replies by outcome, tokens, dollars."""
    meters, tallies = Recorded(), Tallies("openai", lambda reply: 0.25)
    for number in range(30):
        reply = replace(make_reply(make_call(str(number))), usage=Usage(100, 7, cached_tokens=60))
        tallies.add(replace(reply, outcome="refused" if number % 3 == 0 else "complete"))
        if number % 7 == 0:
            tallies.flush(meters)
    tallies.flush(meters)
    tallies.flush(meters)
    assert meters.sums[ANSWERED] == {
        ("openai", "gpt-4.1", "realtime", "refused"): 10,
        ("openai", "gpt-4.1", "realtime", "complete"): 20,
    }
    assert [meters.total(metric) for metric in (INPUT_TOKENS, OUTPUT_TOKENS, CACHED_TOKENS)] == [3000, 210, 1800]
    assert meters.total(COST) == 30 * 0.25
    assert meters.total(UNPRICED) == 0


def test_what_is_not_known_is_not_zero(make_call: Callable[[str], Call], make_reply: MakeReply) -> None:
    """A reply without usage, price or latency counts as answered and as unpriced, and adds to nothing else."""
    meters, tallies = Recorded(), Tallies("openai", lambda reply: None)
    tallies.add(replace(make_reply(make_call("a")), usage=Usage()))
    tallies.flush(meters)
    assert meters.total(ANSWERED) == meters.total(UNPRICED) == 1
    for metric in (INPUT_TOKENS, OUTPUT_TOKENS, CACHED_TOKENS, COST, LATENCY_SUM, LATENCY_BUCKETS):
        assert meters.total(metric) == 0


def test_models_and_modes_are_kept_apart(make_call: Callable[[str], Call], make_reply: MakeReply) -> None:
    """Batches cost half, models differ: their tokens are not mixed."""
    meters, tallies = Recorded(), Tallies("openai", lambda reply: 0.0)
    reply = make_reply(make_call("a"))
    for each in (reply, replace(reply, mode="batch"), replace(reply, model="gpt-4.1-mini")):
        tallies.add(each)
    tallies.flush(meters)
    assert meters.sums[INPUT_TOKENS] == {
        ("openai", "gpt-4.1", "realtime"): 10,
        ("openai", "gpt-4.1", "batch"): 10,
        ("openai", "gpt-4.1-mini", "realtime"): 10,
    }


@given(st.lists(st.floats(0, 400), min_size=1, max_size=50))
def test_latency_buckets_are_a_histogram(seconds: list[float]) -> None:
    """Each bucket holds the replies within its bound, as Prometheus defines it, and the last one holds all."""
    meters, tallies = Recorded(), Tallies("openai", lambda reply: 0.0)
    for each in seconds:
        tallies.add(Reply("k", "openai", "m", "complete", "", Usage(), latency_seconds=each))
    tallies.flush(meters)
    buckets = {tags[-1]: count for tags, count in meters.sums[LATENCY_BUCKETS].items()}
    for bound in BOUNDS_SECONDS:
        assert buckets[f"{bound:g}"] == sum(each <= bound for each in seconds)
    assert buckets["+Inf"] == len(seconds)
