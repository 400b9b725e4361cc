"""Every metric that a run exports. Ray puts `ray_` before each name; no tag holds a row, a key or a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MODEL = ("model", "mode")
"""Tags beside `run` (the manifest's name) and `provider` (the account's), which all have."""


@dataclass(frozen=True)
class Metric:
    """A metric's name, kind, meaning and tags."""

    name: str
    kind: Literal["counter", "gauge"]
    about: str
    tags: tuple[str, ...]


def _counter(name: str, about: str, *tags: str) -> Metric:
    return Metric(f"judgeray_{name}_total", "counter", about, ("run", "provider", *tags))


def _gauge(name: str, about: str, *tags: str) -> Metric:
    return Metric(f"judgeray_{name}", "gauge", about, ("run", "provider", *tags))


ANSWERED = _counter("calls_answered", "Calls whose reply is on storage.", *MODEL, "outcome")
FAILED = _counter("calls_failed", "Calls that ended without a reply.")
BUSY = _counter("busy_answers", "429 and 529 answers after which the call waits and is sent again.", "status")
RETRIES = _counter("retries", "Requests sent again after a fault that may pass, by HTTP status.", "status")
INPUT_TOKENS = _counter("input_tokens", "Input tokens billed, cached ones included.", *MODEL)
OUTPUT_TOKENS = _counter("output_tokens", "Output tokens billed, reasoning included.", *MODEL)
CACHED_TOKENS = _counter("cached_tokens", "Input tokens read from a cache.", *MODEL)
COST = _counter("cost_usd", "Cost of replies in US dollars, as far as it is known.", *MODEL)
UNPRICED = _counter("calls_unpriced", "Replies whose cost is not known.", *MODEL)
LATENCY_BUCKETS = _counter(
    "latency_seconds_bucket",
    "Replies within `le` seconds of their request: read by histogram_quantile.",
    *MODEL,
    "le",
)
LATENCY_SUM = _counter("latency_seconds", "Seconds from request to reply, added up.", *MODEL)

IN_FLIGHT = _gauge(
    "calls_in_flight", "Calls sent and not answered, with pauses before they are sent again.", "mode"
)
WAITING = _gauge("calls_waiting", "Calls in actors, waiting for a slot or for the limits.", "mode", "reason")
LIMIT = _gauge("limit_per_minute", "Limit in force. All actors tell the same one: take the maximum.", "bucket")
BATCHES = _gauge("batches", "Batches of this session.", "step")
BATCH_CALLS = _gauge("batch_calls", "Calls in the batches of this session.", "step")
WANTED = _gauge("calls_wanted", "Calls that the run wants as far as it is known, done ones included.")
SETTLED = _gauge("calls_settled", "Those of them that have a reply, or failed in this round.")

METRICS = (
    *(ANSWERED, FAILED, BUSY, RETRIES, INPUT_TOKENS, OUTPUT_TOKENS, CACHED_TOKENS, COST, UNPRICED),
    *(LATENCY_BUCKETS, LATENCY_SUM, IN_FLIGHT, WAITING, LIMIT, BATCHES, BATCH_CALLS, WANTED, SETTLED),
)
