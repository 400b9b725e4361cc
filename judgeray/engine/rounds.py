"""Rounds: replay every shard, buy what is wanted, and again, until nothing is pending."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judgeray.core.call import Call
from judgeray.core.replay import Pending, State
from judgeray.core.reply import Failure, Reply
from judgeray.core.task import Remembered, Shard
from judgeray.engine.batches.record import BatchRecords
from judgeray.engine.free_memory import give_back
from judgeray.engine.journal import read_failures
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.observe.run_observer import RunObserver
from judgeray.engine.replayed import replay_shard
from judgeray.engine.spool import Spool
from judgeray.storage.place import Place

WINDOW_CALLS = 500_000
"""Calls bought per round at most: bounds the spool, the journals and what actors remember."""


@dataclass(frozen=True)
class Wanted:
    """What a round wants: spool files, calls in them, calls already known, and calls in open batches.

    Each by provider account. Calls in open batches are at the provider already and in no spool file.
    """

    files: Mapping[str, list[Place]]
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


def nothing_remembered(_token: Any) -> Remembered | None:  # noqa: ANN401 -- the caller's own token
    """Replay everything."""
    return None


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
    that one that several procedures use is counted once. `recall` tells what is known of a shard without replaying
    it; `kept` is called, in place of `settled`, for one of which all is settled.
    """

    folder: RepliesFolder
    work: Iterable[tuple[Any, Shard]]
    settled: Callable[[Any, list[State[Any]]], None]
    answer: Answering
    stop: threading.Event
    window_calls: int = WINDOW_CALLS
    own: Own = all_replies
    recall: Callable[[Any], Remembered | None] = nothing_remembered
    kept: Callable[[Any], object] = nothing_remembered
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
        while fruitless < FRUITLESS_ROUNDS and not self.stop.is_set() and self.folder.stopped() is None:
            wanted = self._plan(check_all=number > 1)
            self.observer.round_planned(number, wanted.counts, wanted.known, wanted.in_batches)
            if not wanted.counts and not wanted.in_batches:
                break
            give_back()
            progress = self.answer(wanted)
            fruitless = 0 if progress.settled else fruitless + 1
            started = time.monotonic()
            self.observer.compacted(self._ledger.compact(), time.monotonic() - started)
            give_back()
            self._failures = read_failures(self.folder.journal)
            names = {*wanted.files, *wanted.in_batches}
            self._stopped_providers = {name for name in names if self.folder.stopped(name) is not None}
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
            wanted, calls = self._wanted(token, shard, check_all)
            (known if wanted else self._calls_done).update(calls)
            for call in wanted:
                if call.provider not in self._stopped_providers:
                    spool.add(call)
        return Wanted(spool.close(), spool.counts, self._calls_done + known, in_batches)

    def _wanted(self, token: Any, shard: Shard, check_all: bool) -> tuple[list[Call], Counter[str]]:  # noqa: ANN401
        """Give the calls that a shard wants, and the number known by provider; hand it over where none is."""
        remembered = self.recall(token)
        if remembered is not None and not remembered.open:
            self.kept(token)
            self._finished.add(shard.name)
            return [], Counter(remembered.calls)
        if remembered is not None:
            states = replay_shard(shard.only(remembered.open), self._ledger, self._failures, check_all)
            if wanted := _wanted_by(states):
                return wanted, Counter(remembered.calls) + self._known(token, states)
        states = replay_shard(shard, self._ledger, self._failures, check_all)
        if not (wanted := _wanted_by(states)):
            self._hand_over(token, shard, states)
        return wanted, self._known(token, states)

    def _known(self, token: Any, states: list[State[Any]]) -> Counter[str]:  # noqa: ANN401
        replies = {reply.key: reply.provider for state in states for reply in self.own(token, state)}
        return Counter(replies.values())

    def _close(self) -> None:
        """Hand over what is left, with its pending rows."""
        for token, shard in self.work:
            if shard.name not in self._finished:
                self._hand_over(token, shard, replay_shard(shard, self._ledger, self._failures))

    def _hand_over(self, token: Any, shard: Shard, states: list[State[Any]]) -> None:  # noqa: ANN401
        self.settled(token, states)
        self._finished.add(shard.name)


def _wanted_by(states: list[State[Any]]) -> list[Call]:
    return [call for state in states if isinstance(state, Pending) for call in state.wanted]
