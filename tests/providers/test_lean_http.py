"""Laws of the client below the SDKs: what the server says reaches them, and nothing is sent where it should not."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import httpx2
import pytest

from judgeray.providers.account import Account
from judgeray.providers.lean_http import LeanClient, whole_url


class Server(BaseHTTPRequestHandler):
    """Echoes bodies compressed, and redirects what asks for it."""

    seen: ClassVar[list[tuple[str, dict[str, str]]]] = []

    def do_POST(self) -> None:
        """Answer a request with a body."""
        body = self.rfile.read(int(self.headers["content-length"]))
        self.seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        if self.path == "/away":
            self.send_response(307)
            self.send_header("location", "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()
            return
        packed = gzip.compress(body)
        self.send_response(200)
        self.send_header("content-encoding", "gzip")
        self.send_header("set-cookie", "tracked=1")
        self.send_header("content-length", str(len(packed)))
        self.end_headers()
        self.wfile.write(packed)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    """Address of a running server."""
    Server.seen.clear()
    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


async def posted(url: str, times: int = 1) -> list[httpx2.Response]:
    """Send a body so many times, as the SDKs do."""
    client = LeanClient(Account("a", "openai"), trust_env=False)
    try:
        responses = []
        for _ in range(times):
            request = client.build_request(
                method="POST", url=url, headers=[("Authorization", "Bearer k")], content=b"body", params=None
            )
            responses.append(await client.send(request, stream=False))
        return responses
    finally:
        await client.aclose()


def test_a_compressed_response_is_read(url: str) -> None:
    """What a server packs comes out as it went in, with its headers."""
    (response,) = asyncio.run(posted(f"{url}/x"))
    assert (response.status_code, response.content) == (200, b"body")
    assert response.headers["content-encoding"] == "gzip"


def test_a_redirect_is_handed_on_and_not_followed(url: str) -> None:
    """A key is never carried to where a server points."""
    (response,) = asyncio.run(posted(f"{url}/away"))
    assert response.status_code == 307
    assert [path for path, _ in Server.seen] == ["/away"]


def test_the_key_is_sent_and_no_cookie_is_kept(url: str) -> None:
    """Headers of the SDK arrive once each; a server cannot mark later calls."""
    asyncio.run(posted(f"{url}/x", times=2))
    assert [headers["authorization"] for _, headers in Server.seen] == ["Bearer k"] * 2
    assert all("cookie" not in headers for _, headers in Server.seen)
    assert all(headers["content-length"] == "4" for _, headers in Server.seen)


def test_other_requests_go_the_sdk_s_own_way(url: str) -> None:
    """What has no body of bytes is built as httpx2 does."""

    async def sent() -> httpx2.Response:
        client = LeanClient(Account("a", "openai"), trust_env=False)
        try:
            request = client.build_request("POST", f"{url}/json", json={"a": 1}, params={"q": "1"})
            return await client.send(request)
        finally:
            await client.aclose()

    assert asyncio.run(sent()).json() == {"a": 1}
    assert Server.seen[0][0] == "/json?q=1"


@pytest.mark.parametrize("base", ["http://h/v1", "http://h/v1/"])
def test_a_whole_address_has_one_slash(base: str) -> None:
    """However a base URL ends."""
    assert whole_url(base, "/responses") == "http://h/v1/responses"
