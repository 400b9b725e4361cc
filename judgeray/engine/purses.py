"""The run's one purse as those who spend from it see it: in this process, or in a Ray actor for all nodes."""

from __future__ import annotations

from threading import Lock
from typing import Any

from judgeray.engine.purse import Answer, Purse


class LocalPurse:
    """A purse that the accounts of one process spend from, each in a thread of its own."""

    def __init__(self, purse: Purse) -> None:
        self._purse, self._lock = purse, Lock()

    async def reserve(self, amount_usd: float) -> Answer:
        """See `Purse.reserve`."""
        with self._lock:
            return self._purse.reserve(amount_usd)

    async def commit(self, amount_usd: float) -> None:
        """See `Purse.commit`."""
        with self._lock:
            self._purse.commit(amount_usd)

    async def settle(self, reserved_usd: float, cost_usd: float) -> None:
        """See `Purse.settle`."""
        with self._lock:
            self._purse.settle(reserved_usd, cost_usd)


class SharedPurse:
    """A purse in a Ray actor (`keepers.shared_purse`)."""

    def __init__(self, handle: Any) -> None:  # noqa: ANN401 -- Ray types no remote methods
        self._handle = handle

    async def reserve(self, amount_usd: float) -> Answer:
        """See `Purse.reserve`."""
        answer: Answer = await self._handle.reserve.remote(amount_usd)
        return answer

    async def commit(self, amount_usd: float) -> None:
        """See `Purse.commit`."""
        await self._handle.commit.remote(amount_usd)

    async def settle(self, reserved_usd: float, cost_usd: float) -> None:
        """See `Purse.settle`."""
        await self._handle.settle.remote(reserved_usd, cost_usd)
