"""A bare script: asyncio, a semaphore, and the OpenAI SDK as it comes."""

from __future__ import annotations

import asyncio
import sys

import openai

from tests.benchmarks.peers.prompts import MODEL, SYSTEM, users


async def main(url: str, rows: int, concurrency: int) -> None:
    """Judge all rows."""
    client, slots = (
        openai.AsyncOpenAI(base_url=f"{url}/openai/v1", api_key="sk-bench"),
        asyncio.Semaphore(concurrency),
    )

    async def one(user: str) -> str | None:
        async with slots:
            messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": user}]
            reply = await client.chat.completions.create(model=MODEL, messages=messages, max_tokens=512)  # type: ignore[arg-type]
            return reply.choices[0].message.content

    answers = await asyncio.gather(*(one(user) for user in users(rows)))
    assert all(answers)
    await client.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
