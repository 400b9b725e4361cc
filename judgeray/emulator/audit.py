"""The audit: how often each prompt arrived, was answered and reached its client, realtime and in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, TypedDict, get_args

from judgeray.emulator.prompt import Prompt

Mode = Literal["realtime", "batch"]
BatchEvent = Literal["created", "retrieved", "listed", "cancelled", "downloaded", "deleted"]


class ModeCounts(TypedDict):
    """What happened to prompts of one mode; `billed` is what was executed."""

    received: int
    executed: int
    delivered: int
    billed: int


class Counts(TypedDict):
    """What `GET /_judgeray/counts` answers.

    `requests` and `statuses` count every request to the three APIs; status 0 is a connection that ended without
    a whole answer. `received` counts prompts that were well formed, `executed` those that were answered (and
    would be billed); `prompts` is the number of distinct ones received. `repeated` holds, by prompt digest, the
    prompts executed more than once; `by_model` counts executions. All of these count realtime prompts and rows of
    batches; `modes` tells them apart, and there `delivered` counts replies that were written to a client, whole
    and as they were meant. `lost_responses` are realtime replies that were executed and not delivered. `limited`
    counts realtime prompts refused by rate limits, `faults` every fault that was met, by name, and `batches` what
    was done to batches: created, retrieved, listed (list requests), cancelled, downloaded, deleted.
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
    modes: dict[Mode, ModeCounts]
    lost_responses: int
    limited: int
    faults: dict[str, int]
    batches: dict[str, int]


class Audit:
    """Counts of one server; used from its event loop only."""

    def __init__(self) -> None:
        self._in_flight = 0
        self.reset()

    def reset(self) -> None:
        """Forget everything but the requests that are still running."""
        self._requests = 0
        self._statuses: Counter[str] = Counter()
        self._received: dict[Mode, Counter[str]] = {mode: Counter() for mode in get_args(Mode)}
        self._executed: dict[Mode, Counter[str]] = {mode: Counter() for mode in get_args(Mode)}
        self._delivered: dict[Mode, Counter[str]] = {mode: Counter() for mode in get_args(Mode)}
        self._models: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        self._batches: Counter[str] = Counter()
        self._lost = 0
        self._limited = 0
        self._peak = self._in_flight

    def arrived(self) -> None:
        """Note that a request arrived."""
        self._requests += 1
        self._in_flight += 1
        self._peak = max(self._peak, self._in_flight)

    def left(self, status: int) -> None:
        """Note that a request ended, by an answer of `status` or because its connection did (0)."""
        self._in_flight -= 1
        self._statuses[str(status)] += 1

    def received(self, prompt: Prompt, mode: Mode) -> None:
        """Note that a well-formed prompt arrived."""
        self._received[mode][prompt.digest] += 1

    def received_rows(self, digests: Iterable[str]) -> None:
        """Note that a batch of prompts was accepted."""
        self._received["batch"].update(digests)

    def executed(self, prompt: Prompt, mode: Mode) -> None:
        """Note that a prompt was answered."""
        self._executed[mode][prompt.digest] += 1
        self._models[prompt.model] += 1

    def settled(self, prompt: Prompt, whole: bool) -> None:
        """Note whether the reply to an executed realtime prompt was written to its client."""
        if whole:
            self._delivered["realtime"][prompt.digest] += 1
        else:
            self._lost += 1

    def downloaded(self, digests: Iterable[str]) -> None:
        """Note that the replies to rows of a batch were written to a client."""
        self._delivered["batch"].update(digests)

    def limited(self) -> None:
        """Note that a rate limit refused a prompt."""
        self._limited += 1

    def fault(self, name: str) -> None:
        """Note that a fault was met."""
        self._faults[name] += 1

    def batch(self, event: BatchEvent) -> None:
        """Note what was done to a batch."""
        self._batches[event] += 1

    def counts(self) -> Counts:
        """All counts as they stand."""
        received, executed = (_all(by_mode) for by_mode in (self._received, self._executed))
        return {
            "requests": self._requests,
            "statuses": dict(self._statuses),
            "received": received.total(),
            "executed": executed.total(),
            "prompts": len(received),
            "repeated": {digest: n for digest, n in executed.items() if n > 1},
            "by_model": dict(self._models),
            "in_flight": self._in_flight,
            "peak_in_flight": self._peak,
            "modes": {mode: self._of(mode) for mode in get_args(Mode)},
            "lost_responses": self._lost,
            "limited": self._limited,
            "faults": dict(self._faults),
            "batches": dict(self._batches),
        }

    def prompts(self) -> dict[str, dict[Mode, ModeCounts]]:
        """Counts by prompt digest, and by mode where the prompt was received."""
        found: dict[str, dict[Mode, ModeCounts]] = {}
        for mode in get_args(Mode):
            for digest in self._received[mode]:
                counts = (by[mode][digest] for by in (self._received, self._executed, self._delivered))
                found.setdefault(digest, {})[mode] = _mode_counts(*counts)
        return found

    def _of(self, mode: Mode) -> ModeCounts:
        return _mode_counts(*(by[mode].total() for by in (self._received, self._executed, self._delivered)))


def _all(by_mode: dict[Mode, Counter[str]]) -> Counter[str]:
    return by_mode["realtime"] + by_mode["batch"]


def _mode_counts(received: int, executed: int, delivered: int) -> ModeCounts:
    return {"received": received, "executed": executed, "delivered": delivered, "billed": executed}
