"""How many batches, and how many of their input tokens, may be at a provider at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from judgeray.engine.batches.record import BatchRecord, BatchRecords
from judgeray.engine.pace import estimated_input_tokens
from judgeray.providers.account import BatchSettings


class Queue:
    """Gives places to batches: those that are at the provider already first, the others as there is room."""

    def __init__(self, settings: BatchSettings) -> None:
        self._settings = settings
        self._changed = asyncio.Condition()
        self._batches = 0
        self._tokens = 0

    @asynccontextmanager
    async def place(self, record: BatchRecord, records: BatchRecords) -> AsyncIterator[None]:
        """Hold a place while a batch is carried; one larger than the whole quota gets it when it is alone."""
        tokens = self._tokens_of(record, records)
        async with self._changed:
            if record.step not in ("created", "ended"):
                await self._changed.wait_for(lambda: self._fits(tokens))
            self._batches += 1
            self._tokens += tokens
        try:
            yield
        finally:
            async with self._changed:
                self._batches -= 1
                self._tokens -= tokens
                self._changed.notify_all()

    def _fits(self, tokens: int) -> bool:
        quota = self._settings.most_enqueued_tokens
        within = quota is None or self._tokens + tokens <= quota or self._batches == 0
        return self._batches < self._settings.most_open and within

    def _tokens_of(self, record: BatchRecord, records: BatchRecords) -> int:
        if self._settings.most_enqueued_tokens is None:
            return 0
        return sum(estimated_input_tokens(line.call) for line in records.lines(record))
