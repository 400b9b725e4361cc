"""Mixes for tests: made by hand, or drawn."""

from __future__ import annotations

from typing import Literal, get_args

from hypothesis import strategies as st

from judgeray.providers.account import Account, BatchSettings, Limits
from judgeray.run.scale.mix import ArmMix, Mix
from judgeray.run.scale.observed import Sizes

Mode = Literal["realtime", "batch", "auto"]
MODES: st.SearchStrategy[Mode] = st.sampled_from(get_args(Mode))
PER_MINUTE = st.none() | st.integers(1, 10**8)
LIMITS = st.builds(
    Limits,
    requests_per_minute=PER_MINUTE,
    input_tokens_per_minute=PER_MINUTE,
    output_tokens_per_minute=PER_MINUTE,
    tokens_per_minute=PER_MINUTE,
    requests_per_day=PER_MINUTE,
)


def arm(account: str = "openai", calls: float = 1.0, model: str = "gpt-4.1") -> ArmMix:
    """One call a row, of 300 tokens in and 100 out, at a thousandth of a dollar."""
    return ArmMix(account, model, calls, 300.0 * calls, 100.0 * calls, 0.001 * calls)


def mix(*arms: ArmMix, latency_seconds: float = 5.0, **accounts: Account) -> Mix:
    """A mix of these arms; an account that is not given has no limits."""
    names = dict.fromkeys(each.account for each in arms)
    known = {name: accounts.get(name) or Account(name, "openai") for name in names}
    records = sum(each.calls for each in arms)
    return Mix(arms, known, dict.fromkeys(names, latency_seconds), records, len(arms), Sizes())


@st.composite
def mixes(draw: st.DrawFn) -> Mix:
    """Any mix of up to three arms on two accounts."""
    calls = st.floats(0.01, 20)
    arms = draw(st.lists(st.builds(arm, st.sampled_from(["openai", "lexical"]), calls), min_size=1, max_size=3))
    batch = draw(st.builds(BatchSettings, most_open=st.integers(1, 50), most_enqueued_tokens=PER_MINUTE))
    mode = draw(MODES)
    paid = Account("openai", "openai", mode=mode, batch=batch, limits=draw(LIMITS), actors=draw(st.integers(1, 16)))
    return mix(*arms, openai=paid, lexical=Account("lexical", "lexical"))
