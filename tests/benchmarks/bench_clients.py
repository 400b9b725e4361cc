"""Processor time per call of the SDKs with the HTTP client that judgeray gives them, over that with their own.

    PYTHONPATH=. python tests/benchmarks/bench_clients.py [--calls 2000] [--repeats 5]

All in one process, in turns, 64 calls at once against a loopback server. Prints JSON: microseconds per call, and
the median of the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

import anthropic
import httpx2
import openai

from judgeray.providers.account import Account
from judgeray.providers.lean_http import LeanClient, whole_url
from tests.benchmarks.fast_server import fast_server

CONCURRENCY = 64
BODY = json.dumps({"model": "m", "input": "words and more " * 80}).encode("ascii")
OPTIONS: Any = {"headers": {"content-type": "application/json"}}


def post(sdk: Any, url: str) -> Callable[[], Awaitable[object]]:
    """One call of an SDK."""
    return lambda: sdk.post(url, cast_to=httpx2.Response, content=BODY, options=OPTIONS)


async def microseconds(call: Callable[[], Awaitable[object]], calls: int) -> float:
    """Processor time per call."""
    slots = asyncio.Semaphore(CONCURRENCY)

    async def one() -> None:
        async with slots:
            await call()

    start = time.process_time()
    await asyncio.gather(*(one() for _ in range(calls)))
    return (time.process_time() - start) / calls * 1e6


async def compare(url: str, calls: int, repeats: int) -> dict[str, Any]:
    """Both clients of both SDKs."""
    account = Account("a", "openai", concurrency=CONCURRENCY)
    limits = httpx2.Limits(max_connections=CONCURRENCY, max_keepalive_connections=CONCURRENCY)
    common: dict[str, Any] = {"api_key": "sk-bench", "max_retries": 0}
    bases = {"openai": f"{url}/openai/v1", "anthropic": f"{url}/anthropic"}
    own: dict[str, Any] = {
        "openai": openai.AsyncOpenAI(
            base_url=bases["openai"], http_client=openai.DefaultAioHttpClient(limits=limits), **common
        ),
        "anthropic": anthropic.AsyncAnthropic(
            base_url=bases["anthropic"], http_client=anthropic.DefaultAioHttpClient(limits=limits), **common
        ),
    }
    lean: dict[str, Any] = {
        "openai": openai.AsyncOpenAI(base_url=bases["openai"], http_client=LeanClient(account, False), **common),
        "anthropic": anthropic.AsyncAnthropic(
            base_url=bases["anthropic"], http_client=LeanClient(account, False), **common
        ),
    }
    paths = {"openai": "/responses", "anthropic": "/v1/messages"}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in paths}
    for _ in range(repeats):
        for name, path in paths.items():
            theirs = await microseconds(post(own[name], path), calls)
            ours = await microseconds(post(lean[name], whole_url(bases[name], path)), calls)
            found[name].append((ours, theirs))
    for sdk in (*own.values(), *lean.values()):
        await sdk.close()
    return {
        name: {
            "ratio": round(statistics.median(ours / theirs for ours, theirs in pairs), 3),
            "lean_microseconds": round(statistics.median(ours for ours, _ in pairs)),
            "own_microseconds": round(statistics.median(theirs for _, theirs in pairs)),
        }
        for name, pairs in found.items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    with fast_server(0.05) as server:
        print(json.dumps(asyncio.run(compare(server.url, given.calls, given.repeats)), indent=2))
