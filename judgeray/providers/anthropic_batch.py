"""Anthropic's Message Batches API on the official SDK: one body up, one stream of results down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, cast
from urllib.parse import quote, urlencode, urlsplit

import anthropic

from judgeray.core.call import Call
from judgeray.providers.account import Account
from judgeray.providers.anthropic_batch_lines import (
    LINE_FORMAT,
    create_headers,
    read_status,
    requests_in,
    write_body,
)
from judgeray.providers.batch import (
    BatchCaps,
    BatchLine,
    BatchResult,
    BatchStatus,
    LostCreateError,
    check_lines,
    require_ended,
)
from judgeray.providers.batch_failures import TRANSFER_SECONDS, of_batch, of_create, plainly
from judgeray.providers.batch_files import Fetch, chunks, harvested, saved, size_of, spooled
from judgeray.providers.batch_lists import from_rfc3339, id_of, ids_of, newest_first
from judgeray.providers.batch_wire import Answer, BatchWire, transfer_timeout
from judgeray.providers.body import text_or_none
from judgeray.providers.errors import ProviderError
from judgeray.providers.harvest import Harvest, ids_in
from judgeray.providers.keys import read_key
from judgeray.providers.transport import JSON_HEADERS, connections, trusts_environment

PATH = "/v1/messages/batches"

CAPS = BatchCaps(most_requests=100_000, most_bytes=256_000_000, one_model=False)
"""Batch processing guide: 100,000 requests or 256 MB, whichever is reached first; models may be mixed."""


class AnthropicBatchClient:
    """Message Batches of one account."""

    caps = CAPS

    def __init__(self, account: Account) -> None:
        key = read_key(account)
        self._key, self._seconds = key, account.timeout_seconds
        self._sdk = anthropic.AsyncAnthropic(
            api_key=key,
            base_url=account.base_url,
            max_retries=0,
            timeout=transfer_timeout(account),
            http_client=anthropic.DefaultAioHttpClient(
                limits=connections(account),
                timeout=transfer_timeout(account),
                trust_env=trusts_environment(account),
                # A redirect would turn the POST into a GET, or carry the key elsewhere.
                follow_redirects=False,
            ),
        )
        self._wire = BatchWire("anthropic", self._sdk, (anthropic.APIStatusError, anthropic.AnthropicError), key)

    def batch_group(self, call: Call) -> str:
        """Calls share a batch by the API version that they need; see `BatchClient.batch_group`."""
        return create_headers(call).get("anthropic-version", "current")

    async def upload_and_create(
        self,
        tag: str,  # noqa: ARG002 -- it is in the lines' ids
        lines: Sequence[BatchLine],
        on_step: Callable[[str, str], None],  # noqa: ARG002 -- no upload
    ) -> str:
        """Send the whole batch in one body, whose ids bear the tag; see `BatchClient.upload_and_create`."""
        await asyncio.to_thread(check_lines, lines, self)
        async with spooled(write_body(lines), CAPS.most_bytes) as file:
            # Without a length the body would go in chunks, which not every gateway takes.
            headers = {**JSON_HEADERS, "content-length": str(size_of(file)), **create_headers(lines[0].call)}
            created, _ = await self._wire.post(
                PATH, TRANSFER_SECONDS, of_create, content=chunks(file), options={"headers": headers}
            )
        if (batch_id := id_of(created)) is None:
            raise LostCreateError("retry", "anthropic: the answer to a create names no batch", code="body:no_id")
        return batch_id

    async def find(self, tag: str, since: datetime, lines_count: int, uploaded: str | None) -> list[str]:  # noqa: ARG002 -- a batch bears neither
        """Find batches of the same size made since then; see `BatchClient.find`."""
        recent = newest_first(self._page, since, lambda batch: from_rfc3339(batch.get("created_at")))
        return ids_of([batch async for batch in recent if requests_in(batch) == lines_count])

    async def _page(self, cursor: str | None) -> dict[str, Any]:
        query = urlencode({"limit": "100", **({"after_id": cursor} if cursor else {})})
        return (await self._wire.get(f"{PATH}?{query}", self._seconds, plainly))[0]

    async def status(self, batch_id: str) -> BatchStatus:
        """Read the MessageBatch object; see `BatchClient.status`."""
        batch, _ = await self._batch(batch_id)
        return read_status(batch)

    async def results(self, batch_id: str, by_id: Mapping[str, Call]) -> AsyncIterator[BatchResult]:
        """Read the results; see `BatchClient.results`."""
        batch, headers = await self._batch(batch_id)
        harvest = Harvest(by_id, LINE_FORMAT, headers, self._key)
        async for result in harvested(self._results(batch_id, batch), harvest):
            yield result

    async def save_results(self, batch_id: str, folder: Path) -> list[Path]:
        """Keep the results as they are; see `BatchClient.save_results`."""
        batch, _ = await self._batch(batch_id)
        return [await saved(self._results(batch_id, batch), folder / "results-1.jsonl")]

    async def verify(self, batch_id: str, custom_ids: Collection[str]) -> bool | None:
        """Compare the ids in the results, which exist only once the batch has ended; see `BatchClient.verify`."""
        batch, _ = await self._batch(batch_id)
        status = read_status(batch)
        if status.phase != "ended" or status.problem is not None:
            return None
        with TemporaryFile() as file:
            await self._results(batch_id, batch)(cast("BinaryIO", file))
            file.seek(0)
            found = ids_in(cast("BinaryIO", file), LINE_FORMAT)
            return found <= set(custom_ids) if found else None

    def _results(self, batch_id: str, batch: Mapping[str, Any]) -> Fetch:
        """The way to the results: the URL that the batch names, but never to another host with this key."""
        require_ended(read_status(batch))
        named, base = text_or_none(batch.get("results_url")) or "", self._sdk.base_url
        parts = urlsplit(named)
        ours = (parts.scheme, parts.netloc) == (base.scheme, base.netloc.decode("ascii"))
        return partial(self._wire.download, named if ours else f"{_path(batch_id)}/results")

    async def cancel(self, batch_id: str) -> None:
        """Ask for cancellation; see `BatchClient.cancel`."""
        try:
            await self._wire.post(f"{_path(batch_id)}/cancel", self._seconds, of_batch)
        except ProviderError:
            if (await self.status(batch_id)).phase != "ended":
                raise

    async def _batch(self, batch_id: str) -> Answer:
        return await self._wire.get(_path(batch_id), self._seconds, of_batch)

    async def close(self) -> None:
        """Close all connections."""
        await self._sdk.close()


def _path(batch_id: str) -> str:
    return f"{PATH}/{quote(batch_id, safe='')}"
