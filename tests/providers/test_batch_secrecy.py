"""API keys stand in nothing that a batch client raises or logs."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from judgeray.providers import anthropic_batch, batch_wire, google_batch_wire
from judgeray.providers.batch import BatchClient
from judgeray.providers.errors import ProviderError
from tests.providers.batch_server import APIS, TAG, BatchApi, Server, jsonl, talk
from tests.providers.conftest import KEY, Canned

PAGE = f"<html><title>Bad key {KEY}</title><body>{KEY}</body></html>"
ANSWERS = {
    "drop": Canned(act="drop"),
    "drop midway": Canned(b'{"a"', act="drop midway"),
    "hang": Canned(act="hang"),
    "echo": Canned({"error": {"message": f"Incorrect API key provided: {KEY}.", "type": KEY, "code": KEY}}, 401),
    "page": Canned(PAGE, 502, content_type="text/html"),
}


def _works(api: BatchApi) -> dict[str, Callable[[BatchClient], Awaitable[Any]]]:
    async def harvest(client: BatchClient) -> Any:
        return [result async for result in client.results(api.batch_id, api.by_id())]

    return {
        "create": lambda client: client.upload_and_create(TAG, api.lines(), lambda *_: None),
        "find": lambda client: client.find(TAG, datetime.now(UTC), 3, None),
        "status": lambda client: client.status(api.batch_id),
        "cancel": lambda client: client.cancel(api.batch_id),
        "results": harvest,
    }


def _shown(error: BaseException) -> str:
    told = ["".join(traceback.format_exception(error))]
    link: BaseException | None = error
    while link is not None:
        told += [repr(link), repr(vars(link))]
        link = link.__cause__ or link.__context__
    return "\n".join(told)


@pytest.mark.parametrize("answer", list(ANSWERS))
@pytest.mark.parametrize("name", ["openai responses", "anthropic", "google"])
def test_no_error_of_a_batch_shows_the_key(name: str, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens on whichever route, the SDK's exception, whose request holds the key, is not reachable."""
    for module in (anthropic_batch, batch_wire, google_batch_wire):
        monkeypatch.setattr(module, "TRANSFER_SECONDS", 0.3)
    api = APIS[name]
    for work in _works(api).values():
        server = Server()
        server.on("POST /v1/files", {"id": "file-1"})
        server.on("POST /upload/v1/files", ANSWERS[answer])
        for route in (f"POST {api.create}", f"GET {api.lists}", f"GET {api.batch}"):
            server.on(route, ANSWERS[answer])
        with pytest.raises(ProviderError) as caught:
            talk(api, server, work, timeout_seconds=0.3)
        assert KEY not in _shown(caught.value)


@pytest.mark.parametrize("name", ["openai responses", "anthropic", "google"])
def test_logs_show_no_key(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Not even with every logger at its most talkative."""
    api, server = APIS[name], Server()
    api.ended(server, jsonl([api.answered(f"{TAG}-000000")]), b"")
    with caplog.at_level(logging.DEBUG):
        assert len(api.harvest(server)) == 1
    assert KEY not in caplog.text
