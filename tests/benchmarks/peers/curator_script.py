"""Curator: one LLM object over a dataset, its cache in a folder of its own."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any


def main(url: str, rows: int, concurrency: int) -> None:
    """Judge all rows."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"CURATOR_CACHE_DIR": folder, "CURATOR_DISABLE_RICH_DISPLAY": "1", "TELEMETRY_ENABLED": "0"}
        os.environ |= {"OPENAI_API_KEY": "sk-bench", "HF_HUB_OFFLINE": "1"}
        from bespokelabs import curator

        from tests.benchmarks.peers.prompts import MODEL, SYSTEM, users

        class Judge(curator.LLM):  # type: ignore[misc]
            """One prompt a row."""

            def prompt(self, row: dict[str, Any]) -> list[dict[str, str]]:
                """Messages of a row."""
                return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": row["user"]}]

            def parse(self, row: dict[str, Any], response: str) -> list[dict[str, Any]]:
                """The text of a reply."""
                return [{"answer": response}]

        limits = {"max_requests_per_minute": 10_000_000, "max_tokens_per_minute": 10_000_000_000}
        judge = Judge(
            model_name=MODEL,
            backend="openai",
            backend_params={
                "base_url": f"{url}/openai/v1",
                "max_concurrent_requests": concurrency,
                "max_retries": 1,
                "require_all_responses": True,
                **limits,
            },
            generation_params={"max_tokens": 512},
        )
        judged = judge([{"user": user} for user in users(rows)])
        assert len(getattr(judged, "dataset", judged)) == rows


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
