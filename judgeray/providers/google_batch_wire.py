"""Gemini's batch and file routes over the official SDK with its retries off: exchange, upload, download."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO, TypeVar, cast

import aiohttp
from google import genai
from google.genai import errors, types

from judgeray.providers.account import Account
from judgeray.providers.batch_failures import READ_SECONDS, TRANSFER_SECONDS, Translate, deadline, of_file, plainly
from judgeray.providers.batch_wire import Answer
from judgeray.providers.body import decode
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_exception, from_status
from judgeray.providers.transport import LOST, trusts_environment
from judgeray.providers.words import fit_to_show

MIME_TYPES = ("application/jsonl", "text/plain", "application/json")
"""Tried in this order: which of them the Files API takes for JSON lines has changed (python-genai 1547, 1590)."""

NOT_TAKEN = (KeyError, TypeError, ValueError)
"""What the SDK's upload raises where the service answered, but with no file."""

NO_FILE = "body:no_file"

Got = TypeVar("Got")


class GoogleBatchWire:
    """Sends requests through the SDK; whatever goes wrong comes out as a ProviderError without the key."""

    def __init__(self, account: Account, key: str) -> None:
        self._key, self._seconds = key, account.timeout_seconds
        # A session of our own, because the SDK's cannot be kept from using a proxy or bounded in connections.
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=account.concurrency), trust_env=trusts_environment(account)
        )
        self._sdk = genai.Client(
            vertexai=False,
            api_key=key,
            http_options=types.HttpOptions(
                base_url=account.base_url,
                timeout=int(READ_SECONDS * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
                aiohttp_client=self._session,
                # A redirect would turn the POST into a GET, or carry the key elsewhere.
                async_client_args={"allow_redirects": False},
            ),
        )

    async def json(
        self, method: str, path: str, translate: Translate = plainly, body: dict[str, Any] | None = None
    ) -> Answer:
        """Exchange JSON objects."""
        api = self._sdk._api_client  # noqa: SLF001 -- the public layer drops why a batch failed

        async def exchange() -> Answer:
            response = await api.async_request(method, path, body or {})
            headers = {name.lower(): value for name, value in (response.headers or {}).items()}
            return decode(str(response.body or "")), headers

        return await self._guarded(exchange, self._seconds, translate)

    async def upload(self, tag: str, file: BinaryIO) -> str:
        """Upload a file of JSON lines under the first MIME type that is taken, and return its name."""
        problem: ProviderError | None = None
        for mime_type in MIME_TYPES:
            file.seek(0)
            try:
                return await self._upload(mime_type, tag, file)
            except ProviderError as error:
                if error.reaction != "row" and error.code != NO_FILE:
                    raise
                problem = error
        raise problem or ProviderError("retry", "google: nothing was uploaded", code=NO_FILE)

    async def _upload(self, mime_type: str, tag: str, file: BinaryIO) -> str:
        config = types.UploadFileConfig(mime_type=mime_type, display_name=tag)

        async def upload() -> str:
            try:
                name = (await self._sdk.aio.files.upload(file=cast("Any", file), config=config)).name
                fault = "" if name else "the answer names none"
            except NOT_TAKEN as error:
                name, fault = None, fit_to_show(f"{type(error).__name__}: {error}", self._key)
            if name:
                return name
            raise ProviderError("retry", f"google: no file came of an upload as {mime_type}: {fault}", code=NO_FILE)

        return await self._guarded(upload, TRANSFER_SECONDS, plainly)

    async def download(self, name: str, file: BinaryIO) -> None:
        """Write a file of results into a file of ours; what came before an error stays written."""
        destination = cast("Any", file)
        await self._guarded(
            lambda: self._sdk.aio.files.download(file=name, destination=destination), TRANSFER_SECONDS, of_file
        )

    async def _guarded(self, work: Callable[[], Awaitable[Got]], seconds: float, translate: Translate) -> Got:
        problem: Exception
        try:
            async with deadline(seconds, "google: an answer"):
                return await work()
        except ProviderError as error:
            problem = error
        except errors.APIError as error:
            headers = dict(getattr(error.response, "headers", None) or {})
            problem = from_status("google", error.code, error.details, headers, self._key)
        except (*LOST, ValueError) as error:
            problem = from_exception("google", error, self._key)
        # Raised out here, so that no traceback leads to the SDK's exception: its response holds the key.
        raise translate(problem)

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()
        await self._sdk.aio.aclose()
        self._sdk.close()
