"""What a reply costs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from genai_prices import Usage as PricedUsage
from genai_prices import calc_price

from judgeray.core.reply import Reply, Usage
from judgeray.providers.account import Kind
from judgeray.providers.prices import BATCH_DISCOUNT, Price, Prices

KINDS: dict[str, Kind] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google",
    "local": "openai",
    "lex": "lexical",
}
DAY = "2026-11-30"


def _reply(provider: str, model: str, *counts: int | None, **more: Any) -> Reply:
    usage = Usage(*counts) if counts else Usage()
    return Reply("key", provider, model, "complete", "x", usage, received_at=f"{DAY}T12:00:00.000+00:00", **more)


STUDY_1 = [
    ("anthropic", "claude-opus-4-6", 5.0, 25.0, 0.5),
    ("openai", "gpt-4.1", 2.0, 8.0, 0.5),
    ("google", "gemini-3.1-flash-lite-preview", 0.25, 1.5, 0.025),
]
"""Models of study 1 with their prices per million tokens of input, output and cached input in November 2026."""


@pytest.mark.parametrize(("provider", "model", "fresh", "output", "cached"), STUDY_1)
def test_the_models_of_study_1_are_priced(
    provider: str, model: str, fresh: float, output: float, cached: float
) -> None:
    """Cost is fresh input, cached input and output (reasoning included), each at its own price."""
    reply = _reply(provider, model, 10_000, 2_000, 1_500, 4_000)
    expected = (6_000 * fresh + 4_000 * cached + 2_000 * output) / 1e6
    assert Prices(KINDS, {})(reply) == pytest.approx(expected, rel=1e-12)
    assert Prices(KINDS, {})(_reply(provider, f"models/{model}", 10_000, 2_000, None, 4_000)) == pytest.approx(
        expected
    )


@pytest.mark.parametrize(("provider", "model", "fresh", "output", "cached"), STUDY_1)
def test_batches_cost_half(provider: str, model: str, fresh: float, output: float, cached: float) -> None:
    """Half of the realtime price, as the table's own batch prices have it too."""
    prices, reply = Prices(KINDS, {}), _reply(provider, model, 10_000, 2_000)
    realtime, batch = prices(reply), prices(replace(reply, mode="batch"))
    assert realtime is not None
    assert batch == pytest.approx(realtime * BATCH_DISCOUNT)
    usage = PricedUsage(input_tokens=10_000, output_tokens=2_000)
    table = calc_price(usage, model, provider_id=provider, price_context={"processing": "batch"})
    assert batch == pytest.approx(float(table.total_price))


def test_a_price_is_that_of_the_replys_day() -> None:
    """A price that falls later leaves an old reply's cost alone; o3 cost 10 and 40 till June 2025, then 2 and 8."""
    prices, reply = Prices(KINDS, {}), _reply("openai", "o3", 1_000_000, 1_000_000)
    assert prices(replace(reply, received_at="2025-06-01T00:00:00.000+00:00")) == pytest.approx(50)
    assert prices(replace(reply, received_at="2025-07-01T00:00:00.000+00:00")) == pytest.approx(10)


def test_own_prices_come_first() -> None:
    """A manifest's price replaces the table's; cached input without a price of its own costs as much as fresh."""
    plain = Prices(KINDS, {"gpt-4.1": Price(1.0, 10.0), "mine": Price(1.0, 10.0, 0.5)})
    assert plain(_reply("openai", "gpt-4.1", 1_000, 100, None, 400)) == pytest.approx(0.002)
    assert plain(_reply("local", "mine", 1_000, 100, None, 400)) == pytest.approx(0.0018)
    assert plain(_reply("local", "mine", 1_000, 100, None, 400, mode="batch")) == pytest.approx(0.0009)


def test_input_written_to_a_cache_has_its_own_price() -> None:
    """Anthropic bills what is stored for later calls at 1.25 times fresh input."""
    reply = _reply("anthropic", "claude-opus-4-6", 2_000, 0)
    written = replace(reply, usage=replace(reply.usage, cache_write_tokens=1_000))
    fresh = Prices(KINDS, {})(reply)
    assert fresh is not None
    assert Prices(KINDS, {})(written) == pytest.approx(fresh * (1_000 + 1_250) / 2_000)


@pytest.mark.parametrize(
    "reply",
    [
        _reply("openai", "nobody-knows-me", 10, 10),
        _reply("stranger", "gpt-4.1", 10, 10),
        _reply("openai", "gpt-4.1"),
        _reply("openai", "gpt-4.1", 10, None),
        _reply("openai", "gpt-4.1", None, 10),
        _reply("openai", "gpt-4.1", 10, 10, None, 11),
        _reply("openai", "\ud800", 10, 10),
    ],
)
def test_what_is_not_known_has_no_cost(reply: Reply) -> None:
    """An unknown model, unknown counts or counts that contradict each other give None, never zero."""
    assert Prices(KINDS, {})(reply) is None


def test_the_lexical_judge_is_free() -> None:
    """What is computed here costs nothing, whether or not it counts tokens."""
    assert Prices(KINDS, {})(_reply("lex", "any")) == 0.0
    assert Prices(KINDS, {})(_reply("lex", "any", 10, 10)) == 0.0
