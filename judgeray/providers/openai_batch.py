"""OpenAI's Batch API on the official SDK: a file up, a batch made of it, two files down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote, urlencode

import openai

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
from judgeray.providers.batch_failures import TRANSFER_SECONDS, of_batch, of_create, plainly
from judgeray.providers.batch_files import Fetch, harvested, saved, spooled
from judgeray.providers.batch_lists import from_epoch, id_of, ids_of, newest_first
from judgeray.providers.batch_wire import Answer, BatchWire, transfer_timeout
from judgeray.providers.body import encode, inner
from judgeray.providers.errors import ProviderError
from judgeray.providers.harvest import Harvest
from judgeray.providers.keys import read_key
from judgeray.providers.openai_batch_lines import (
    TAG,
    endpoint,
    line_format,
    read_status,
    request_body,
    result_files,
    write_line,
)
from judgeray.providers.transport import JSON_HEADERS, connections, trusts_environment

CAPS = BatchCaps(most_requests=50_000, most_bytes=200_000_000, one_model=True)
"""Batch API guide: an input file holds up to 50,000 requests to one model and up to 200 MB."""


class OpenAIBatchClient:
    """Batches over the Responses or the Chat Completions endpoint of one account."""

    caps = CAPS

    def __init__(self, account: Account) -> None:
        key = read_key(account)
        self._account, self._key, self._seconds = account, key, account.timeout_seconds
        self._sdk = openai.AsyncOpenAI(
            api_key=key,
            base_url=account.base_url,
            max_retries=0,
            timeout=transfer_timeout(account),
            http_client=openai.DefaultAioHttpClient(
                limits=connections(account),
                timeout=transfer_timeout(account),
                trust_env=trusts_environment(account),
                # A redirect would turn the POST into a GET, or carry the key elsewhere.
                follow_redirects=False,
            ),
        )
        self._wire = BatchWire("openai", self._sdk, (openai.APIStatusError, openai.OpenAIError), key)

    def batch_group(self, call: Call) -> str:
        """Calls share a batch by model, as the request names it; see `BatchClient.batch_group`."""
        return str(request_body(call, self._account).get("model"))

    async def upload_and_create(
        self, tag: str, lines: Sequence[BatchLine], on_step: Callable[[str, str], None]
    ) -> str:
        """Upload the lines as a file and make a batch of it; see `BatchClient.upload_and_create`."""
        await asyncio.to_thread(check_lines, lines, self)
        async with spooled(self._written(lines), CAPS.most_bytes) as file:
            uploaded = await self._upload(tag, file)
        on_step("uploaded", uploaded)
        body = {
            "input_file_id": uploaded,
            "endpoint": endpoint(self._account),
            "completion_window": "24h",
            "metadata": {TAG: tag},
        }
        created, _ = await self._wire.post(
            "/batches", self._seconds, of_create, content=encode(body), options={"headers": JSON_HEADERS}
        )
        if (batch_id := id_of(created)) is None:
            raise LostCreateError("retry", "openai: the answer to a create names no batch", code="body:no_id")
        return batch_id

    def _written(self, lines: Sequence[BatchLine]) -> Iterator[bytes]:
        url = endpoint(self._account)
        for line in lines:
            yield write_line(line.custom_id, url, request_body(line.call, self._account))

    async def _upload(self, tag: str, file: BinaryIO) -> str:
        answer, _ = await self._wire.post(
            "/files",
            TRANSFER_SECONDS,
            plainly,
            body={"purpose": "batch"},
            files=[("file", (f"{tag}.jsonl", file, "application/jsonl"))],
            options={"headers": {"Content-Type": "multipart/form-data"}},
        )
        if (uploaded := id_of(answer)) is None:
            raise ProviderError("retry", "openai: the answer to an upload names no file", code="body:no_id")
        return uploaded

    async def find(self, tag: str, since: datetime, lines_count: int, uploaded: str | None) -> list[str]:  # noqa: ARG002 -- the tag says more
        """Find batches by the tag in their metadata, or by their file; see `BatchClient.find`."""

        def is_ours(batch: dict[str, Any]) -> bool:
            file_id = batch.get("input_file_id")
            return inner(batch.get("metadata"), TAG) == tag or (bool(uploaded) and file_id == uploaded)

        recent = newest_first(self._page, since, lambda batch: from_epoch(batch.get("created_at")))
        return ids_of([batch async for batch in recent if is_ours(batch)])

    async def _page(self, cursor: str | None) -> dict[str, Any]:
        query = urlencode({"limit": "100", **({"after": cursor} if cursor else {})})
        return (await self._wire.get(f"/batches?{query}", self._seconds, plainly))[0]

    async def status(self, batch_id: str) -> BatchStatus:
        """Read the Batch object; see `BatchClient.status`."""
        batch, _ = await self._batch(batch_id)
        return read_status(batch, self._key)

    async def results(self, batch_id: str, by_id: Mapping[str, Call]) -> AsyncIterator[BatchResult]:
        """Read output file and error file, whichever there are; see `BatchClient.results`."""
        batch, headers = await self._batch(batch_id)
        harvest = Harvest(by_id, line_format(self._account), headers, self._key)
        for fetch in self._files(batch):
            async for result in harvested(fetch, harvest):
                yield result

    async def save_results(self, batch_id: str, folder: Path) -> list[Path]:
        """Keep both files as they are; see `BatchClient.save_results`."""
        batch, _ = await self._batch(batch_id)
        fetches = enumerate(self._files(batch), 1)
        return [await saved(fetch, folder / f"results-{number}.jsonl") for number, fetch in fetches]

    def _files(self, batch: Mapping[str, Any]) -> list[Fetch]:
        """Ways to the result files. Raises ProviderError (retry) where rows were completed but no file is named."""
        status, ids = read_status(batch, self._key), result_files(batch)
        require_ended(status)
        if not ids and status.counts.get("completed"):
            raise ProviderError("retry", "openai: rows were completed but no file is named", code="batch:no_file")
        return [partial(self._wire.download, f"/files/{quote(file_id, safe='')}/content") for file_id in ids]

    async def verify(self, batch_id: str, custom_ids: Collection[str]) -> bool | None:  # noqa: ARG002 -- see below
        """A batch with our tag or our file is ours: nothing is left to verify."""
        return True

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
    return f"/batches/{quote(batch_id, safe='')}"
