"""Laws of the one purse: however many spend from it at once, wherever it is kept, the budget is never passed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from judgeray.engine.purse import Purse
from judgeray.engine.purses import LocalPurse, SharedPurse


class Method:
    """One method of a Ray actor's handle."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method

    async def remote(self, *arguments: Any) -> Any:
        """Call it."""
        return self._method(*arguments)


class Handle:
    """A purse behind the calls that a Ray actor's handle has."""

    def __init__(self, purse: Purse) -> None:
        self.reserve, self.commit, self.settle = Method(purse.reserve), Method(purse.commit), Method(purse.settle)


def test_threads_that_spend_at_once_never_pass_the_budget() -> None:
    """Eight accounts take what they can get, dollar by dollar; together they get the budget, and no more."""
    purse = Purse(1_000.0)
    shared, got = LocalPurse(purse), list[int]()

    async def spend() -> int:
        bought = 0
        while await shared.reserve(1.0) == "yes":
            await shared.settle(1.0, 1.0)
            bought += 1
        return bought

    threads = [threading.Thread(target=lambda: got.append(asyncio.run(spend()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    # One that met another's dollar set aside was told to wait, and stopped: the last of them was not.
    assert sum(got) == 1_000
    assert purse.spent_usd == pytest.approx(1_000.0)
    assert purse.aside_usd == 0


@pytest.mark.parametrize("kept", [LocalPurse, lambda purse: SharedPurse(Handle(purse))])
def test_a_purse_is_the_same_wherever_it_is_kept(kept: Callable[[Purse], LocalPurse | SharedPurse]) -> None:
    """What is set aside, sent by an earlier session, and spent is counted alike."""
    purse = Purse(10.0, spent_usd=1.0)

    async def go() -> list[str]:
        ours = kept(purse)
        answers: list[str] = [await ours.reserve(4.0)]
        await ours.commit(3.0)
        answers.append(await ours.reserve(4.0))
        await ours.settle(4.0, 2.0)
        await ours.settle(3.0, 6.5)
        answers.append(await ours.reserve(4.0))
        return answers

    assert asyncio.run(go()) == ["yes", "wait", "no"]
    assert purse.spent_usd == pytest.approx(9.5)
