"""One exchange on a batch route over the SDKs of OpenAI and Anthropic, which are built alike."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, BinaryIO, Protocol, TypeVar, cast

import httpx2

from judgeray.providers.account import Account, Kind
from judgeray.providers.batch_failures import READ_SECONDS, TRANSFER_SECONDS, Translate, deadline, of_file
from judgeray.providers.body import decode, text_of
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_exception, from_status
from judgeray.providers.transport import LOST

Got = TypeVar("Got")

Answer = tuple[dict[str, Any], Mapping[str, str]]
"""A JSON object and the headers that it came with."""


def transfer_timeout(account: Account) -> httpx2.Timeout:
    """Timeouts of a client that moves whole batches."""
    return httpx2.Timeout(READ_SECONDS, connect=account.connect_timeout_seconds)


class Sdk(Protocol):
    """What is used of an SDK's async client."""

    @property
    def get(self) -> Callable[..., Awaitable[Any]]:
        """Send a GET."""
        ...

    @property
    def post(self) -> Callable[..., Awaitable[Any]]:
        """Send a POST."""
        ...


class StatusError(Protocol):
    """An SDK's exception for an error response."""

    status_code: int
    body: object
    response: httpx2.Response


class BatchWire:
    """Sends requests through an SDK client; whatever goes wrong comes out as a ProviderError without the key."""

    def __init__(self, api: Kind, sdk: Sdk, errors: tuple[type[Exception], type[Exception]], key: str) -> None:
        """Take the SDK's client and its exceptions: for an error response, and for everything."""
        self._api, self._sdk, self._key = api, sdk, key
        self._status_error, self._sdk_error = errors

    async def get(self, path: str, seconds: float, translate: Translate) -> Answer:
        """Get a JSON object."""
        return await self._json(partial(self._sdk.get, path), seconds, translate)

    async def post(self, path: str, seconds: float, translate: Translate, **request: object) -> Answer:
        """Post what the SDK's `post` takes and get a JSON object."""
        return await self._json(partial(self._sdk.post, path, **request), seconds, translate)

    async def download(self, path: str, file: BinaryIO, headers: Mapping[str, str] | None = None) -> None:
        """Write a file of results into a file of ours; what came before an error stays written."""

        async def fetch() -> None:
            response = await self._sdk.get(
                path,
                cast_to=httpx2.Response,
                stream=True,
                options={"headers": {"Accept": "application/binary", **(headers or {})}},
            )
            try:
                async for chunk in response.aiter_bytes():
                    file.write(chunk)
            finally:
                await response.aclose()

        await self._guarded(fetch, TRANSFER_SECONDS, of_file)

    async def _json(self, send: Callable[..., Awaitable[Any]], seconds: float, translate: Translate) -> Answer:
        async def exchange() -> Answer:
            response = await send(cast_to=httpx2.Response)
            return decode(text_of(response.content)), response.headers

        return await self._guarded(exchange, seconds, translate)

    async def _guarded(self, work: Callable[[], Awaitable[Got]], seconds: float, translate: Translate) -> Got:
        problem: Exception
        try:
            async with deadline(seconds, f"{self._api}: an answer"):
                return await work()
        except ProviderError as error:
            problem = error
        except (self._sdk_error, *LOST) as error:
            problem = self._problem(error)
        # Raised out here, so that no traceback leads to the SDK's exception: its request holds the key.
        raise translate(problem)

    def _problem(self, error: Exception) -> Exception:
        if not isinstance(error, self._status_error):
            return from_exception(self._api, error, self._key)
        told = cast("StatusError", error)
        return from_status(self._api, told.status_code, told.body, told.response.headers, self._key)
