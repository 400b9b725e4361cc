"""Settings of rate limits: what a minute holds, by API and model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, model_validator

from judgeray.emulator.settings import Amount, ApiName, Seconds, Settings

DEFAULT_MODEL = "default"
_COUNTED: Mapping[ApiName, frozenset[str]] = {
    "openai": frozenset({"requests_per_minute", "tokens_per_minute"}),
    "anthropic": frozenset({"requests_per_minute", "input_tokens_per_minute", "output_tokens_per_minute"}),
    "gemini": frozenset({"requests_per_minute", "input_tokens_per_minute"}),
}
_USUAL_BURST_SECONDS: Mapping[ApiName, float] = {"openai": 60, "anthropic": 1, "gemini": 60}


class Rates(Settings):
    """What one API key may use of one model in a minute; None is unlimited.

    `burst_seconds` is how many seconds' worth may be used at once (default: 60 for OpenAI and Gemini, 1 for
    Anthropic, which enforces its limits below the minute).
    """

    requests_per_minute: Amount | None = None
    tokens_per_minute: Amount | None = None
    input_tokens_per_minute: Amount | None = None
    output_tokens_per_minute: Amount | None = None
    burst_seconds: Annotated[Seconds, Field(gt=0, le=60)] | None = None

    def limits(self) -> dict[str, int]:
        """Limits per minute by what they count: `requests`, `tokens`, `input-tokens`, `output-tokens`."""
        set_here = self.model_dump(exclude={"burst_seconds"}, exclude_none=True)
        return {name.removesuffix("_per_minute").replace("_", "-"): value for name, value in set_here.items()}


class Limits(Settings):
    """Rates by API, then by model; `default` stands for every model that is not named.

    OpenAI counts requests and tokens; Anthropic requests, input and output tokens; Gemini requests and input
    tokens. Batches have limits of their own (`Batches`).
    """

    openai: dict[str, Rates] = Field(default_factory=dict)
    anthropic: dict[str, Rates] = Field(default_factory=dict)
    gemini: dict[str, Rates] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _only_what_the_api_counts(self) -> Limits:
        for api, counted in _COUNTED.items():
            for model, rates in self.by_model(api).items():
                other = set(rates.model_dump(exclude_none=True)) - counted - {"burst_seconds"}
                if other:
                    raise ValueError(f"{api}.{model}: {api} counts {', '.join(sorted(counted))} only")
        return self

    def by_model(self, api: ApiName) -> dict[str, Rates]:
        """The rates of one API by model."""
        given: dict[str, Rates] = getattr(self, api)
        return given


def burst_seconds(api: ApiName, rates: Rates) -> float:
    """How many seconds' worth of `rates` may be used at once."""
    return _USUAL_BURST_SECONDS[api] if rates.burst_seconds is None else rates.burst_seconds
