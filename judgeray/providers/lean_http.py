"""The HTTP client that the OpenAI and Anthropic SDKs are given: their requests, sent straight over aiohttp.

The SDKs build a request, check its response and raise what is wrong. Between the two their own client parses the
same address and merges the same headers, cookies, redirects and authentication anew for every call, which costs as
much again as the call itself (`tests/benchmarks/bench_clients.py`).
"""

from __future__ import annotations

from typing import Any

import aiohttp
import httpx2
from yarl import URL

from judgeray.providers.account import Account


class LeanClient(httpx2.AsyncClient):
    """Sends requests that have a body of bytes, without following a redirect: it would turn the POST into a GET, or
    carry the key elsewhere. Everything else is left to the SDK's own way."""

    def __init__(self, account: Account, trust_env: bool) -> None:
        super().__init__(trust_env=trust_env, follow_redirects=False)
        self._account, self._trusts = account, trust_env
        self._tls = httpx2.create_ssl_context(trust_env=trust_env)
        self._addresses: dict[str, tuple[httpx2.URL, URL]] = {}
        self._session: aiohttp.ClientSession | None = None

    def build_request(self, method: str, url: httpx2.URL | str, **parts: Any) -> httpx2.Request:  # noqa: ANN401 -- httpx2's own
        """Build the request of one call; its address is parsed once for all calls."""
        content, headers = parts.get("content"), parts.get("headers")
        if not isinstance(content, bytes) or any(parts.get(name) for name in ("params", "files", "data", "json")):
            return super().build_request(method, url, **parts)
        ours, theirs = self._address(str(url))
        return httpx2.Request(method, ours, content=content, headers=headers, extensions={LEAN: theirs})

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:  # noqa: ANN401 -- httpx2's own
        """Send a request and read its response whole. Raises what aiohttp raises."""
        address = request.extensions.get(LEAN)
        if address is None or self.is_closed:
            return await super().send(request, **options)
        session = self._session or self._open()
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw]
        kept = [(name, value) for name, value in headers if name.lower() not in COMPUTED]
        async with session.request(
            request.method, address, data=request.content, headers=kept, allow_redirects=False
        ) as response:
            content = await response.read()
        return httpx2.Response(response.status, headers=response.raw_headers, content=content, request=request)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
        await super().aclose()

    def _address(self, url: str) -> tuple[httpx2.URL, URL]:
        if url not in self._addresses:
            self._addresses[url] = httpx2.URL(url), URL(url, encoded=True)
        return self._addresses[url]

    def _open(self) -> aiohttp.ClientSession:
        account = self._account
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=account.concurrency, ssl=self._tls),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # httpx2 does that with what it is given
            trust_env=self._trusts,
            timeout=aiohttp.ClientTimeout(
                sock_connect=account.connect_timeout_seconds, sock_read=account.timeout_seconds
            ),
        )
        return self._session


def whole_url(base_url: str, path: str) -> str:
    """The address of all calls; the SDKs would put it together anew for each."""
    return base_url.rstrip("/") + path


LEAN = "judgeray.address"
"""Extension of a request that is sent the short way: its address as aiohttp wants it."""

COMPUTED = frozenset({"content-length", "host", "connection"})
"""Headers that aiohttp writes itself."""
