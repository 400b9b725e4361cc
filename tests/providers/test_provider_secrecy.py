"""API keys stand in nothing that a client raises, shows or writes."""

from __future__ import annotations

import asyncio
import logging
import traceback
from typing import Any

import pytest

from judgeray.core.reply import Reply
from judgeray.providers.connect import connect
from judgeray.providers.failures import from_exception, from_status


def _shown(error: BaseException) -> str:
    """Everything that a log, a report or a debugger would print of an exception."""
    told = "".join(traceback.format_exception(error))
    chain: list[str] = []
    link: BaseException | None = error
    while link is not None:
        chain += [str(link), repr(link), repr(vars(link))]
        link = link.__cause__ or link.__context__
    return told + "\n".join(chain)


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 429, 500])
def test_a_key_that_a_server_echoes_is_blanked(api: Any, ask: Any, canned: Any, key: str, status: int) -> None:
    """The words of an error come back without the key that they quote, in message, code and traceback."""
    body = api.error(status, f"Incorrect API key provided: {key}.", name=key)
    if status == 200:
        body = {"status": "failed", "content": None, **body}
    error = ask(api, canned(body, status)).error
    assert "Incorrect API key provided: [key]." in error.message
    assert key not in _shown(error)


def test_a_key_at_the_cut_of_a_long_text_is_blanked(api: Any, ask: Any, canned: Any, key: str) -> None:
    """Blanking comes before cutting, so that no part of a key is left at the end."""
    for filler in range(470, 500, 3):
        error = ask(api, canned(api.error(400, "x" * filler + key), 400)).error
        assert key[:8] not in error.message


def test_a_web_page_with_the_key_is_blanked(api: Any, ask: Any, canned: Any, key: str) -> None:
    """Gateways that show what they were sent show nothing here."""
    page = f"<html><title>Bad key {key}</title><body>{key}</body></html>"
    for status in (200, 403, 502):
        assert key not in _shown(ask(api, canned(page, status, content_type="text/html")).error)


@pytest.mark.parametrize("act", ["drop", "drop midway", "hang"])
def test_a_lost_connection_shows_no_key(api: Any, ask: Any, canned: Any, key: str, act: str) -> None:
    """The SDK's exception, whose request holds the key, is not reachable from ours."""
    error = ask(api, canned(api.complete, act=act), timeout_seconds=0.3).error
    assert key not in _shown(error)
    assert (error.__cause__, error.__context__) == (None, None)


def test_a_refused_connection_shows_no_key(api: Any, ask: Any, canned: Any, key: str) -> None:
    """Neither does one that was never there."""
    error = ask(api, canned(), base_url="http://127.0.0.1:9").error
    assert key not in _shown(error)
    assert (error.__cause__, error.__context__) == (None, None)


def test_clients_and_accounts_show_no_key(api: Any, key: str) -> None:
    """Printing what holds a key does not print the key."""

    async def shown() -> str:
        account = api.account("http://127.0.0.1:9")
        client = connect(account)
        try:
            return f"{client!r} {client} {account!r}"
        finally:
            await client.close()

    assert key not in asyncio.run(shown())


def test_logs_show_no_key(api: Any, ask: Any, canned: Any, key: str, caplog: pytest.LogCaptureFixture) -> None:
    """Not even with every logger at its most talkative."""
    with caplog.at_level(logging.DEBUG):
        assert isinstance(ask(api, canned(api.complete)).outcome, Reply)
        ask(api, canned(api.error(401, "no"), 401))
    assert key not in caplog.text


@pytest.mark.parametrize(
    "other",
    ["sk-ant-api03-abcdefghijkl", "AIzaSyA0123456789abcdefghijklmnopqrstu", "AQ.Ab8RN6abcdefghijklmnopqrst"],
)
def test_keys_of_others_are_blanked_by_their_shape(other: str) -> None:
    """A gateway's own upstream key is nobody's business either."""
    assert other not in from_status("openai", 500, {"message": f"upstream said no to {other}", "type": "x"}).message
    assert other not in str(from_exception("openai", OSError(f"cannot reach https://host/?key={other}")))
