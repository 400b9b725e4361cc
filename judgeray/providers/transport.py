"""What lies below all three APIs: timeouts, connections, proxies, and the way from a response to a reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import httpx2

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers.account import Account
from judgeray.providers.body import decode
from judgeray.providers.client import to_reply
from judgeray.providers.content import Content

JSON_HEADERS = {"content-type": "application/json"}

LOST = (
    httpx2.HTTPError,
    httpx2.InvalidURL,
    aiohttp.ClientError,
    OSError,
    json.JSONDecodeError,
    UnicodeDecodeError,
    RecursionError,
)
"""What the SDKs let through from below where a request or its response got lost or garbled."""


def timeout(account: Account) -> httpx2.Timeout:
    """Connect and read timeouts of one request; the engine adds a total one."""
    return httpx2.Timeout(account.timeout_seconds, connect=account.connect_timeout_seconds)


def connections(account: Account) -> httpx2.Limits:
    """One kept connection per call in flight."""
    return httpx2.Limits(max_connections=account.concurrency, max_keepalive_connections=account.concurrency)


def trusts_environment(account: Account) -> bool:
    """Whether proxies that the environment names may carry the calls; never where the server is on this machine."""
    host = urlsplit(account.base_url or "").hostname or ""
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def plain_headers(response: httpx2.Response) -> dict[str, str]:
    """Headers of a response by their names in small letters; a look into httpx2's own costs ten times as much."""
    return {name.lower().decode("latin-1"): value.decode("latin-1") for name, value in response.headers.raw}


def read_reply(
    call: Call,
    text: str,
    read: Callable[[dict[str, Any], str], Content],
    headers: Mapping[str, str],
    request_id: str | None,
    key: str,
) -> Reply:
    """Read a response body into a reply. Raises ProviderError, without the key in it, where the body holds none."""
    return to_reply(call, read(decode(text), key), text, headers, request_id)
