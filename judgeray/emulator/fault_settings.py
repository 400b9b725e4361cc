"""Settings of fault injection: which faults, where, how often."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from judgeray.emulator.fault_names import BATCH_FAULTS, FaultName, Place, places, usual_places, usual_times
from judgeray.emulator.settings import Amount, ApiName, Seconds, Settings, Share

ALWAYS: Literal["always"] = "always"


class FaultRule(Settings):
    """One fault and whom it befalls.

    `api` None is every API; `routes` None is wherever prompts are answered (`realtime`, and `row` of a batch), or
    `batch` for faults of whole batches. On those routes a prompt's digest decides, so that the same prompt meets
    the same fault; `times` says how many of its arrivals meet it before it passes, by default one for transient
    faults and `always` for lasting ones. On the other routes every request draws anew, and `times` says how many
    requests meet the fault in all, by default any number. `truncated_results` and `cut_download` count downloads.
    """

    fault: FaultName
    probability: Share = 1.0
    api: ApiName | None = None
    routes: Annotated[tuple[Place, ...] | None, Field(strict=False)] = None
    times: Amount | Literal["always"] | None = None

    @model_validator(mode="after")
    def _can_happen_there(self) -> FaultRule:
        possible = places(self.fault)
        wrong = [route for route in self.routes or () if route not in possible]
        if wrong:
            raise ValueError(f"{self.fault} cannot happen on {wrong[0]}, only on {', '.join(sorted(possible))}")
        return self

    def applies(self, api: str, place: Place) -> bool:
        """Whether this rule holds on a place of an API."""
        where = usual_places(self.fault) if self.routes is None else self.routes
        return self.api in (None, api) and place in where

    def arrivals(self) -> int | None:
        """How many arrivals of a prompt meet the fault, None for all."""
        if self.times is None:
            return usual_times(self.fault)
        return None if self.times == ALWAYS else self.times

    def requests(self) -> int | None:
        """How many requests to a route without prompts meet the fault, None for any number."""
        return None if self.times is None or self.times == ALWAYS else self.times


class Faults(Settings):
    """Faults of one server; by default none.

    With `markers`, a prompt whose text holds `[[fault:NAME]]` meets exactly that fault, as often as is usual for
    it, or `[[fault:NAME*3]]` three times; a marked row brings a fault of whole batches upon its batch. Where a
    marked fault cannot happen (say, `hang` to a row of a batch), nothing does. `expired_share` is the share of
    rows that an expired batch has executed.
    """

    seed: int = 0
    markers: bool = False
    rules: Annotated[tuple[FaultRule, ...], Field(strict=False)] = ()
    retry_after_seconds: Seconds = 1.0
    slow_seconds: Seconds = 2.0
    hang_seconds: Seconds = 3600.0
    expired_share: Share = 0.5

    @model_validator(mode="after")
    def _leaves_room(self) -> Faults:
        for api in get_args(ApiName):
            for place in get_args(Place):
                rules = [r for r in self.rules if r.applies(api, place) and r.fault not in BATCH_FAULTS]
                total = sum(rule.probability for rule in rules)
                if total > 1 + 1e-9:
                    raise ValueError(f"probabilities of faults on {api} {place} sum to {total:g}, above 1")
        return self
