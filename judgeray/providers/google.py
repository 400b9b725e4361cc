"""Gemini Developer API, on the official SDK with its retries off."""

from __future__ import annotations

from typing import Any

import aiohttp
from google import genai
from google.genai import errors, types

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers import google_generate
from judgeray.providers.account import Account
from judgeray.providers.failures import from_exception, from_status
from judgeray.providers.keys import read_key
from judgeray.providers.transport import LOST, read_reply, trusts_environment


class GoogleClient:
    """Answers calls over the generateContent route of one account.

    The SDK's request path is used below its models layer, which costs five times as much per call and may send
    further requests by itself. Connecting counts toward the one timeout that this path knows.
    """

    def __init__(self, account: Account) -> None:
        self._key = read_key(account)
        self.seen_limits: dict[str, float] = {}  # the API states none
        # A session of our own, because the SDK's cannot be kept from using a proxy or bounded in connections.
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=account.concurrency), trust_env=trusts_environment(account)
        )
        self._sdk = genai.Client(
            vertexai=False,
            api_key=self._key,
            http_options=types.HttpOptions(
                base_url=account.base_url,
                timeout=int(account.timeout_seconds * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
                aiohttp_client=self._session,
                # A redirect would turn the POST into a GET, or carry the key elsewhere.
                async_client_args={"allow_redirects": False},
            ),
        )

    async def answer(self, call: Call) -> Reply:
        """Send one request; see `Client.answer`."""
        response = await self._post(google_generate.path(call), google_generate.request_body(call))
        headers = {name.lower(): value for name, value in (response.headers or {}).items()}
        return read_reply(call, str(response.body or ""), google_generate.read_body, headers, None, self._key)

    async def _post(self, path: str, body: dict[str, Any]) -> types.HttpResponse:
        api = self._sdk._api_client  # noqa: SLF001 -- the public layer rebuilds every request and response
        problem: Exception
        try:
            return await api.async_request("post", path, body)
        except errors.APIError as error:
            problem = from_status("google", error.code, error.details, _headers(error.response), self._key)
        except (*LOST, ValueError) as error:
            problem = from_exception("google", error, self._key)
        # Raised out here, so that no traceback leads to the SDK's exception: its response holds the key.
        raise problem

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()
        await self._sdk.aio.aclose()
        self._sdk.close()


def _headers(response: object) -> dict[str, str]:
    return dict(getattr(response, "headers", None) or {})
