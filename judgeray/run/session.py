"""One session on a run directory: buy what is missing, write verdicts, tables and report, say how it ended."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from rich.console import Console

from judgeray import __version__
from judgeray.core.errors import BadInputError
from judgeray.core.replay import Settled, State
from judgeray.core.reply import Reply
from judgeray.core.task import Shard
from judgeray.engine.answering import Answerer
from judgeray.engine.batches.record import BatchRecords
from judgeray.engine.display import Display, write_progress
from judgeray.engine.journal import forget_failures, read_failures
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.lock import run_lock, wait_for_workers
from judgeray.engine.meter import Meter
from judgeray.engine.observe.observed import Observed
from judgeray.engine.observe.run_observer import RunObserver
from judgeray.engine.purse import Purse
from judgeray.engine.replayed import replay_shard
from judgeray.engine.rounds import Rounds
from judgeray.providers.account import Account
from judgeray.providers.keys import read_key
from judgeray.providers.prices import Prices
from judgeray.run.annotated import keep_annotations
from judgeray.run.emulated import open_accounts
from judgeray.run.finish import finish_run
from judgeray.run.memory import Memory
from judgeray.run.mirror import PROGRESS, Mirror, shown
from judgeray.run.provenance import write_provenance
from judgeray.run.record_files import RecordFiles
from judgeray.run.resolve import Experiment
from judgeray.run.say import say
from judgeray.run.signals import stop_on_signals
from judgeray.run.survey import DatasetFacts
from judgeray.studies.parts import Part, parts, slice_reader

EXIT_SETTLED, EXIT_UNSETTLED, EXIT_INTERRUPTED = 0, 3, 130


class Session:
    """Holds what one session needs; a session is `run` or `reanalyze`, once.

    `output` is the run directory; with a `mirror` it is the working folder of one in an object store.
    """

    def __init__(
        self,
        experiment: Experiment,
        facts: Mapping[str, DatasetFacts],
        output: Path,
        replies: RepliesFolder,
        console: Console,
        mirror: Mirror | None = None,
    ) -> None:
        self._experiment, self._facts, self._mirror = experiment, facts, mirror
        self._output, self._replies, self._console = output, replies, console
        self._records = RecordFiles(output)
        self._work = Work(experiment, {name: found.slices for name, found in facts.items()})
        self._memory = Memory(experiment, facts, output, Ledger(replies), (part for part, _ in self._work))
        self._stop = threading.Event()
        self._id = uuid4().hex
        logged = output if mirror is None else mirror.place
        self._observer = RunObserver(Observed.below(logged, experiment.manifest.name, self._id))
        self._items = self._open = 0

    def run(self) -> int:
        """Go through the rounds until nothing is pending, then finish; returns the exit code."""
        with self._held(), self._observer.run(version=__version__, arms=len(self._experiment.arms)):
            forget_failures(self._replies.journal)
            self._say_state("planning")
            meter = Meter(self._replies.journal, self._experiment.prices)
            display = Display(self._console, self._output / PROGRESS)
            purse, prices, observer = self._purse(), self._experiment.prices, self._observer
            with (
                self._progress_sent(),
                Answerer(
                    self._replies,
                    self._id,
                    self._accounts,
                    meter,
                    display,
                    self._stop,
                    purse,
                    prices,
                    self._observer,
                ) as answerer,
            ):
                Rounds(
                    self._replies,
                    self._work,
                    self._settle,
                    answerer,
                    self._stop,
                    own=own_replies,
                    recall=self._memory,
                    kept=self._keep,
                    observer=observer,
                ).run()
            self._say_state("finishing", meter)
            self._finish()
            state = "interrupted" if self._stop.is_set() else "done"
            self._say_state(state, meter)
            self._observer.ending = state
        for name, error in sorted(answerer.errors.items()):
            say(self._console, f": {error}", lead=f"{name} stopped", lead_style="bold red")
        return self._how_it_ended()

    def _say_state(self, state: str, meter: Meter | None = None) -> None:
        write_progress(self._output / PROGRESS, meter.gauges if meter else {}, state)
        if self._mirror:
            self._mirror.send(PROGRESS)

    def reanalyze(self) -> int:
        """Read the kept replies again without any call, and say how many verdicts moved."""
        with self._held():
            ledger, failures = Ledger(self._replies), read_failures(self._replies.journal)
            for part, shard in self._work:
                self._settle(part, replay_shard(shard, ledger, failures))
            self._finish()
        say(self._console, f"{self._records.moved:,} of {self._records.rows:,} verdicts moved.")
        return self._how_it_ended()

    def _held(self) -> ExitStack:
        """Own the run directory and its replies folder, with nothing of an earlier session left undone."""
        stack = ExitStack()
        with _writing():
            self._output.mkdir(parents=True, exist_ok=True)
            self._replies.make()
        with stack:
            stack.enter_context(run_lock(self._replies.run_lock, self._id, partial(say, self._console)))
            stack.enter_context(stop_on_signals(self._stop))
            wait_for_workers(self._replies.workers_lock)
            self._replies.clear_flags()
            Ledger(self._replies).compact()
            if self._mirror:
                self._mirror.pull()
            with _writing():
                (self._output / "manifest.yaml").write_bytes(self._experiment.path.read_bytes())
            write_provenance(self._output / "provenance.json", self._experiment, self._facts, {})
            keep_annotations(self._experiment, self._output)
            if self._mirror:
                self._mirror.push()
            return stack.pop_all()

    def _progress_sent(self) -> AbstractContextManager[None]:
        """Let onlookers see progress.json while calls are answered."""
        return self._mirror.keeping(PROGRESS) if self._mirror else nullcontext()

    def _accounts(self, stack: ExitStack) -> Mapping[str, Account]:
        """Open the accounts; on one machine, a missing key is said before anything starts."""
        accounts = open_accounts(self._experiment, stack)
        if not os.environ.get("RAY_ADDRESS"):
            for name in {judge.provider for arm in self._experiment.arms for judge in arm.judges}:
                if accounts[name].kind != "lexical":
                    read_key(accounts[name])
        return accounts

    def _purse(self) -> Purse | None:
        """The budget, with what the known replies of this experiment have cost already."""
        budget_usd = self._experiment.manifest.budget_usd
        if budget_usd is None:
            return None
        spent_usd = spent_on(self._work, Ledger(self._replies), self._experiment.prices)
        say(self._console, f"budget: ${budget_usd:,.2f}, of which ${spent_usd:,.2f} is spent")
        return Purse(budget_usd, spent_usd)

    def _settle(self, part: Part, states: list[State[Any]]) -> None:
        """Write what is recorded of one part."""
        table = part.table(states, self._experiment.prices)
        fingerprint = self._memory.fingerprint(part)
        self._records.write(part.arm.partition, part.file_name, table, fingerprint)
        self._items += len(states)
        self._open += sum(not isinstance(state, Settled) for state in states)

    def _keep(self, part: Part) -> None:
        """Leave what is recorded of one part as it stands."""
        self._items += self._records.keep(part.arm.partition, part.file_name)

    def _finish(self) -> None:
        """Check that every row under every arm has its verdict row, then derive everything else."""
        expected = sum(arm.size(self._facts[arm.dataset].sizes) for arm in self._experiment.arms)
        if self._items != expected:
            raise RuntimeError(f"{self._items} recorded rows for {expected} rows x arms")
        self._records.finish()
        finish_run(self._output, self._experiment, self._facts, self._records, self._console)
        if self._mirror:
            self._mirror.push()

    def _say_open_batches(self) -> None:
        """Batches that go on at their providers are left running on purpose, and named."""
        for record in BatchRecords(self._replies.batches).open():
            where = f"{record.provider} batch {record.batch_id or record.tag}"
            say(
                self._console,
                f"{where}: {record.calls:,} calls, {record.state or record.step}; the next run takes it up",
            )

    def _how_it_ended(self) -> int:
        counts = self._records.statuses
        told = ", ".join(f"{counts[status]:,} {status}" for status in sorted(counts))
        say(self._console, f"{self._records.rows:,} rows: {told}. Report: {shown(self._output / 'report.html')}")
        self._say_open_batches()
        if self._stop.is_set():
            say(self._console, "Interrupted; every reply is kept. The same command continues.")
            return EXIT_INTERRUPTED
        if self._open:
            say(self._console, "Not all rows are settled; the same command continues with them.")
            return EXIT_UNSETTLED
        return EXIT_SETTLED


@contextmanager
def _writing() -> Iterator[None]:
    """Say in one message where nothing can be written."""
    try:
        yield
    except OSError as error:
        raise BadInputError(f"{error.filename}: cannot write there: {error.strerror}.") from error


def own_replies(part: Part, state: State[Any]) -> Sequence[Reply]:
    """Give the replies that count for a part; texts that several parts need count where they are written."""
    return part.arm.own(state)


def spent_on(work: Work, ledger: Ledger, prices: Prices) -> float:
    """What the kept replies of an experiment cost, each counted once; unknown costs count nothing."""
    spent_usd, seen = 0.0, set[str]()
    for _, shard in work:
        for reply in (reply for state in replay_shard(shard, ledger, {}) for reply in state.replies):
            if reply.key not in seen:
                seen.add(reply.key)
                spent_usd += prices(reply) or 0.0
    return spent_usd


class Work:
    """All shards of an experiment, in the same order each time.

    With `slices`, the number of slices by dataset, no row is read before a shard's tasks are asked for.
    """

    def __init__(self, experiment: Experiment, slices: Mapping[str, int] | None = None) -> None:
        self._experiment, self._slices = experiment, slices
        self._readers = {source.name: slice_reader(source, experiment.study) for source in experiment.sources}

    def __iter__(self) -> Iterator[tuple[Part, Shard]]:
        experiment = self._experiment
        for part in parts(experiment.sources, experiment.arms, experiment.study, self._slices, self._readers):
            yield part, part.shard()
