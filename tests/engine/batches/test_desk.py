"""Laws of the desk: one batch each, whatever happens between its intent and its harvest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Reply, Usage
from judgeray.engine.batches.desk import FIND_TRIES, STOP_SECONDS, SUBMIT_TRIES, Desk
from judgeray.engine.batches.harvest import Harvester
from judgeray.engine.batches.record import BatchRecord, BatchRecords
from judgeray.engine.journal import JournalWriter, read_failures, read_replies, reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.spending import Spending
from judgeray.providers.account import Account, BatchSettings
from judgeray.providers.batch import (
    BatchCaps,
    BatchLine,
    BatchMismatchError,
    BatchResult,
    BatchStatus,
    LostCreateError,
)
from judgeray.providers.errors import ProviderError

Outcome = BatchStatus | ProviderError


@dataclass
class Provider:
    """A batch API in memory. What it is told to do wrong comes from the lists, one item per request."""

    creates: list[ProviderError | str] = field(default_factory=list)
    polls: list[Outcome] = field(default_factory=list)
    downloads: list[Exception | int] = field(default_factory=list)
    spoiled: dict[int, ProviderError] = field(default_factory=dict)
    made: dict[str, list[str]] = field(default_factory=dict)
    hidden_looks: int = 0
    mine: bool | None = True
    caps: BatchCaps = field(default_factory=lambda: BatchCaps(1000, 10**9, True))

    def batch_group(self, call: Call) -> str:
        """By model."""
        return call.model

    async def upload_and_create(
        self, tag: str, lines: Sequence[BatchLine], on_step: Callable[[str, str], None]
    ) -> str:
        """Make a batch, or do what the list says: `lost` makes it and loses the answer."""
        on_step("uploaded", f"file-{len(self.made)}")
        wrong = self.creates.pop(0) if self.creates else None
        if isinstance(wrong, ProviderError):
            raise wrong
        batch_id = f"batch-{len(self.made)}"
        self.made[batch_id] = [line.custom_id for line in lines]
        if wrong == "lost":
            raise LostCreateError("retry", "connection dropped")
        return batch_id

    async def find(self, tag: str, since: datetime, lines_count: int, uploaded: str | None) -> list[str]:
        """All batches of that size, once the list has caught up."""
        if self.hidden_looks:
            self.hidden_looks -= 1
            return []
        return [batch_id for batch_id, ids in reversed(self.made.items()) if len(ids) == lines_count]

    async def status(self, batch_id: str) -> BatchStatus:
        """The next item of the list, then ended."""
        outcome = self.polls.pop(0) if self.polls else BatchStatus("ended", "completed")
        if isinstance(outcome, ProviderError):
            raise outcome
        return outcome

    async def results(self, batch_id: str, by_id: Mapping[str, Call]) -> AsyncIterator[BatchResult]:
        """A result per line, cut off or spoiled as the lists say."""
        wrong = self.downloads.pop(0) if self.downloads else None
        for number, custom_id in enumerate(self.made[batch_id]):
            if isinstance(wrong, int) and number == wrong:
                raise ProviderError("retry", "cut download")
            if isinstance(wrong, Exception) and number == 1:
                raise wrong
            if number in self.spoiled:
                yield BatchResult(custom_id, error=self.spoiled[number])
                continue
            call = by_id[custom_id]
            reply = Reply(call.key, call.provider, call.model, "complete", call.user, Usage(), mode="batch")
            yield BatchResult(custom_id, reply)

    async def save_results(self, batch_id: str, folder: Path) -> list[Path]:
        """Keep a file."""
        (folder / "results-1.jsonl").write_text("as it came")
        return [folder / "results-1.jsonl"]

    async def verify(self, batch_id: str, custom_ids: Collection[str]) -> bool | None:
        """As told."""
        return self.mine

    async def cancel(self, batch_id: str) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to close."""


class Bench:
    """One account's desk on a folder; a new desk on the same folder is what a restart sees."""

    def __init__(self, folder: RepliesFolder, calls: list[Call]) -> None:
        self.folder, self.calls = folder, calls
        self.records = BatchRecords(folder.batches)
        self.stopped: list[str] = []
        self.waits: list[float] = []
        self.stop_after = 0

    def begin(self) -> BatchRecord:
        """Write the intent down."""
        return self.records.begin("openai", self.calls)

    def carry(self, provider: Provider, record: BatchRecord, deadline_hours: float = 1.0) -> BatchRecord:
        """Carry a batch with a new desk."""

        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)
            if len(self.waits) == self.stop_after:
                self.stopped.append("Ctrl-C")

        async def go() -> BatchRecord:
            journal = JournalWriter(self.folder.journal, f"desk{len(list(self.folder.journal.iterdir()))}")
            settings = BatchSettings(poll_seconds=1.0, find_seconds=2.0, deadline_hours=deadline_hours)
            account = Account("openai", "openai", mode="batch", batch=settings)
            kept = self.folder.batches / "kept"
            harvester = Harvester(self.records, journal, kept, 1.0, self.stopped.append, lambda _: 0.0, sleep)
            desk = Desk(
                account,
                provider,
                self.records,
                harvester,
                Spending(None, None),
                lambda: bool(self.stopped),
                self.stopped.append,
                sleep,
            )
            carried = await desk.carry(record)
            journal.close()
            return carried

        return asyncio.run(go())

    def replies(self) -> list[str]:
        """Texts of all journaled replies."""
        journals = reply_journals(self.folder.journal)
        return sorted(str(reply.text) for path in journals for reply in read_replies(path))

    def failures(self) -> set[str]:
        """Words of all journaled failures."""
        return {failure.error for failure in read_failures(self.folder.journal).values()}


@pytest.fixture
def bench(folder: RepliesFolder, make_call: Callable[[str], Call]) -> Bench:
    """Five calls."""
    return Bench(folder, [make_call(str(n)) for n in range(5)])


ALL = ["0", "1", "2", "3", "4"]


def test_batch_goes_from_intent_to_harvest(bench: Bench) -> None:
    """Each call gets its own reply, and the record says what became of it."""
    provider = Provider(polls=[BatchStatus("running", "in_progress")])
    record = bench.carry(provider, bench.begin())
    assert (record.step, record.replies, record.failures, record.unfinished) == ("harvested", 5, 0, 0)
    assert bench.replies() == ALL
    assert bench.records.open() == []
    assert len(provider.made) == 1


@pytest.mark.parametrize("step", ["intent", "sending", "created", "ended"])
def test_restart_at_any_step_makes_one_batch(bench: Bench, step: str) -> None:
    """Whatever was written last before a crash, the next session ends with one batch and every reply once."""
    provider = Provider()
    record = bench.begin()
    if step != "intent":
        record = bench.records.change(record, step="sending", sending_at=record.written_at, tries=1)
        provider.made["batch-0"] = [line.custom_id for line in bench.records.lines(record)]
    if step in ("created", "ended"):
        record = bench.records.change(record, step=step, batch_id="batch-0", created_at=record.written_at)
    again = bench.carry(provider, bench.records.load(record.tag))
    assert again.step == "harvested"
    assert len(provider.made) == 1
    assert bench.replies() == ALL


def test_crash_after_harvest_before_its_note_doubles_no_reply_in_the_ledger(bench: Bench) -> None:
    """Results journaled twice are one reply: same key, same text."""
    provider = Provider()
    record = bench.carry(provider, bench.begin())
    bench.carry(provider, bench.records.change(record, step="ended"))
    assert bench.replies() == sorted(ALL * 2)
    assert len(provider.made) == 1


def test_lost_create_is_found_by_listing(bench: Bench) -> None:
    """A create whose answer was lost yields one batch, even where the list lags."""
    provider = Provider(creates=["lost"], hidden_looks=FIND_TRIES - 1)
    record = bench.carry(provider, bench.begin())
    assert record.step == "harvested"
    assert record.adopted
    assert len(provider.made) == 1
    assert bench.replies() == ALL


def test_create_that_never_arrived_is_sent_again(bench: Bench) -> None:
    """Only after several looks in vain is a batch sent a second time."""
    provider = Provider(creates=[LostCreateError("retry", "dropped on the way")])
    record = bench.carry(provider, bench.begin())
    assert record.step == "harvested"
    assert bench.waits[:FIND_TRIES] == [2.0] * FIND_TRIES
    assert len(provider.made) == 1


def test_candidate_of_another_batch_is_not_adopted(bench: Bench) -> None:
    """A batch that an own record holds already is never taken for the lost one."""
    provider = Provider()
    other = bench.carry(provider, bench.records.begin("openai", bench.calls[:4] + bench.calls[4:]))
    provider.creates = [LostCreateError("retry", "dropped on the way")]
    record = bench.carry(provider, bench.records.begin("openai", bench.calls))
    assert record.batch_id != other.batch_id
    assert len(provider.made) == 2


def test_candidate_that_proves_foreign_is_rejected(bench: Bench) -> None:
    """A batch that looked like ours and has other ids is left alone, and ours is sent."""
    provider = Provider(creates=[LostCreateError("retry", "dropped")], mine=False)
    provider.made["foreign"] = ["a", "b", "c", "d", "e"]
    record = bench.carry(provider, bench.begin())
    assert record.rejected == ("foreign",)
    assert record.batch_id == "batch-1"
    assert bench.replies() == ALL


def test_polling_survives_errors(bench: Bench) -> None:
    """A failing poll never fails a batch."""
    polls: list[Outcome] = [ProviderError(reaction, "no") for reaction in ("retry", "busy", "account")]
    record = bench.carry(Provider(polls=polls), bench.begin())
    assert record.step == "harvested"


def test_a_stop_ends_the_wait_for_a_batch_and_leaves_it(bench: Bench) -> None:
    """Nobody waits for the next poll after Ctrl-C; the batch goes on at the provider, and the next desk has it."""
    running = BatchStatus("running", "in_progress")
    bench.stop_after = 1
    record = bench.carry(Provider(polls=[running] * 9), bench.begin())
    assert (record.step, bench.waits) == ("created", [STOP_SECONDS])
    bench.stopped.clear()
    assert bench.carry(Provider(made={"batch-0": []}), record).step == "harvested"


def test_batch_that_is_not_there_stops_the_account_and_buys_nothing(bench: Bench) -> None:
    """A 404 may be the wrong key: the record stays open, and a person decides."""
    gone = ProviderError("account", "no such batch", code="404:not_found")
    provider = Provider(polls=[gone])
    record = bench.carry(provider, bench.begin())
    assert "batch-0 is not there: no such batch" in bench.stopped[0]
    assert "--forget" in bench.stopped[0]
    assert record.step == "created"
    assert len(provider.made) == 1
    assert bench.replies() == []


def test_refused_batch_fails_its_calls_with_the_providers_words(bench: Bench) -> None:
    """A batch that can never be taken is given up once; an account's fault stops the account."""
    for reaction, stopped in (("row", []), ("account", ["bad file"])):
        bench.stopped.clear()
        provider = Provider(creates=[ProviderError(reaction, "bad file")])  # type: ignore[arg-type]
        record = bench.carry(provider, bench.begin())
        assert record.step == "refused"
        assert bench.failures() == {"bad file"}
        assert bench.stopped == stopped
        assert bench.records.open() == []


def test_full_queue_is_waited_for_and_not_for_ever(bench: Bench) -> None:
    """A provider whose queue is full is asked again later, a bounded number of times."""
    full: list[ProviderError | str] = [ProviderError("busy", "queue full", 9.0) for _ in range(SUBMIT_TRIES)]
    record = bench.carry(Provider(creates=full), bench.begin())
    assert record.step == "refused"
    assert sum(bench.waits) == 9.0 * SUBMIT_TRIES
    (words,) = bench.failures()
    assert "queue full" in words


def test_whole_failure_in_which_nothing_ran_leaves_the_calls_to_be_bought(bench: Bench) -> None:
    """A batch that failed validation for lack of quota is no failure of its calls."""
    status = BatchStatus("ended", "failed", problem="token_limit_exceeded", reaction="busy")
    record = bench.carry(Provider(polls=[status]), bench.begin())
    assert (record.step, record.unfinished, record.problem) == ("harvested", 5, "token_limit_exceeded")
    assert bench.replies() == []
    assert bench.failures() == set()


def test_expired_rows_are_bought_again_and_finished_ones_kept(bench: Bench) -> None:
    """Of a batch that expired in part, paid replies are kept and only the rest is unfinished."""
    expired = ProviderError("retry", "batch_expired")
    provider = Provider(polls=[BatchStatus("ended", "expired")], spoiled={1: expired, 4: expired})
    record = bench.carry(provider, bench.begin())
    assert (record.replies, record.failures, record.unfinished) == (3, 0, 2)
    assert bench.replies() == ["0", "2", "3"]


def test_row_errors_are_failures_of_their_rows(bench: Bench) -> None:
    """A row that the provider refuses is not bought again in this run; its neighbours are kept."""
    provider = Provider(spoiled={2: ProviderError("row", "too long")})
    record = bench.carry(provider, bench.begin())
    assert (record.replies, record.failures, record.unfinished) == (4, 1, 0)
    assert bench.failures() == {"too long"}


def test_cut_download_is_taken_up_again(bench: Bench) -> None:
    """What came before the cut is kept, and counted once."""
    record = bench.carry(Provider(downloads=[2, 4]), bench.begin())
    assert (record.step, record.replies) == ("harvested", 5)
    assert bench.replies() == ALL


def test_results_that_cannot_be_matched_stop_the_harvest(bench: Bench) -> None:
    """Nothing is guessed: the files are kept, the rest fails with a message that names them."""
    provider = Provider(downloads=[BatchMismatchError("a line under an unknown id 'x'")])
    record = bench.carry(provider, bench.begin())
    assert (record.step, record.replies, record.failures) == ("mismatch", 1, 4)
    (words,) = bench.failures()
    assert "unknown id 'x'" in words
    assert (bench.folder.batches / "kept" / record.tag / "results-1.jsonl").read_text() == "as it came"


def test_stuck_batch_ends_by_its_deadline(bench: Bench) -> None:
    """A batch that never ends is reported with its id and what to do."""
    polls: list[Outcome] = [BatchStatus("running", "in_progress")] * 50
    record = bench.carry(Provider(polls=polls), bench.begin(), deadline_hours=1e-9)
    assert record.step == "stuck"
    (words,) = bench.failures()
    assert "batch-0 has not ended" in words
    assert "judgeray cancel" in words
