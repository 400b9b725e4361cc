"""Where limits and budget are kept: limits of a single actor in itself, all else in small Ray actors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ray
from ray.actor import ActorHandle
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from judgeray.engine.limits import Amounts, Changed, LimitKeeper
from judgeray.engine.purse import Purse
from judgeray.providers.account import Account
from judgeray.storage.place import Place


class LocalKeeper:
    """The keeper of an account that has one actor."""

    def __init__(self, keeper: LimitKeeper) -> None:
        self._keeper = keeper

    async def lease(self, actor: str, wish: Amounts) -> Mapping[str, float]:
        """See `Keeper.lease`."""
        return self._keeper.lease(actor, wish)

    async def busy(self) -> None:
        """See `Keeper.busy`."""
        self._keeper.busy()

    async def learn(self, seen: Mapping[str, float]) -> None:
        """See `Keeper.learn`."""
        self._keeper.learn(seen)

    async def in_force(self) -> Mapping[str, float]:
        """See `LimitKeeper.in_force`."""
        return self._keeper.in_force()


class SharedKeeper:
    """The keeper of an account with several actors, on any nodes: measured at 0.6 ms a lease."""

    def __init__(self, handle: Any) -> None:  # noqa: ANN401 -- Ray types no remote methods
        self._handle = handle

    async def lease(self, actor: str, wish: Amounts) -> Mapping[str, float]:
        """See `Keeper.lease`."""
        given: Mapping[str, float] = await self._handle.lease.remote(actor, dict(wish))
        return given

    async def busy(self) -> None:
        """See `Keeper.busy`."""
        await self._handle.busy.remote()

    async def learn(self, seen: Mapping[str, float]) -> None:
        """See `Keeper.learn`."""
        await self._handle.learn.remote(dict(seen))

    async def in_force(self) -> Mapping[str, float]:
        """See `LimitKeeper.in_force`."""
        limits: Mapping[str, float] = await self._handle.in_force.remote()
        return limits


def shared_keeper(
    account: Account, history: Place, used_today: int, told: Changed | None = None
) -> ActorHandle[Any]:
    """Start the Ray actor that keeps an account's limits for several actors."""
    remote = _beside_the_driver(LimitKeeper)
    handle: ActorHandle[Any] = remote.remote(account.limits, history=history, used_today=used_today, told=told)
    return handle


def shared_purse(purse: Purse) -> ActorHandle[Any]:
    """Start the Ray actor that keeps a run's budget for all its accounts."""
    handle: ActorHandle[Any] = _beside_the_driver(Purse).remote(purse.budget_usd, purse.spent_usd)
    return handle


def _beside_the_driver(kept: type) -> Any:  # noqa: ANN401 -- Ray types no remote classes
    """Make a Ray actor on the driver's own node, which no node's death but the run's own end can take.

    It asks for no CPU: a head node often offers none.
    """
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    remote: Any = ray.remote
    return remote(num_cpus=0, scheduling_strategy=here)(kept)


def keeper_for(
    account: Account, handle: ActorHandle[Any] | None, history: Place, used_today: int, told: Changed | None = None
) -> LocalKeeper | SharedKeeper:
    """The keeper as an actor of the pool uses it."""
    if handle is not None:
        return SharedKeeper(handle)
    return LocalKeeper(LimitKeeper(account.limits, history=history, used_today=used_today, told=told))
