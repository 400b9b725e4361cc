"""Anthropic, on the official SDK with its retries off."""

from __future__ import annotations

import anthropic
import httpx2

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers import anthropic_messages
from judgeray.providers.account import Account
from judgeray.providers.body import encode, text_of
from judgeray.providers.failures import from_exception, from_status
from judgeray.providers.keys import read_key
from judgeray.providers.lean_http import LeanClient, whole_url
from judgeray.providers.limit_headers import stated_limits
from judgeray.providers.transport import JSON_HEADERS, LOST, plain_headers, read_reply, timeout, trusts_environment


class AnthropicClient:
    """Answers calls over the Messages route of one account."""

    def __init__(self, account: Account) -> None:
        self._key = read_key(account)
        self.seen_limits: dict[str, float] = {}
        self._sdk = anthropic.AsyncAnthropic(
            api_key=self._key,
            base_url=account.base_url,
            max_retries=0,
            timeout=timeout(account),
            http_client=LeanClient(account, trusts_environment(account)),
        )

        self._url = whole_url(str(self._sdk.base_url), anthropic_messages.PATH)

    async def answer(self, call: Call) -> Reply:
        """Send one request; see `Client.answer`."""
        body = anthropic_messages.request_body(call)
        response = await self._post(encode(body), {**JSON_HEADERS, **anthropic_messages.request_headers(body)})
        headers, text = plain_headers(response), text_of(response.content)
        self.seen_limits = stated_limits(headers)
        return read_reply(call, text, anthropic_messages.read_body, headers, headers.get("request-id"), self._key)

    async def _post(self, body: bytes, headers: dict[str, str]) -> httpx2.Response:
        problem: Exception
        try:
            return await self._sdk.post(
                self._url, cast_to=httpx2.Response, content=body, options={"headers": headers}
            )
        except anthropic.APIStatusError as error:
            problem = from_status("anthropic", error.status_code, error.body, error.response.headers, self._key)
        except (anthropic.AnthropicError, *LOST) as error:
            problem = from_exception("anthropic", error, self._key)
        # Raised out here, so that no traceback leads to the SDK's exception: its request holds the key.
        raise problem

    async def close(self) -> None:
        """Close all connections."""
        await self._sdk.close()
