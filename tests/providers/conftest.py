"""A loopback server that answers what a test tells it to, and real clients that talk to it."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers.account import Account
from judgeray.providers.connect import connect

KEY = "key/of+the.tests-0123456789"
"""Looks like no provider's key, so that only knowing it can hide it."""

KEY_ENV = "JUDGERAY_TEST_KEY"
GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Canned:
    """One answer of the server. `act` says what it does instead of sending the body to its end."""

    body: bytes | str | dict[str, Any] | list[Any] = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    act: Literal["send", "drop", "drop midway", "hang"] = "send"

    def content(self) -> bytes:
        """The bytes to send."""
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode("utf-8")


@dataclass(frozen=True)
class Sent:
    """One request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Api:
    """One route under test: the account that leads there, its path, and a complete response."""

    name: str
    kind: Literal["openai", "anthropic", "google"]
    route: Literal["responses", "chat"]
    prefix: str
    path: str
    complete: dict[str, Any]
    id_header: str | None

    def account(self, base_url: str, **changes: Any) -> Account:
        """An account whose key is in the environment variable of the tests."""
        return Account(
            name=self.kind,
            kind=self.kind,
            api=self.route,
            base_url=base_url + self.prefix,
            api_key_env=KEY_ENV,
            **{"timeout_seconds": 10.0, "connect_timeout_seconds": 2.0, **changes},
        )

    def error(self, status: int, message: str, name: str = "some_name") -> dict[str, Any]:
        """An error body in this API's own shape."""
        if self.kind == "google":
            details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": name}]
            return {"error": {"code": status, "message": message, "status": "STATUS", "details": details}}
        if self.kind == "anthropic":
            return {"type": "error", "error": {"type": name, "message": message}, "request_id": "req_1"}
        return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": name}}


_MESSAGE = {"role": "assistant", "content": "Yes."}
APIS = {
    "openai responses": Api(
        "openai responses",
        "openai",
        "responses",
        "/v1",
        "/v1/responses",
        {
            "id": "resp_1",
            "model": "served",
            "status": "completed",
            "output": [{"type": "message", "content": [{"type": "output_text", "text": "Yes."}]}],
            "usage": {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7},
        },
        "x-request-id",
    ),
    "openai chat": Api(
        "openai chat",
        "openai",
        "chat",
        "/v1",
        "/v1/chat/completions",
        {
            "id": "resp_1",
            "model": "served",
            "choices": [{"index": 0, "finish_reason": "stop", "message": _MESSAGE}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7},
        },
        "x-request-id",
    ),
    "anthropic": Api(
        "anthropic",
        "anthropic",
        "responses",
        "",
        "/v1/messages",
        {
            "id": "resp_1",
            "type": "message",
            "model": "served",
            "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "Yes."}],
            "usage": {"input_tokens": 5, "output_tokens": 2},
        },
        "request-id",
    ),
    "google": Api(
        "google",
        "google",
        "responses",
        "",
        "/v1/models/asked:generateContent",
        {
            "responseId": "resp_1",
            "modelVersion": "served",
            "candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [{"text": "Yes."}]}}],
            "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 2, "totalTokenCount": 7},
        },
        None,
    ),
}


@dataclass(frozen=True)
class Exchange:
    """What became of one call: a reply or the exception that came instead, and every request that was sent."""

    outcome: Reply | BaseException
    sent: list[Sent]

    @property
    def reply(self) -> Reply:
        """The reply; fails the test where there is none."""
        assert isinstance(self.outcome, Reply), self.outcome
        return self.outcome

    @property
    def error(self) -> Any:
        """The exception; fails the test where there is none."""
        assert isinstance(self.outcome, BaseException), self.outcome
        return self.outcome


Ask = Callable[..., Exchange]


@pytest.fixture(autouse=True)
def _key_in_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_ENV, KEY)


@pytest.fixture(params=list(APIS))
def api(request: pytest.FixtureRequest) -> Api:
    """Each route in turn."""
    return APIS[request.param]


@pytest.fixture
def google() -> Api:
    """The Gemini route."""
    return APIS["google"]


@pytest.fixture
def key() -> str:
    """The API key that every client of the tests holds."""
    return KEY


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Any]:
    """Read a golden file by name."""
    return lambda name: json.loads((GOLDEN / f"{name}.json").read_text(encoding="ascii"))


@pytest.fixture(scope="session")
def canned() -> type[Canned]:
    """Build what the server answers."""
    return Canned


@pytest.fixture
def ask() -> Ask:
    """Ask one call of a server with one answer: `ask(api, canned, call=..., base_url=..., **account_changes)`."""

    def ask_once(api: Api, answer: Canned, call: Call | None = None, **changes: Any) -> Exchange:
        exchange = asyncio.run(_ask(api, answer, call or Call(api.kind, "asked", "Judge.", "So?"), changes))
        gc.collect(1)  # whatever was left open is reported here, in the test that left it
        return exchange

    return ask_once


async def _ask(api: Api, answer: Canned, call: Call, changes: dict[str, Any]) -> Exchange:
    sent: list[Sent] = []
    async with _served(answer, sent) as url:
        client = connect(api.account(changes.pop("base_url", url), **changes))
        try:
            return Exchange(await client.answer(call), sent)
        except Exception as error:  # noqa: BLE001 -- whatever comes is what the test looks at
            return Exchange(error, sent)
        finally:
            await client.close()


@asynccontextmanager
async def _served(answer: Canned, sent: list[Sent]) -> AsyncIterator[str]:
    async def handle(request: web.Request) -> web.StreamResponse:
        sent.append(Sent(request.method, request.path, request.headers.copy(), await request.read()))
        return await _answer(request, answer)

    app = web.Application(client_max_size=2**26)
    app.router.add_route("*", "/{path:.*}", handle)
    async with TestServer(app) as server:
        yield str(server.make_url("")).rstrip("/")


async def _answer(request: web.Request, answer: Canned) -> web.StreamResponse:
    content, headers = answer.content(), {"content-type": answer.content_type, **answer.headers}
    if answer.act == "send":
        return web.Response(status=answer.status, body=content, headers=headers)
    if answer.act == "hang":
        await asyncio.sleep(60)
    response = web.StreamResponse(
        status=answer.status, headers={**headers, "content-length": str(len(content) + 9)}
    )
    if answer.act == "drop midway":
        await response.prepare(request)
        await response.write(content)
    assert request.transport is not None
    request.transport.close()
    return response
