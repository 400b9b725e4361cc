"""The desk: carries a batch from its written intent to its harvested replies; can be taken over at any step."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from judgeray.core.reply import Failure
from judgeray.engine.batches.harvest import Harvester
from judgeray.engine.batches.record import BatchRecord, BatchRecords, now
from judgeray.engine.spending import Spending
from judgeray.providers.account import Account
from judgeray.providers.batch import BatchClient, BatchStatus, LostCreateError
from judgeray.providers.errors import ProviderError

FIND_TRIES = 3
"""Looks at the provider's list before a lost create counts as not made: lists may lag."""

SUBMIT_TRIES = 6

FORGET = "check the account's key and project; if the batch is gone for good, judgeray cancel RUN TAG --forget"
LONGEST_POLL_FACTOR = 4
UPLOADS_AT_ONCE = 2
STOP_SECONDS = 0.5
"""A stop during a wait is seen so soon."""


@dataclass
class Desk:
    """Works on the batches of one account. `stopped` says that nothing new may be sent; open batches are left."""

    account: Account
    client: BatchClient
    records: BatchRecords
    harvester: Harvester
    spending: Spending
    stopped: Callable[[], bool]
    stop_provider: Callable[[str], None]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def __post_init__(self) -> None:
        self._uploads = asyncio.Semaphore(UPLOADS_AT_ONCE)
        self._reserved: dict[str, float] = {}

    async def carry(self, record: BatchRecord) -> BatchRecord:
        """Go on with a batch from whatever step it is at; returns where it stands when nothing more can be done."""
        while not self.stopped():
            before = record
            if record.step in ("intent", "sending"):
                record = await self._submit(record)
            elif record.step == "created":
                record = await self._wait_for_end(record)
            elif record.step == "ended":
                record = await self._harvest(record)
            if record == before:
                break
        return record

    async def _submit(self, record: BatchRecord) -> BatchRecord:
        """Send a batch once, or find the one that an earlier attempt may have made."""
        if record.step == "sending":
            if found := await self._find(record):
                return self.records.change(record, step="created", batch_id=found, adopted=True, created_at=now())
            record = self.records.change(record, step="intent")
        if record.tries >= SUBMIT_TRIES:
            return self._refuse(record, f"not taken in {SUBMIT_TRIES} tries: {record.problem}", fatal=False)
        if not await self._reserve(record):
            return record
        record = self.records.change(record, step="sending", sending_at=now(), tries=record.tries + 1)
        return await self._send(record)

    async def _send(self, record: BatchRecord) -> BatchRecord:
        uploaded: list[str] = []

        def on_step(_: str, file_id: str) -> None:
            uploaded.append(file_id)
            self.records.change(record, uploaded_id=file_id)

        try:
            async with self._uploads:
                lines = self.records.lines(record)
                batch_id = await self.client.upload_and_create(record.tag, lines, on_step)
        except LostCreateError as error:
            return self.records.change(record, uploaded_id=_last(uploaded), problem=error.message)
        except ProviderError as error:
            return await self._not_created(self.records.change(record, uploaded_id=_last(uploaded)), error)
        changes = {"uploaded_id": _last(uploaded), "batch_id": batch_id, "created_at": now(), "problem": None}
        return self.records.change(record, step="created", **changes)

    async def _not_created(self, record: BatchRecord, error: ProviderError) -> BatchRecord:
        """No batch was made: try again later, or give it up with the provider's words."""
        await self._release(record)
        if error.reaction in ("row", "account"):
            return self._refuse(record, error.message, fatal=error.reaction == "account")
        record = self.records.change(record, step="intent", problem=error.message)
        await self._pause(error.retry_after_seconds or self.account.batch.poll_seconds)
        return record

    async def _find(self, record: BatchRecord) -> str | None:
        """Look for the batch of a lost create; a candidate that another record holds is not ours."""
        since = datetime.fromisoformat(record.sending_at or record.written_at)
        taken = {other.batch_id for other in self.records.all()} | set(record.rejected)
        for _ in range(FIND_TRIES):
            try:
                found = await self.client.find(record.tag, since, record.calls, record.uploaded_id)
            except ProviderError as error:
                if error.reaction == "account":
                    self.stop_provider(error.message)
                    return None
                found = []
            if mine := [batch_id for batch_id in found if batch_id not in taken]:
                return mine[-1]
            await self.sleep(self.account.batch.find_seconds)
        return None

    async def _wait_for_end(self, record: BatchRecord) -> BatchRecord:
        """Poll until the batch has ended; no error of a poll harms the batch, and every batch has a deadline."""
        await self._commit(record)
        settings = self.account.batch
        seconds = settings.poll_seconds
        end = datetime.fromisoformat(record.created_at or now()) + timedelta(hours=settings.deadline_hours)
        while not self.stopped():
            status = await self._status(record)
            if status is not None and status.phase == "ended":
                return await self._ended(record, status)
            if status is not None and status.state != record.state:
                record = self.records.change(record, state=status.state)
            if datetime.now(UTC) > end:
                return self._stuck(record)
            await self._pause(seconds)
            seconds = min(seconds * 1.2, settings.poll_seconds * LONGEST_POLL_FACTOR)
        return record

    async def _pause(self, seconds: float) -> None:
        """Wait so long, or until a stop: Ctrl-C need not wait for the next poll."""
        while seconds > 0 and not self.stopped():
            await self.sleep(min(seconds, STOP_SECONDS))
            seconds -= STOP_SECONDS

    async def _status(self, record: BatchRecord) -> BatchStatus | None:
        try:
            return await self.client.status(record.batch_id or "")
        except ProviderError as error:
            if error.code.startswith("404"):
                # The wrong key or project gives the same answer: nothing is bought again unless a person says so.
                self.stop_provider(f"batch {record.batch_id} is not there: {error.message} ({FORGET})")
            return None

    async def _ended(self, record: BatchRecord, status: BatchStatus) -> BatchRecord:
        """Take note of how the batch ended, with the provider's words where it failed as a whole."""
        record = self.records.change(record, step="ended", state=status.state, problem=status.problem)
        if status.reaction == "account":
            await self._release(record)
            return self._refuse(record, f"batch {record.batch_id} {status.state}: {status.problem}", fatal=True)
        if status.retry_whole:
            await self._release(record)
            await self.sleep(self.account.batch.poll_seconds)
            return self.records.change(record, step="harvested", unfinished=record.calls)
        return record

    async def _harvest(self, record: BatchRecord) -> BatchRecord:
        if record.adopted and await self._is_not_mine(record):
            rejected = (*record.rejected, record.batch_id or "")
            return self.records.change(record, step="sending", batch_id=None, adopted=False, rejected=rejected)
        record, cost_usd = await self.harvester.harvest(self.client, record)
        if record.step != "ended":
            await self.spending.settle_batch(self._reserved.pop(record.tag, 0.0), cost_usd)
        return record

    async def _is_not_mine(self, record: BatchRecord) -> bool:
        ids = [line.custom_id for line in self.records.lines(record)]
        return await self.client.verify(record.batch_id or "", ids) is False

    def _refuse(self, record: BatchRecord, problem: str, fatal: bool) -> BatchRecord:
        """Give a batch up as a whole: every call of it fails with the provider's words."""
        if fatal:
            self.stop_provider(problem)
        return self._fail_all(self.records.change(record, step="refused", problem=problem), problem)

    def _stuck(self, record: BatchRecord) -> BatchRecord:
        problem = (
            f"batch {record.batch_id} has not ended after {self.account.batch.deadline_hours:g} h (state "
            f"{record.state}); cancel it with judgeray cancel, or run again with mode: realtime"
        )
        return self._fail_all(self.records.change(record, step="stuck", problem=problem), problem)

    def _fail_all(self, record: BatchRecord, problem: str) -> BatchRecord:
        for line in self.records.lines(record):
            self.harvester.keep(Failure(line.call.key, line.call.provider, problem, 0))
        return self.records.change(record, failures=record.calls)

    async def _reserve(self, record: BatchRecord) -> bool:
        """Set aside what all calls of the batch can cost; False when the budget does not cover it."""
        if record.tag in self._reserved:
            return True
        reserved = await self.spending.reserve_all([line.call for line in self.records.lines(record)])
        if reserved is not None:
            self._reserved[record.tag] = reserved
        return reserved is not None

    async def _commit(self, record: BatchRecord) -> None:
        """A batch of an earlier session is at the provider already: count it in full."""
        if record.tag not in self._reserved:
            calls = [line.call for line in self.records.lines(record)]
            self._reserved[record.tag] = await self.spending.commit_all(calls)

    async def _release(self, record: BatchRecord) -> None:
        await self.spending.give_back(self._reserved.pop(record.tag, 0.0))


def _last(found: list[str]) -> str | None:
    return found[-1] if found else None
