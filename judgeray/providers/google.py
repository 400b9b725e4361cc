"""Gemini Developer API, on the official SDK with its retries off."""

from __future__ import annotations

from typing import Any

import aiohttp
import httpx2
from google import genai
from google.genai import errors, types

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers import google_generate
from judgeray.providers.account import Account
from judgeray.providers.body import decode
from judgeray.providers.client import to_reply
from judgeray.providers.keys import hide_keys, read_key
from judgeray.providers.taxonomy import from_status, from_transport
from judgeray.providers.transport import read_shape


class GoogleClient:
    """Answers calls over the generateContent route of one account.

    The SDK's request path is used below its models layer, which costs five times as much per call.
    """

    def __init__(self, account: Account) -> None:
        self._key = read_key(account)
        self._sdk = genai.Client(
            api_key=self._key,
            http_options=types.HttpOptions(
                base_url=account.base_url,
                timeout=int(account.timeout_seconds * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
                async_client_args={"limit": account.concurrency},
            ),
        )

    async def answer(self, call: Call) -> Reply:
        """Send one request; see `Client.answer`."""
        try:
            response = await self._send(google_generate.path(call), google_generate.request_body(call))
        except errors.APIError as error:
            words = hide_keys(f"{error.status}: {error.message}", self._key)
            raise from_status("google", error.code, error.details, _headers(error.response), words) from error
        except (aiohttp.ClientError, httpx2.HTTPError, TimeoutError) as error:
            raise from_transport("google", error) from error
        headers = {name.lower(): value for name, value in (response.headers or {}).items()}
        raw = str(response.body or "")
        content = read_shape(google_generate.read_body, decode(raw))
        return to_reply(call, content, raw, headers, None)

    async def _send(self, path: str, body: dict[str, Any]) -> types.HttpResponse:
        api = self._sdk._api_client  # noqa: SLF001 -- the public layer rebuilds every request and response
        return await api.async_request("post", path, body)

    async def close(self) -> None:
        """Close all connections."""
        await self._sdk.aio.aclose()
        self._sdk.close()


def _headers(response: object) -> dict[str, str]:
    return dict(getattr(response, "headers", None) or {})
