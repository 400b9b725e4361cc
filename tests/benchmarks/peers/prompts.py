"""The same rows for all: the prompts that judgeray's run of as many rows sends."""

from __future__ import annotations

from judgeray.designs.holistic import H
from tests.benchmarks.plain_client import calls

SYSTEM = H.system
MODEL = "gpt-4.1"


def users(count: int) -> list[str]:
    """User messages of so many rows."""
    return [call.user for call in calls("openai", count)]
