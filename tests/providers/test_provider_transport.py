"""What lies below the APIs: bytes to text, timeouts, and where proxies may be used."""

from __future__ import annotations

import httpx2
import pytest

from judgeray.providers.account import Account
from judgeray.providers.body import text_of
from judgeray.providers.errors import ProviderError
from judgeray.providers.transport import connections, plain_headers, timeout, trusts_environment


def test_bytes_are_read_as_utf8_whatever_they_are_called() -> None:
    """JSON is UTF-8; lone surrogates that a server wrote raw are kept, anything else is a passing fault."""
    assert text_of("é \x00".encode() + b"\xed\xa0\x80") == "é \x00\ud800"
    with pytest.raises(ProviderError, match="not UTF-8") as caught:
        text_of("é".encode("latin-1"))
    assert (caught.value.reaction, caught.value.code) == ("retry", "body:not_utf8")


def test_an_accounts_timeouts_and_connections_are_kept() -> None:
    """Connecting has a timeout of its own; every call in flight has a connection."""
    account = Account("a", "openai", connect_timeout_seconds=2.0, timeout_seconds=9.0, concurrency=7)
    assert (timeout(account).connect, timeout(account).read) == (2.0, 9.0)
    assert (connections(account).max_connections, connections(account).max_keepalive_connections) == (7, 7)


@pytest.mark.parametrize(
    ("base_url", "trusted"),
    [
        (None, True),
        ("https://api.example.com/v1", True),
        ("http://10.0.0.7:8000/v1", True),
        ("http://127.0.0.1:8000/v1", False),
        ("http://localhost:8000", False),
        ("http://[::1]:8000", False),
    ],
)
def test_only_this_machine_is_reached_without_proxies(base_url: str | None, trusted: bool) -> None:
    """Proxies that the environment names carry all calls but those to loopback."""
    assert trusts_environment(Account("a", "openai", base_url=base_url)) == trusted


def test_plain_headers_are_found_by_small_letters() -> None:
    """However a server spells a header's name, and whatever bytes its value holds, it is found and whole."""
    response = httpx2.Response(200, headers=[(b"X-Request-ID", b"r1"), (b"x-note", b"caf\xe9")])
    found = plain_headers(response)
    assert found["x-request-id"] == "r1"
    assert found["x-note"] == "café"
    assert "retry-after" not in found
