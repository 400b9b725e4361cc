"""Rounds: replay every shard, buy what is wanted, and again, until nothing is pending."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judgeray.core.replay import Pending, State
from judgeray.core.reply import Failure, Reply
from judgeray.core.task import Shard
from judgeray.engine.batches.record import BatchRecords
from judgeray.engine.journal import read_failures
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.observe.run_observer import RunObserver
from judgeray.engine.replayed import replay_shard
from judgeray.engine.spool import Spool

WINDOW_CALLS = 500_000
"""Calls bought per round at most: bounds the spool, the journals and what actors remember."""


@dataclass(frozen=True)
class Wanted:
    """What a round wants: spool files, calls in them, calls already known, and calls in open batches.

    Each by provider account. Calls in open batches are at the provider already and in no spool file.
    """

    files: Mapping[str, list[Path]]
    counts: Mapping[str, int]
    known: Mapping[str, int]
    in_batches: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """What a round brought: calls with a reply or failure now, and calls that came back from a batch unexecuted."""

    settled: int
    returned: int = 0


Answering = Callable[[Wanted], Progress]
"""Buys the wanted calls."""

Own = Callable[[Any, State[Any]], Sequence[Reply]]
"""Gives the replies of a state that count for the part of that token."""


def all_replies(_token: Any, state: State[Any]) -> Sequence[Reply]:  # noqa: ANN401 -- the caller's own token
    """Count every reply that a state used."""
    return state.replies


FRUITLESS_ROUNDS = 5
"""Rounds in a row in which batches gave everything back, after which the run ends with those calls pending."""


@dataclass
class Rounds:
    """Alternates replay and answering.

    `work` yields pairs of the caller's own token and a shard: the same, in the same order, each time it is
    iterated. `settled` is called once per shard with its token and states: as soon as nothing of it is
    wanted, or at the end with what is still pending. `own` gives the replies of a state that progress counts, so
    that one that several procedures use is counted once.
    """

    folder: RepliesFolder
    work: Iterable[tuple[Any, Shard]]
    settled: Callable[[Any, list[State[Any]]], None]
    answer: Answering
    stop: threading.Event
    window_calls: int = WINDOW_CALLS
    own: Own = all_replies
    observer: RunObserver = field(default_factory=RunObserver)
    _ledger: Ledger = field(init=False)
    _finished: set[str] = field(init=False, default_factory=set)
    _calls_done: Counter[str] = field(init=False, default_factory=Counter)
    _failures: dict[str, Failure] = field(init=False, default_factory=dict)
    _stopped_providers: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self._ledger = Ledger(self.folder)

    def run(self) -> None:
        """Go on until nothing is wanted, no provider gets anywhere, or the run was told to stop."""
        number, fruitless = 1, 0
        while fruitless < FRUITLESS_ROUNDS and not self.stop.is_set() and not self.folder.stop_flag().exists():
            wanted = self._plan(check_all=number > 1)
            self.observer.round_planned(number, wanted.counts, wanted.known, wanted.in_batches)
            if not wanted.counts and not wanted.in_batches:
                break
            progress = self.answer(wanted)
            fruitless = 0 if progress.settled else fruitless + 1
            started = time.monotonic()
            self.observer.compacted(self._ledger.compact(), time.monotonic() - started)
            self._failures = read_failures(self.folder.journal)
            names = {*wanted.files, *wanted.in_batches}
            self._stopped_providers = {name for name in names if self.folder.stop_flag(name).exists()}
            if not progress.settled and not progress.returned:
                break
            number += 1
        self._close()

    def _plan(self, check_all: bool) -> Wanted:
        """Replay what is not finished; hand settled shards over and spool the calls of the others."""
        spool, known = Spool(self.folder.spool), Counter[str]()
        records = BatchRecords(self.folder.batches)
        in_batches = Counter[str]()
        for record in records.open():
            spool.leave_out(records.keys([record]))
            in_batches[record.provider] += record.calls
        for token, shard in self.work:
            if shard.name in self._finished:
                continue
            if spool.total >= self.window_calls:
                break
            states = replay_shard(shard, self._ledger, self._failures, check_all)
            wanted = [call for state in states if isinstance(state, Pending) for call in state.wanted]
            replies = {reply.key: reply.provider for state in states for reply in self.own(token, state)}.values()
            if wanted:
                known.update(replies)
            else:
                self._calls_done.update(replies)
                self._hand_over(token, shard, states)
            for call in wanted:
                if call.provider not in self._stopped_providers:
                    spool.add(call)
        return Wanted(spool.close(), spool.counts, self._calls_done + known, in_batches)

    def _close(self) -> None:
        """Hand over what is left, with its pending rows."""
        for token, shard in self.work:
            if shard.name not in self._finished:
                self._hand_over(token, shard, replay_shard(shard, self._ledger, self._failures))

    def _hand_over(self, token: Any, shard: Shard, states: list[State[Any]]) -> None:  # noqa: ANN401
        self.settled(token, states)
        self._finished.add(shard.name)
