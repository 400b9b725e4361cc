"""OpenAI and compatible servers, on the official SDK with its retries off."""

from __future__ import annotations

import httpx2
import openai

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers import openai_chat, openai_responses
from judgeray.providers.account import Account
from judgeray.providers.body import encode, text_of
from judgeray.providers.failures import from_exception, from_status
from judgeray.providers.keys import read_key
from judgeray.providers.lean_http import LeanClient, whole_url
from judgeray.providers.limit_headers import stated_limits
from judgeray.providers.transport import JSON_HEADERS, LOST, plain_headers, read_reply, timeout, trusts_environment


class OpenAIClient:
    """Answers calls over the Responses or the Chat Completions route of one account."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._key = read_key(account)
        self.seen_limits: dict[str, float] = {}
        self._sdk = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=account.base_url,
            max_retries=0,
            timeout=timeout(account),
            http_client=LeanClient(account, trusts_environment(account)),
        )

        path = openai_chat.PATH if account.api == "chat" else openai_responses.PATH
        self._url = whole_url(str(self._sdk.base_url), path)

    async def answer(self, call: Call) -> Reply:
        """Send one request; see `Client.answer`."""
        if self._account.api == "chat":
            read = openai_chat.read_body
            body = openai_chat.request_body(call, self._account.max_tokens_field)
            response = await self._post(encode(body))
        else:
            read = openai_responses.read_body
            response = await self._post(encode(openai_responses.request_body(call)))
        headers, text = plain_headers(response), text_of(response.content)
        self.seen_limits = stated_limits(headers)
        return read_reply(call, text, read, headers, headers.get("x-request-id"), self._key)

    async def _post(self, body: bytes) -> httpx2.Response:
        problem: Exception
        try:
            return await self._sdk.post(
                self._url, cast_to=httpx2.Response, content=body, options={"headers": JSON_HEADERS}
            )
        except openai.APIStatusError as error:
            problem = from_status("openai", error.status_code, error.body, error.response.headers, self._key)
        except (openai.OpenAIError, *LOST) as error:
            problem = from_exception("openai", error, self._key)
        # Raised out here, so that no traceback leads to the SDK's exception: its request holds the key.
        raise problem

    async def close(self) -> None:
        """Close all connections."""
        await self._sdk.close()
