"""Harvesting: each result of an ended batch goes to the journal under the key of the call that asked for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from judgeray.core.call import Call
from judgeray.core.reply import Answer, Failure, Reply
from judgeray.engine.batches.record import BatchRecord, BatchRecords, now
from judgeray.engine.observe.observer import Observer
from judgeray.engine.part_journal import Journal
from judgeray.providers.batch import BatchClient, BatchMismatchError, BatchResult
from judgeray.providers.errors import ProviderError
from judgeray.storage.files import filled_here
from judgeray.storage.place import Place

HARVEST_TRIES = 6

NO_FILE = "batch:no_file"
"""The provider says that rows were done and names no results: after some looks they are bought again."""


@dataclass
class Harvester:
    """Reads results and journals them. `price` gives the cost of a reply, None where it is not known."""

    records: BatchRecords
    journal: Journal
    kept: Place
    poll_seconds: float
    stop_provider: Callable[[str], None]
    price: Callable[[Reply], float | None]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    observer: Observer = field(default_factory=Observer)

    def keep(self, answer: Answer) -> None:
        """Journal a reply or a failure of a batch's call."""
        self.journal.append(answer)
        self.observer.answered(answer)

    async def harvest(self, client: BatchClient, record: BatchRecord) -> tuple[BatchRecord, float]:
        """Take in every result of an ended batch; returns the record and what the replies cost in US dollars.

        A download that breaks off is taken up again. Results that cannot be matched end the harvest: the
        provider's files are kept beside the records, and what was not taken in fails with a clear message.
        """
        by_id = {line.custom_id: line.call for line in self.records.lines(record)}
        taken = Taken(by_id, self)
        problem, nothing_there = "", False
        for number in range(HARVEST_TRIES):
            try:
                async for result in client.results(record.batch_id or "", by_id):
                    taken.add(result)
            except BatchMismatchError as error:
                return await self._mismatch(client, record, taken, str(error)), taken.cost_usd
            except ProviderError as error:
                problem, nothing_there = error.message, error.code == NO_FILE
                await self.sleep(self.poll_seconds * (number + 1))
            else:
                return await self._done(record, taken), taken.cost_usd
        if nothing_there:
            return await self._done(self.records.change(record, problem=problem), taken), taken.cost_usd
        # Left as ended: the next run takes it up again.
        return self.records.change(record, problem=f"results could not be had whole: {problem}"), taken.cost_usd

    async def _done(self, record: BatchRecord, taken: Taken) -> BatchRecord:
        await self.journal.kept()
        unfinished = record.calls - taken.replies - taken.failures
        return self.records.change(
            record, step="harvested", replies=taken.replies, failures=taken.failures, unfinished=unfinished
        )

    async def _mismatch(self, client: BatchClient, record: BatchRecord, taken: Taken, problem: str) -> BatchRecord:
        folder = self.kept / record.tag
        try:
            with filled_here(folder) as here:
                await client.save_results(record.batch_id or "", here)
        except ProviderError as error:
            problem += f" (and its files could not be kept: {error.message})"
        told = f"batch {record.batch_id}: {problem}; its files are kept in {folder}"
        taken.fail_the_rest(told)
        await self.journal.kept()
        return self.records.change(
            record, step="mismatch", problem=told, replies=taken.replies, failures=taken.failures
        )


class Taken:
    """What was taken in of one batch so far; a result that comes again is not counted again."""

    def __init__(self, by_id: dict[str, Call], harvester: Harvester) -> None:
        self._by_id, self._harvester = by_id, harvester
        self._seen: set[str] = set()
        self.replies = self.failures = 0
        self.cost_usd = 0.0

    def add(self, result: BatchResult) -> None:
        """Journal a reply or a failure; a request that was not executed is left to be bought again."""
        if result.custom_id in self._seen:
            return
        self._seen.add(result.custom_id)
        if result.reply is not None:
            reply = replace(result.reply, received_at=now(), attempts=1)
            self._harvester.keep(reply)
            self.cost_usd += self._harvester.price(reply) or 0.0
            self.replies += 1
        elif result.error is not None and result.error.reaction in ("row", "account"):
            call = self._by_id[result.custom_id]
            self._harvester.observer.row_failed(call, result.error)
            self._fail(call, result.error.message, result.error.reaction == "account")

    def fail_the_rest(self, problem: str) -> None:
        """Fail every call whose result was not taken in."""
        for custom_id in self._by_id.keys() - self._seen:
            self._fail(self._by_id[custom_id], problem, fatal=False)

    def _fail(self, call: Call, problem: str, fatal: bool) -> None:
        self._harvester.keep(Failure(call.key, call.provider, problem, 1, fatal))
        self.failures += 1
        if fatal:
            self._harvester.stop_provider(problem)
