"""A loopback server with a route table, and the three batch APIs as the tests speak of them."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web
from aiohttp.test_utils import TestServer

from judgeray.core.call import Call
from judgeray.providers.account import Account
from judgeray.providers.batch import BatchClient, BatchLine, BatchResult, custom_ids
from judgeray.providers.connect import connect_batch
from tests.providers.conftest import KEY_ENV, Canned, Sent

TAG = "run1-000001-a1"


@dataclass
class Server:
    """Answers `METHOD /path` with the answers given for it, one after the other, the last one for ever."""

    routes: dict[str, list[Canned]] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    queries: list[dict[str, str]] = field(default_factory=list)

    def on(self, route: str, *answers: Canned | dict[str, Any] | bytes) -> None:
        """Say what a route answers; bytes are a file, a dict is a JSON body."""
        self.routes[route] = [_canned(answer) for answer in answers]

    def times(self, route: str) -> int:
        """How often a route was asked."""
        return sum(f"{sent.method} {sent.path}" == route for sent in self.sent)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Record a request and answer it."""
        content = await request.read()
        self.sent.append(Sent(request.method, request.path, request.headers.copy(), content))
        self.queries.append(dict(request.query))
        answers = self.routes.get(f"{request.method} {request.path}", [])
        if not answers:
            return web.json_response(
                {"error": {"message": "no such thing", "type": "t", "code": "gone"}}, status=404
            )
        return await _answer(request, answers.pop(0) if len(answers) > 1 else answers[0])


def _canned(answer: Canned | dict[str, Any] | bytes) -> Canned:
    return answer if isinstance(answer, Canned) else Canned(answer)


async def _answer(request: web.Request, answer: Canned) -> web.StreamResponse:
    origin = str(request.url.origin())
    headers = {name: value.replace("{origin}", origin) for name, value in answer.headers.items()}
    content, headers = answer.content(), {"content-type": answer.content_type, **headers}
    if answer.act == "send":
        return web.Response(status=answer.status, body=content, headers=headers)
    if answer.act == "hang":
        await asyncio.sleep(60)
    cut = web.StreamResponse(status=answer.status, headers={**headers, "content-length": str(len(content) + 9)})
    if answer.act == "drop midway":
        await cut.prepare(request)
        await cut.write(content)
        await asyncio.sleep(0.05)
    assert request.transport is not None
    request.transport.close()
    return cut


@asynccontextmanager
async def connected(api: BatchApi, server: Server, **changes: Any) -> AsyncIterator[BatchClient]:
    """A client of the API that talks to the server."""
    app = web.Application(client_max_size=2**28)
    app.router.add_route("*", "/{path:.*}", server.handle)
    async with TestServer(app) as running:
        client = connect_batch(api.account(str(running.make_url("")).rstrip("/"), **changes))
        try:
            yield client
        finally:
            await client.close()


def talk(api: BatchApi, server: Server, work: Callable[[BatchClient], Awaitable[Any]], **changes: Any) -> Any:
    """Run one piece of work with a connected client and return what it returns."""

    async def run() -> Any:
        async with connected(api, server, **changes) as client:
            return await work(client)

    try:
        return asyncio.run(run())
    finally:
        gc.collect(1)  # whatever was left open is reported here, in the test that left it


@dataclass(frozen=True)
class BatchApi:
    """One batch API under test: its routes, and how it spells lines and states."""

    name: str
    kind: Literal["openai", "anthropic", "google"]
    route: Literal["responses", "chat"]
    batch_id: str
    batch: str
    lists: str
    create: str
    results: tuple[str, ...]
    read: Callable[[str], dict[str, Any]]

    def account(self, base_url: str, **changes: Any) -> Account:
        """An account whose key is in the environment variable of the tests."""
        times = {"timeout_seconds": 10.0, "connect_timeout_seconds": 2.0}
        url = base_url + ("/v1" if self.kind == "openai" else "")
        return Account(self.kind, self.kind, self.route, url, KEY_ENV, **{**times, **changes})

    def lines(self, count: int = 3) -> list[BatchLine]:
        """Lines of a batch, each with a question of its own."""
        calls = [Call(self.kind, "asked", "Judge.", f"So {n}?") for n in range(count)]
        return [BatchLine(name, call) for name, call in zip(custom_ids(TAG, count), calls, strict=True)]

    def by_id(self, count: int = 3) -> dict[str, Call]:
        """The calls of these lines by their ids."""
        return {line.custom_id: line.call for line in self.lines(count)}

    def answered(self, custom_id: str, text: str | None = None) -> dict[str, Any]:
        """A result line with a response of its own, which says `text`, or else the id."""
        body = self.read(custom_id)
        body = json.loads(json.dumps(body).replace("TEXT", text if text is not None else custom_id))
        if self.kind == "openai":
            return {"id": "batch_req_1", "custom_id": custom_id, "error": None} | {
                "response": {"status_code": 200, "request_id": f"req_{custom_id}", "body": body}
            }
        if self.kind == "anthropic":
            return {"custom_id": custom_id, "result": {"type": "succeeded", "message": body}}
        return {"key": custom_id, "response": body}

    def refused(self, custom_id: str, status: int, message: str) -> dict[str, Any]:
        """A result line with an error that stands for an HTTP status."""
        if self.kind == "openai":
            body = {"error": {"message": message, "type": "some_type", "param": None, "code": None}}
            return {"custom_id": custom_id, "error": None, "response": {"status_code": status, "body": body}}
        if self.kind == "anthropic":
            names = {400: "invalid_request_error", 429: "rate_limit_error", 500: "api_error"}
            error = {"type": "error", "error": {"type": names[status], "message": message}}
            return {"custom_id": custom_id, "result": {"type": "errored", "error": error}}
        codes = {400: 3, 429: 8, 500: 13}
        return {"key": custom_id, "error": {"code": codes[status], "message": message}}

    def ended(self, server: Server, *files: bytes | Canned) -> None:
        """Let the batch have ended, with these result files."""
        server.on(f"GET {self.batch}", self.object(bool(files)))
        for route, file in zip(self.results, files, strict=False):
            server.on(f"GET {route}", file)

    def object(self, with_results: bool = True) -> dict[str, Any]:
        """The provider's object of a batch that has ended."""
        if self.kind == "openai":
            files = {"output_file_id": "out_1", "error_file_id": "err_1" if with_results else None}
            return {"id": self.batch_id, "status": "completed", **(files if with_results else {})}
        if self.kind == "anthropic":
            return {"id": self.batch_id, "processing_status": "ended", "results_url": None}
        output = {"responsesFile": "files/batch-out1"} if with_results else {}
        return {
            "name": self.batch_id,
            "done": True,
            "metadata": {"state": "BATCH_STATE_SUCCEEDED", "output": output},
        }

    def harvest(self, server: Server, by_id: Mapping[str, Call] | None = None, **changes: Any) -> list[BatchResult]:
        """Collect all results of the batch."""
        found: list[BatchResult] = []
        self.harvest_into(found, server, by_id, **changes)
        return found

    def harvest_into(
        self, found: list[BatchResult], server: Server, by_id: Mapping[str, Call] | None = None, **changes: Any
    ) -> None:
        """Collect the results of the batch as they come, up to an error."""

        async def work(client: BatchClient) -> None:
            async for result in client.results(self.batch_id, self.by_id() if by_id is None else by_id):
                found.append(result)  # noqa: PERF401 -- what came before an error must stay

        talk(self, server, work, **changes)


def jsonl(records: Iterable[object]) -> bytes:
    """A file of JSON lines."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def _response(custom_id: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": "TEXT"}
    usage = {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}
    output = [{"type": "message", "content": [part]}]
    return {"id": f"resp_{custom_id}", "model": "served", "status": "completed", "output": output, "usage": usage}


def _completion(custom_id: str) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "TEXT"}}
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    return {"id": f"resp_{custom_id}", "model": "served", "choices": [choice], "usage": usage}


def _message(custom_id: str) -> dict[str, Any]:
    usage = {"input_tokens": 5, "output_tokens": 2}
    content = [{"type": "text", "text": "TEXT"}]
    message = {"id": f"resp_{custom_id}", "model": "served", "stop_reason": "end_turn"}
    return {**message, "content": content, "usage": usage}


def _content(custom_id: str) -> dict[str, Any]:
    usage = {"promptTokenCount": 5, "candidatesTokenCount": 2, "totalTokenCount": 7}
    candidate = {"finishReason": "STOP", "content": {"parts": [{"text": "TEXT"}]}}
    return {"responseId": f"resp_{custom_id}", "modelVersion": "served"} | {
        "candidates": [candidate],
        "usageMetadata": usage,
    }


_FILES = ("/v1/files/out_1/content", "/v1/files/err_1/content")
_MESSAGES = "/v1/messages/batches"


def _openai(route: Literal["responses", "chat"], read: Callable[[str], dict[str, Any]]) -> BatchApi:
    batches = "/v1/batches"
    return BatchApi(
        f"openai {route}", "openai", route, "batch_1", f"{batches}/batch_1", batches, batches, _FILES, read
    )


APIS = {
    api.name: api
    for api in (
        _openai("responses", _response),
        _openai("chat", _completion),
        BatchApi(
            "anthropic",
            "anthropic",
            "responses",
            "msgbatch_1",
            f"{_MESSAGES}/msgbatch_1",
            _MESSAGES,
            _MESSAGES,
            (f"{_MESSAGES}/msgbatch_1/results",),
            _message,
        ),
        BatchApi(
            "google",
            "google",
            "responses",
            "batches/b1",
            "/v1/batches/b1",
            "/v1/batches",
            "/v1/models/asked:batchGenerateContent",
            ("/v1/files/batch-out1:download",),
            _content,
        ),
    )
}
