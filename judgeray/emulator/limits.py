"""Rate limits, enforced: who may be answered now, per API key and model."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import cast

from judgeray.emulator.anthropic_limits import ANTHROPIC_LIMITS
from judgeray.emulator.buckets import Bucket
from judgeray.emulator.gemini_limits import GEMINI_LIMITS
from judgeray.emulator.limit_manner import OUTPUT_TOKENS, REQUESTS, Level, LimitManner, Shortage
from judgeray.emulator.openai_limits import OPENAI_LIMITS
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.rates import DEFAULT_MODEL, Limits, Rates, burst_seconds
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.settings import ApiName

_MANNERS: Mapping[ApiName, LimitManner] = {
    "openai": OPENAI_LIMITS,
    "anthropic": ANTHROPIC_LIMITS,
    "gemini": GEMINI_LIMITS,
}
# A wait below a microsecond is the rounding of a wait that has been waited.
_NO_WAIT_SECONDS = 1e-6
_NO_HEADERS: Mapping[str, str] = {}

Buckets = Mapping[str, Bucket]


class Admission:
    """A prompt that was let in: what is charged once it is answered, and what its headers say."""

    __slots__ = ("_buckets", "_clock", "_manner")

    def __init__(self, manner: LimitManner, buckets: Buckets, clock: Callable[[], float]) -> None:
        self._manner, self._buckets, self._clock = manner, buckets, clock

    def spent(self, output_tokens: int) -> None:
        """Charge the tokens of the reply, where the API counts them."""
        if OUTPUT_TOKENS in self._buckets:
            self._buckets[OUTPUT_TOKENS].take(output_tokens, self._clock())

    def headers(self) -> Mapping[str, str]:
        """Headers that say how the limits stand; none where none are set."""
        return _headers(self._manner, self._buckets, self._clock()) if self._buckets else _NO_HEADERS


class Limiter:
    """The limits of one server, and what is left of them."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._set = {api for api in _MANNERS if limits.by_model(api)}
        self._buckets: dict[tuple[str, str, str], Buckets] = {}

    def admit(self, api: str, key: str, prompt: Prompt) -> Admission:
        """Let a prompt in and charge it, or raise RequestRefusedError (429) in the API's own manner."""
        name = cast("ApiName", api)
        manner = _MANNERS[name]
        buckets = self._of(name, key, prompt.model) if name in self._set else {}
        if buckets:
            self._charge(manner, buckets, prompt)
        return Admission(manner, buckets, self._clock)

    def failed(self, api: str, key: str, model: str) -> None:
        """Note a request that was refused before its prompt could be read, where such requests count."""
        name = cast("ApiName", api)
        if name in self._set and _MANNERS[name].charges_refused:
            self._charge_refused(self._of(name, key, model))

    def _of(self, api: ApiName, key: str, model: str) -> Buckets:
        buckets = self._buckets.get((api, key, model))
        if buckets is None:
            by_model = self._limits.by_model(api)
            rates = by_model.get(model) or by_model.get(DEFAULT_MODEL)
            buckets = self._buckets[api, key, model] = self._filled(api, rates) if rates else {}
        return buckets

    def _filled(self, api: ApiName, rates: Rates) -> Buckets:
        burst, now = burst_seconds(api, rates), self._clock()
        return {measure: Bucket(limit, burst, now) for measure, limit in rates.limits().items()}

    def _charge(self, manner: LimitManner, buckets: Buckets, prompt: Prompt) -> None:
        now, costs = self._clock(), manner.costs(prompt)
        waits = {measure: bucket.wait_seconds(costs[measure].wanted, now) for measure, bucket in buckets.items()}
        longest = max(waits, key=lambda measure: waits[measure])
        too_large = [m for m, b in buckets.items() if manner.charges_refused and costs[m].wanted > b.per_minute]
        if waits[longest] <= _NO_WAIT_SECONDS and not too_large:
            for measure, bucket in buckets.items():
                bucket.take(costs[measure].taken, now)
            return
        short = too_large[0] if too_large else longest
        wait_seconds = None if too_large else waits[longest]
        level = _level(buckets[short], now)
        refusal = manner.refusal(Shortage(prompt.model, short, level, int(costs[short].wanted), wait_seconds))
        if manner.charges_refused:
            self._charge_refused(buckets)
        raise _with_headers(refusal, _headers(manner, buckets, now))

    def _charge_refused(self, buckets: Buckets) -> None:
        requests, now = buckets.get(REQUESTS), self._clock()
        # A client that hammers on owes a minute at most, so that it can recover once it waits.
        if requests is not None and requests.level(now) > -requests.per_minute:
            requests.take(1, now)


def _level(bucket: Bucket, now: float) -> Level:
    return Level(int(bucket.per_minute), max(0, int(bucket.level(now))), bucket.full_seconds(now))


def _headers(manner: LimitManner, buckets: Buckets, now: float) -> dict[str, str]:
    return manner.headers({measure: _level(bucket, now) for measure, bucket in buckets.items()})


def _with_headers(refusal: RequestRefusedError, headers: Mapping[str, str]) -> RequestRefusedError:
    refusal.headers = {**headers, **refusal.headers}
    return refusal
