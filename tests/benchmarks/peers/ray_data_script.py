"""Ray Data LLM's HTTP processor: rows in, requests by its own client, rows out."""

from __future__ import annotations

import sys
from typing import Any

import ray
from ray.data.llm import HttpRequestProcessorConfig, build_processor

from tests.benchmarks.peers.prompts import MODEL, SYSTEM, users

BATCH_ROWS = 64


def to_request(row: dict[str, Any]) -> dict[str, Any]:
    """The payload of one row."""
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": row["user"]}]
    return {"payload": {"model": MODEL, "messages": messages, "max_tokens": 512}}


def to_answer(row: dict[str, Any]) -> dict[str, Any]:
    """The text of one reply."""
    return {"answer": row["http_response"]["choices"][0]["message"]["content"]}


def main(url: str, rows: int, concurrency: int) -> None:
    """Judge all rows; requests in flight are batches in flight x rows of a batch."""
    ray.init(address="local", include_dashboard=False, log_to_driver=False, logging_level=40)
    config = HttpRequestProcessorConfig(
        url=f"{url}/openai/v1/chat/completions",
        headers={"Authorization": "Bearer sk-bench"},
        batch_size=min(BATCH_ROWS, concurrency),
        concurrency=1,
    )
    processor = build_processor(config, preprocess=to_request, postprocess=to_answer)
    dataset = processor(ray.data.from_items([{"user": user} for user in users(rows)]))
    assert sum(len(batch["answer"]) for batch in dataset.iter_batches()) == rows
    ray.shutdown()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
