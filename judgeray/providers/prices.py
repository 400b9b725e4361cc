"""What a reply costs: the dated price table of `genai-prices`, or the manifest's own prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from genai_prices import Usage as PricedUsage
from genai_prices import calc_price

from judgeray.core.reply import Reply
from judgeray.providers.account import IN_PROCESS, Kind

BATCH_DISCOUNT = 0.5
"""All three providers bill batch calls at half price (their batch guides)."""

PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens; where cached input has no price of its own it costs as much as fresh input."""

    input_usd_per_million: float
    output_usd_per_million: float
    cached_input_usd_per_million: float | None = None


class Prices:
    """Prices replies by the kind of their provider account and their model."""

    def __init__(self, kinds: Mapping[str, Kind], own: Mapping[str, Price]) -> None:
        self._kinds, self._own = dict(kinds), dict(own)

    def __call__(self, reply: Reply) -> float | None:
        """Cost of one reply in US dollars; None where the model's price or the token counts are not known."""
        usage = reply.usage
        if usage.input_tokens is None or usage.output_tokens is None:
            return 0.0 if self._kinds.get(reply.provider) in IN_PROCESS else None
        tokens = (usage.input_tokens, usage.output_tokens, usage.cached_tokens or 0, usage.cache_write_tokens or 0)
        cost = self.cost(reply.provider, reply.model, *tokens, day=reply.received_at[:10])
        return cost * BATCH_DISCOUNT if cost is not None and reply.mode == "batch" else cost

    def cost(
        self,
        provider: str,
        model: str,
        input_tokens: int,
        output_tokens: int,
        cached_tokens: int = 0,
        written_tokens: int = 0,
        day: str = "",
    ) -> float | None:
        """Cost of one realtime call with these token counts.

        None where the model has no known price, or where there is more cached and cache-written input than input.
        `day` (YYYY-MM-DD) picks the price in force then, so that an old reply keeps its cost; today if empty. A
        price of the manifest's own takes written input for fresh input.
        """
        kind = self._kinds.get(provider)
        if kind in IN_PROCESS:
            return 0.0
        if cached_tokens + written_tokens > input_tokens:
            return None
        if own := self._own.get(model):
            return _own_cost(own, input_tokens, output_tokens, cached_tokens)
        if kind is None:
            return None
        known = model.removeprefix("models/")
        return _table_cost(kind, known, input_tokens, output_tokens, cached_tokens, written_tokens, day)


def _own_cost(price: Price, input_tokens: int, output_tokens: int, cached_tokens: int) -> float:
    cached = price.cached_input_usd_per_million
    cached_price = price.input_usd_per_million if cached is None else cached
    dollars = (input_tokens - cached_tokens) * price.input_usd_per_million + cached_tokens * cached_price
    return (dollars + output_tokens * price.output_usd_per_million) / PER_MILLION


@lru_cache(maxsize=65_536)
def _table_cost(
    kind: Kind, model: str, input_tokens: int, output_tokens: int, cached: int, written: int, day: str
) -> float | None:
    usage = PricedUsage(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cache_read_tokens=cached,
        cache_write_tokens=written or None,
    )
    when = datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
    try:
        price = calc_price(usage, model_ref=model, provider_id=kind, genai_request_timestamp=when)
        return float(price.total_price)
    except LookupError:
        return None
