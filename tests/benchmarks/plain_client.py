"""The plain script to measure against: the same client, asyncio, a semaphore, and nothing kept.

python plain_client.py PROVIDER URL CALLS CONCURRENCY
"""

from __future__ import annotations

import asyncio
import os
import sys

from judgeray.core.call import Call
from judgeray.designs.holistic import H
from judgeray.providers.account import Account, Kind
from judgeray.providers.connect import connect
from judgeray.rows import Row
from tests.benchmarks.big_run import CHARTERS, CLAIM, MODELS, ROUTES


def calls(provider: str, count: int) -> list[Call]:
    """The calls that a run over as many rows makes."""
    rows = (
        Row("big", f"q{n // 2}", str(n), "", "supported", f"Town {n // 2}?", CHARTERS, f"Candidate {n}: {CLAIM}")
        for n in range(count)
    )
    parameters = {"max_output_tokens": 512}
    return [Call("desk", MODELS[provider], H.system, H.user(row), parameters) for row in rows]


async def answer_all(provider: Kind, url: str, count: int, concurrency: int) -> None:
    """Answer all calls, so many at once."""
    os.environ["BENCH_KEY"] = "sk-bench"
    account = Account(
        "desk", provider, base_url=url + ROUTES[provider], api_key_env="BENCH_KEY", concurrency=concurrency
    )
    client, slots = connect(account), asyncio.Semaphore(concurrency)

    async def one(call: Call) -> None:
        async with slots:
            await client.answer(call)

    await asyncio.gather(*(one(call) for call in calls(provider, count)))
    await client.close()


if __name__ == "__main__":
    kinds: dict[str, Kind] = {"openai": "openai", "anthropic": "anthropic", "google": "google"}
    asyncio.run(answer_all(kinds[sys.argv[1]], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
