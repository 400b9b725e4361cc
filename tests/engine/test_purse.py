"""Laws of the budget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.purse import Purse
from judgeray.engine.purses import LocalPurse
from judgeray.engine.spending import Spending
from judgeray.providers.prices import Price, Prices

amounts = st.floats(0.001, 1.0)


@given(budget=st.floats(0.1, 5.0), steps=st.lists(st.tuples(amounts, st.floats(0, 1)), max_size=60))
def test_spent_and_reserved_never_exceed_the_budget(budget: float, steps: list[tuple[float, float]]) -> None:
    """Whatever is asked, in whatever order, as long as no call costs more than was set aside for it."""
    purse, aside = Purse(budget), list[float]()
    for amount, share in steps:
        if purse.reserve(amount) == "yes":
            aside.append(amount)
        elif aside:
            reserved = aside.pop()
            purse.settle(reserved, reserved * share)
        assert purse.spent_usd + purse.aside_usd <= budget + 1e-9


def test_waits_while_replies_may_free_money_and_then_says_no() -> None:
    """A call that does not fit now waits for the calls on their way; when none is, it is refused for good."""
    purse = Purse(1.0)
    assert purse.reserve(0.8) == "yes"
    assert purse.reserve(0.5) == "wait"
    purse.settle(0.8, 0.4)
    assert purse.reserve(0.5) == "yes"
    purse.settle(0.5, 0.5)
    assert purse.reserve(0.2) == "no"
    assert purse.spent_usd == pytest.approx(0.9)


def spending(purse: Purse) -> Spending:
    """Spending at a dollar a token in, ten a token out (per million)."""
    prices = Prices({"openai": "openai"}, {"gpt-4.1": Price(1.0, 10.0)})
    return Spending(LocalPurse(purse), prices)


def test_reply_replaces_what_was_set_aside(
    make_call: Callable[[str], Call], make_reply: Callable[..., Reply]
) -> None:
    """After a reply only its cost is spent: 10 tokens in and 5 out."""

    async def go() -> Purse:
        purse = Purse(1.0)
        reserved = await spending(purse).reserve(make_call("a"))
        assert reserved is not None
        assert reserved > 60e-6
        await spending(purse).settle(reserved, make_reply(make_call("a")))
        return purse

    purse = asyncio.run(go())
    assert purse.aside_usd == 0
    assert purse.spent_usd == pytest.approx(60e-6)


def test_lost_request_counts_as_billed_and_a_refused_one_does_not(make_call: Callable[[str], Call]) -> None:
    """Money that may be gone is taken as gone; a 429 costs nothing."""

    async def go() -> tuple[float, float, float]:
        purse = Purse(1.0)
        lost = await spending(purse).reserve(make_call("a"))
        refused = await spending(purse).reserve(make_call("b"))
        assert lost is not None
        assert refused is not None
        await spending(purse).settle(lost, None)
        await spending(purse).give_back(refused)
        return purse.spent_usd, purse.aside_usd, lost

    spent, aside, lost = asyncio.run(go())
    assert (spent, aside) == (lost, 0.0)


def test_without_a_purse_nothing_is_reserved(make_call: Callable[[str], Call]) -> None:
    """A run without budget asks nobody."""
    assert asyncio.run(Spending(None, None).reserve(make_call("a"))) == 0.0
