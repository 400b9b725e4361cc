"""Anthropic, on the official SDK with its retries off."""

from __future__ import annotations

import anthropic
import httpx2

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers import anthropic_messages
from judgeray.providers.account import Account
from judgeray.providers.body import encode
from judgeray.providers.keys import hide_keys, read_key
from judgeray.providers.taxonomy import from_status, from_transport
from judgeray.providers.transport import JSON_HEADERS, connections, reply_from, timeout


class AnthropicClient:
    """Answers calls over the Messages route of one account."""

    def __init__(self, account: Account) -> None:
        self._key = read_key(account)
        self._sdk = anthropic.AsyncAnthropic(
            api_key=self._key,
            base_url=account.base_url,
            max_retries=0,
            timeout=timeout(account),
            http_client=anthropic.DefaultAioHttpClient(limits=connections(account), timeout=timeout(account)),
        )

    async def answer(self, call: Call) -> Reply:
        """Send one request; see `Client.answer`."""
        headers = {**JSON_HEADERS, **anthropic_messages.request_headers(call)}
        try:
            response = await self._sdk.post(
                anthropic_messages.PATH,
                cast_to=httpx2.Response,
                content=encode(anthropic_messages.request_body(call)),
                options={"headers": headers},
            )
        except anthropic.APIStatusError as error:
            words = hide_keys(error.message, self._key)
            headers = dict(error.response.headers)
            raise from_status("anthropic", error.status_code, error.body, headers, words) from error
        except (anthropic.APIConnectionError, httpx2.HTTPError) as error:
            raise from_transport("anthropic", error) from error
        return reply_from(call, response, anthropic_messages.read_body, "request-id")

    async def close(self) -> None:
        """Close all connections."""
        await self._sdk.close()
