"""Gemini's Batch API in file mode: a file up, a job made of it, a file down.

Requests inside the job itself are never used: their answers bear no key of ours and were seen out of order.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from judgeray.core.call import Call
from judgeray.providers.account import Account
from judgeray.providers.batch import (
    BatchCaps,
    BatchLine,
    BatchResult,
    BatchStatus,
    LostCreateError,
    check_lines,
    require_ended,
)
from judgeray.providers.batch_failures import of_batch, of_create
from judgeray.providers.batch_files import Fetch, harvested, saved, spooled
from judgeray.providers.batch_lists import id_of, ids_of, pages
from judgeray.providers.batch_wire import Answer
from judgeray.providers.body import inner, objects, text_or_none
from judgeray.providers.errors import ProviderError
from judgeray.providers.google_batch_lines import LINE_FORMAT, model_path, read_status, responses_file, write_line
from judgeray.providers.google_batch_wire import GoogleBatchWire
from judgeray.providers.harvest import Harvest
from judgeray.providers.keys import read_key

CAPS = BatchCaps(most_requests=10_000, most_bytes=2_000_000_000, one_model=True)
"""Batch API guide: an input file holds up to 2 GB, for one model. It names no number of requests; this one is ours,
because a job that fails or expires gives nothing back and is run again whole."""


class GoogleBatchClient:
    """Batches of one account of the Gemini Developer API."""

    caps = CAPS

    def __init__(self, account: Account) -> None:
        self._key = read_key(account)
        self._wire = GoogleBatchWire(account, self._key)

    def batch_group(self, call: Call) -> str:
        """Calls share a batch by model; see `BatchClient.batch_group`."""
        return model_path(call)

    async def upload_and_create(
        self, tag: str, lines: Sequence[BatchLine], on_step: Callable[[str, str], None]
    ) -> str:
        """Upload the lines as a file and make a job of it; see `BatchClient.upload_and_create`."""
        await asyncio.to_thread(check_lines, lines, self)
        written = (write_line(line.custom_id, line.call) for line in lines)
        async with spooled(written, CAPS.most_bytes) as file:
            uploaded = await self._wire.upload(tag, file)
        on_step("uploaded", uploaded)
        body = {"batch": {"displayName": tag, "inputConfig": {"fileName": uploaded}}}
        path = f"{model_path(lines[0].call)}:batchGenerateContent"
        created, _ = await self._wire.json("post", path, of_create, body)
        if (batch_id := id_of(created)) is None:
            raise LostCreateError("retry", "google: the answer to a create names no batch", code="body:no_id")
        return batch_id

    async def find(self, tag: str, since: datetime, lines_count: int, uploaded: str | None) -> list[str]:  # noqa: ARG002 -- name and file say it all
        """Find batches by display name, or by their file where the list tells it; see `BatchClient.find`.

        The list has no stated order, so it is read to its end.
        """

        def is_ours(batch: dict[str, Any]) -> bool:
            file_name = inner(batch, "metadata", "inputConfig", "fileName")
            return inner(batch, "metadata", "displayName") == tag or (bool(uploaded) and file_name == uploaded)

        found: list[dict[str, Any]] = []
        async for page in pages(self._page, lambda page: text_or_none(page.get("nextPageToken")) or None):
            found += [batch for batch in objects(page.get("operations")) if is_ours(batch)]
        return ids_of(found)

    async def _page(self, cursor: str | None) -> dict[str, Any]:
        query = urlencode({"pageSize": "100", **({"pageToken": cursor} if cursor else {})})
        return (await self._wire.json("get", f"batches?{query}"))[0]

    async def status(self, batch_id: str) -> BatchStatus:
        """Read the raw operation, which says why a batch failed; see `BatchClient.status`."""
        operation, _ = await self._batch(batch_id)
        return read_status(operation, self._key)

    async def results(self, batch_id: str, by_id: Mapping[str, Call]) -> AsyncIterator[BatchResult]:
        """Read the result file, if there is one; see `BatchClient.results`."""
        operation, headers = await self._batch(batch_id)
        harvest = Harvest(by_id, LINE_FORMAT, headers, self._key)
        for fetch in self._files(operation):
            async for result in harvested(fetch, harvest):
                yield result

    async def save_results(self, batch_id: str, folder: Path) -> list[Path]:
        """Keep the result file as it is; see `BatchClient.save_results`."""
        operation, _ = await self._batch(batch_id)
        return [await saved(fetch, folder / "results-1.jsonl") for fetch in self._files(operation)]

    def _files(self, operation: Mapping[str, Any]) -> list[Fetch]:
        """The way to the result file. Raises ProviderError (retry) where paid rows may be in none that is named."""
        status, name = read_status(operation, self._key), responses_file(operation)
        require_ended(status)
        all_failed = status.counts and not status.counts.get("successfulRequestCount")
        if name is None and status.problem is None and not all_failed:
            raise ProviderError("retry", "google: the batch succeeded but names no file", code="batch:no_file")
        return [partial(self._wire.download, name)] if name else []

    async def verify(self, batch_id: str, custom_ids: Collection[str]) -> bool | None:  # noqa: ARG002 -- see below
        """A batch with our display name is ours: nothing is left to verify."""
        return True

    async def cancel(self, batch_id: str) -> None:
        """Ask for cancellation; see `BatchClient.cancel`."""
        try:
            await self._wire.json("post", f"{_path(batch_id)}:cancel", of_batch)
        except ProviderError:
            if (await self.status(batch_id)).phase != "ended":
                raise

    async def _batch(self, batch_id: str) -> Answer:
        return await self._wire.json("get", _path(batch_id), of_batch)

    async def close(self) -> None:
        """Close all connections."""
        await self._wire.close()


def _path(batch_id: str) -> str:
    return quote(batch_id, safe="/")
