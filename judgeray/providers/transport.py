"""What the OpenAI and Anthropic SDKs share below their APIs: httpx2 settings and one exchange."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers.account import Account
from judgeray.providers.body import decode
from judgeray.providers.client import to_reply
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError

JSON_HEADERS = {"content-type": "application/json"}


def timeout(account: Account) -> httpx2.Timeout:
    """Connect and read timeouts of one request; the engine adds a total one."""
    return httpx2.Timeout(account.timeout_seconds, connect=account.connect_timeout_seconds)


def connections(account: Account) -> httpx2.Limits:
    """One kept connection per call in flight."""
    return httpx2.Limits(max_connections=account.concurrency, max_keepalive_connections=account.concurrency)


def reply_from(
    call: Call, response: httpx2.Response, read: Callable[[dict[str, Any]], Content], id_header: str
) -> Reply:
    """Read a response into a reply. Raises ProviderError (retry) where the body is not of the API's shape."""
    content = read_shape(read, decode(response.content))
    return to_reply(call, content, response.text, response.headers, response.headers.get(id_header))


def read_shape(read: Callable[[dict[str, Any]], Content], body: dict[str, Any]) -> Content:
    """Read a body; one whose fields are of other types than documented is a passing fault, not a crash."""
    try:
        return read(body)
    except (AttributeError, KeyError, TypeError) as error:
        raise ProviderError("retry", f"the response body has an unknown shape: {error!r}") from error
