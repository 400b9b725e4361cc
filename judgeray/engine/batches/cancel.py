"""Cancelling: ask the provider to end open batches, and look until it says that they have ended."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

from judgeray.engine.batches.record import BatchRecord
from judgeray.providers.account import Account
from judgeray.providers.batch import BatchClient
from judgeray.providers.connect import connect_batch
from judgeray.providers.errors import ProviderError

CANCEL_DEADLINE_SECONDS = 900.0
"""OpenAI takes up to ten minutes to let requests in flight finish (batch guide)."""


def cancel_batches(
    records: Sequence[BatchRecord],
    accounts: Mapping[str, Account],
    deadline_seconds: float = CANCEL_DEADLINE_SECONDS,
) -> dict[str, str]:
    """Cancel the batches of these records that a provider holds; returns by tag how each ended, in its own word.

    What had run until then is kept by the provider: the next run takes it in.
    """
    return asyncio.run(_cancel_all(records, accounts, deadline_seconds))


async def _cancel_all(
    records: Sequence[BatchRecord], accounts: Mapping[str, Account], deadline_seconds: float
) -> dict[str, str]:
    ended: dict[str, str] = {}
    for name in sorted({record.provider for record in records}):
        client = connect_batch(accounts[name])
        try:
            for record in (record for record in records if record.provider == name):
                pause = accounts[name].batch.poll_seconds
                ended[record.tag] = await _cancel(client, record, pause, deadline_seconds)
        finally:
            await client.close()
    return ended


async def _cancel(client: BatchClient, record: BatchRecord, pause_seconds: float, deadline_seconds: float) -> str:
    if record.batch_id is None:
        return "not sent"
    end = time.monotonic() + deadline_seconds
    try:
        await client.cancel(record.batch_id)
        while (status := await client.status(record.batch_id)).phase != "ended":
            if time.monotonic() > end:
                return f"still {status.state} after {deadline_seconds:g} s"
            await asyncio.sleep(pause_seconds)
    except ProviderError as error:
        return f"not cancelled: {error.message}"
    return status.state
