"""Inspect: a task of one generation a sample, logged as Inspect logs."""

from __future__ import annotations

import sys
import tempfile

from inspect_ai import Task, eval  # noqa: A004 -- Inspect's own name
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model
from inspect_ai.solver import generate

from tests.benchmarks.peers.prompts import MODEL, SYSTEM, users


def main(url: str, rows: int, concurrency: int) -> None:
    """Judge all rows."""
    samples = [
        Sample(input=[ChatMessageSystem(content=SYSTEM), ChatMessageUser(content=user)]) for user in users(rows)
    ]
    config = GenerateConfig(max_connections=concurrency, max_tokens=512)
    model = get_model(
        f"openai/{MODEL}", base_url=f"{url}/openai/v1", api_key="sk-bench", config=config, responses_api=False
    )
    with tempfile.TemporaryDirectory() as folder:
        task = Task(dataset=MemoryDataset(samples), solver=generate())
        (log,) = eval(task, model=model, log_dir=folder, display="none", max_samples=2 * concurrency)
        assert log.status == "success"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
