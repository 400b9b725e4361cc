"""The audit: how often each prompt arrived and was answered, and how many requests ran at once."""

from __future__ import annotations

from collections import Counter
from typing import TypedDict

from judgeray.emulator.prompt import Prompt


class Counts(TypedDict):
    """What `GET /_judgeray/counts` answers.

    `requests` and `statuses` count every request to the three APIs. `received` counts prompts that were well
    formed, `executed` those that were answered (and would be billed); `prompts` is the number of distinct
    ones received. `repeated` holds, by prompt digest, the prompts executed more than once; `by_model` counts
    executions.
    """

    requests: int
    statuses: dict[str, int]
    received: int
    executed: int
    prompts: int
    repeated: dict[str, int]
    by_model: dict[str, int]
    in_flight: int
    peak_in_flight: int


class Audit:
    """Counts of one server; used from its event loop only."""

    def __init__(self) -> None:
        self._in_flight = 0
        self.reset()

    def reset(self) -> None:
        """Forget everything but the requests that are still running."""
        self._requests = 0
        self._statuses: Counter[str] = Counter()
        self._received: Counter[str] = Counter()
        self._executed: Counter[str] = Counter()
        self._models: Counter[str] = Counter()
        self._peak = self._in_flight

    def arrived(self) -> None:
        """Note that a request arrived."""
        self._requests += 1
        self._in_flight += 1
        self._peak = max(self._peak, self._in_flight)

    def left(self, status: int) -> None:
        """Note that a request ended, by an answer of `status` or because its client went away (0)."""
        self._in_flight -= 1
        self._statuses[str(status)] += 1

    def received(self, prompt: Prompt) -> None:
        """Note that a well-formed prompt arrived."""
        self._received[prompt.digest] += 1

    def executed(self, prompt: Prompt) -> None:
        """Note that a prompt was answered."""
        self._executed[prompt.digest] += 1
        self._models[prompt.model] += 1

    def counts(self) -> Counts:
        """All counts as they stand."""
        return {
            "requests": self._requests,
            "statuses": dict(self._statuses),
            "received": self._received.total(),
            "executed": self._executed.total(),
            "prompts": len(self._received),
            "repeated": {digest: n for digest, n in self._executed.items() if n > 1},
            "by_model": dict(self._models),
            "in_flight": self._in_flight,
            "peak_in_flight": self._peak,
        }
