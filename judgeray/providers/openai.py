"""OpenAI and compatible servers, on the official SDK with its retries off."""

from __future__ import annotations

import httpx2
import openai

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers import openai_chat, openai_responses
from judgeray.providers.account import Account
from judgeray.providers.body import encode
from judgeray.providers.keys import hide_keys, read_key
from judgeray.providers.taxonomy import from_status, from_transport
from judgeray.providers.transport import JSON_HEADERS, connections, reply_from, timeout


class OpenAIClient:
    """Answers calls over the Responses or the Chat Completions route of one account."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._key = read_key(account)
        self._sdk = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=account.base_url,
            max_retries=0,
            timeout=timeout(account),
            http_client=openai.DefaultAioHttpClient(limits=connections(account), timeout=timeout(account)),
        )

    async def answer(self, call: Call) -> Reply:
        """Send one request; see `Client.answer`."""
        if self._account.api == "chat":
            path, read = openai_chat.PATH, openai_chat.read_body
            body = openai_chat.request_body(call, self._account.max_tokens_field)
        else:
            path, read = openai_responses.PATH, openai_responses.read_body
            body = openai_responses.request_body(call)
        try:
            response = await self._sdk.post(
                path, cast_to=httpx2.Response, content=encode(body), options={"headers": JSON_HEADERS}
            )
        except openai.APIStatusError as error:
            words = hide_keys(error.message, self._key)
            raise from_status("openai", error.status_code, error.body, error.response.headers, words) from error
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            raise from_transport("openai", error) from error
        return reply_from(call, response, read, "x-request-id")

    async def close(self) -> None:
        """Close all connections."""
        await self._sdk.close()
