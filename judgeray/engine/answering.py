"""Answering a round: all provider accounts at once, watched, shown, and stoppable without loss."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from judgeray.core.errors import BadInputError
from judgeray.engine.batches.counter import to_batches
from judgeray.engine.batches.record import BatchRecords
from judgeray.engine.display import REFRESH_SECONDS, Display
from judgeray.engine.here import StreamHere, answered_here, carried_here, is_small
from judgeray.engine.keepers import shared_purse
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import wait_for_workers
from judgeray.engine.meter import Meter
from judgeray.engine.observe.run_observer import RunObserver
from judgeray.engine.pool import PoolSetup
from judgeray.engine.presence import STATUS_MARK
from judgeray.engine.proof import prove_storage
from judgeray.engine.purse import Purse
from judgeray.engine.purses import LocalPurse, SharedPurse
from judgeray.engine.ray_session import ray_session
from judgeray.engine.rounds import Progress, Wanted
from judgeray.engine.spool import Spool
from judgeray.engine.stream import AccountStream, answered, carried
from judgeray.providers.account import Account
from judgeray.providers.prices import Prices
from judgeray.storage.files import discard, discard_folder, listed, write_whole

Stream = AccountStream | StreamHere
DRAIN_SECONDS = 30.0
"""After a stop, how long calls in flight may still bring their replies."""


class Answerer:
    """Buys what a round wants. Ray, and whatever `open_accounts` starts, are opened on first need only."""

    def __init__(
        self,
        folder: RepliesFolder,
        session: str,
        open_accounts: Callable[[ExitStack], Mapping[str, Account]],
        meter: Meter,
        display: Display,
        stop: threading.Event,
        purse: Purse | None = None,
        prices: Prices | None = None,
        observer: RunObserver | None = None,
    ) -> None:
        self._folder, self._session, self._open_accounts = folder, session, open_accounts
        self._purse, self._prices = purse, prices
        self._observer = observer or RunObserver()
        self._purse_here = None if purse is None else LocalPurse(purse)
        self._purse_shared: SharedPurse | None = None
        self._meter, self._display, self._stop = meter, display, stop
        self._stack = ExitStack()
        self._accounts: Mapping[str, Account] = {}
        self._ray = False
        self.errors: dict[str, str] = {}

    def __enter__(self) -> Answerer:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        with suppress(BadInputError):  # what an actor wrote in its last moment costs the next run a wait at most
            self._discard_statuses()

    def __call__(self, wanted: Wanted) -> Progress:
        """Stream every account's calls to their end; returns what became of them."""
        if not self._accounts:
            self._accounts = self._open_accounts(self._stack)
            self._observer.accounts_opened(self._accounts)
        if not self._ray and not is_small(wanted, self._accounts):
            self._start_ray()
        self._meter.begin(wanted)
        streams = [stream for name in self._accounts for stream in self._streams(name, wanted)]
        with self._display:
            for stream in streams:
                stream.start()
            drained = self._watch(streams)
        if not drained:
            self._cut_off(streams)
        self._wait_for_workers(streams, drained)
        self._meter.read(at_once=True)
        self._tidy(streams)
        settled = sum(stream.counts["answered"] + stream.counts["failed"] for stream in streams)
        return Progress(settled, sum(stream.counts["returned"] for stream in streams))

    def _start_ray(self) -> None:
        self._stack.enter_context(ray_session())
        self._ray = True
        prove_storage(self._folder)
        if self._purse is not None:
            self._purse_shared = SharedPurse(shared_purse(self._purse))
        self._observer.ray_started()

    def _cut_off(self, streams: list[Stream]) -> None:
        """End what is still in flight: Ray with its actors, and the threads of this process."""
        for stream in streams:
            if isinstance(stream, StreamHere):
                stream.cut_off()
        self._stack.close()

    def _wait_for_workers(self, streams: list[Stream], drained: bool) -> None:
        """Wait until nothing more can be written; an object store is watched where not every block came back."""
        whole = drained and not any(stream.error for stream in streams)
        if isinstance(self._folder.path, Path) or not whole:
            wait_for_workers(self._folder.workers_lock)

    def _streams(self, name: str, wanted: Wanted) -> Iterator[Stream]:
        """An account's streams in this round: its open and new batches, and its realtime calls."""
        setup, files = self._setup(name), list(wanted.files.get(name, ()))
        records = BatchRecords(self._folder.batches)
        tags = [record.tag for record in records.open() if record.provider == name]
        if files and setup.account.mode != "realtime":
            realtime = Spool(self._folder.spool / "realtime" / name)
            tags += [record.tag for record in to_batches(setup.account, files, records, realtime)]
            files = realtime.close().get(name, [])
        if tags and self._ray:
            yield AccountStream(name, partial(carried, setup, tags))
        elif tags:
            yield carried_here(setup, tags)
        if files and self._ray:
            yield AccountStream(name, partial(answered, setup, self._folder, files))
        elif files:
            yield answered_here(setup, files)

    def _setup(self, name: str) -> PoolSetup:
        return PoolSetup(
            account=self._accounts[name],
            replies=self._folder.address,
            session=self._session,
            purse=self._purse_shared if self._ray else self._purse_here,
            prices=self._prices,
            observed=self._observer.observed,
        )

    def _watch(self, streams: list[Stream]) -> bool:
        """Wait for all streams, after a stop for the drain only; False where calls were left in flight."""
        deadline: float | None = None
        while any(stream.is_alive() for stream in streams):
            if self._stop.is_set() and deadline is None:
                deadline = time.monotonic() + DRAIN_SECONDS
                write_whole(self._folder.stop_flag(), b"")
                self._observer.stopping(DRAIN_SECONDS)
                self._display.say(f"Stopping: calls in flight may finish within {DRAIN_SECONDS:g} s ...")
            if deadline is not None and time.monotonic() > deadline:
                return False
            self._stop_failed(streams)
            self._meter.read()
            self._display.show(self._meter.gauges, "stopping" if deadline else "answering")
            for name, gauge in self._meter.gauges.items():
                self._observer.progress(name, gauge.total, gauge.done + gauge.failed)
            _wait_for_any(streams)
        return True

    def _stop_failed(self, streams: list[Stream]) -> None:
        """An actor that cannot write can tell the other actors of its account only by way of this process."""
        for stream in streams:
            if stream.error and stream.is_alive() and self._folder.stopped(stream.provider) is None:
                write_whole(self._folder.stop_flag(stream.provider), stream.error.encode("utf-8"))

    def _tidy(self, streams: list[Stream]) -> None:
        """Collect why accounts stopped, in the provider's words, and drop the actors' status files."""
        told = self._folder.stopped()
        if told is not None and not self._stop.is_set():
            self.errors["run"] = told
        for stream in streams:
            told = self._folder.stopped(stream.provider)
            if told is not None:
                self.errors[stream.provider] = told
            elif stream.error:
                self.errors[stream.provider] = stream.error
                self._observer.stream_broke(stream.provider, stream.error)
        self._discard_statuses()
        discard_folder(self._folder.begun)

    def _discard_statuses(self) -> None:
        discard([path for path in listed(self._folder.journal, "") if STATUS_MARK in path.name])


def _wait_for_any(streams: list[Stream]) -> None:
    """Wait for the next look; a stream that ends is seen at once."""
    for stream in streams:
        if stream.is_alive():
            stream.join(REFRESH_SECONDS)
            return
