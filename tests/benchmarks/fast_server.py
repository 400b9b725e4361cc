"""A loopback server that answers all three APIs with one fixed verdict after a fixed time, and little else.

It costs about a tenth of what a client does, so that a benchmark measures the client. Started by `fast_server()` in
a process of its own; `GET /answers` gives the times at which it answered.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

VERDICT = json.dumps(
    {
        "verdict": "supported",
        "score": 5,
        "evidence_summary": "The answer states what the reference states, in other words.",
        "unsupported_or_missing_points": [],
        "confidence": 0.9,
        "rationale": "All facts of the answer stand in the reference, and none is missing.",
    }
)

OPENAI = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "model": "gpt-4.1-2025-04-14",
    "output": [
        {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
         "content": [{"type": "output_text", "text": VERDICT, "annotations": []}]}
    ],
    "usage": {
        "input_tokens": 310, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 72,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 382,
    },
}  # fmt: skip

ANTHROPIC = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-opus-4-6",
    "content": [{"type": "text", "text": VERDICT}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 310, "output_tokens": 72},
}

GEMINI = {
    "candidates": [
        {"content": {"role": "model", "parts": [{"text": VERDICT}]}, "finishReason": "STOP", "index": 0}
    ],
    "usageMetadata": {"promptTokenCount": 310, "candidatesTokenCount": 72, "totalTokenCount": 382},
    "modelVersion": "gemini-3.1-flash-lite-preview",
    "responseId": "r1",
}

CHAT = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "model": "local",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": VERDICT}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 310, "completion_tokens": 72, "total_tokens": 382},
}

BODIES = {b"/responses": OPENAI, b"/messages": ANTHROPIC, b":generateContent": GEMINI, b"/completions": CHAT}


def _response(body: object) -> bytes:
    content = json.dumps(body).encode("ascii")
    head = (
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req_1\r\n"
        f"content-length: {len(content)}\r\n\r\n"
    )
    return head.encode("ascii") + content


RESPONSES = {route: _response(body) for route, body in BODIES.items()}


class Book:
    """What the server is told and what it has done: latency, the slow share, and when it answered."""

    def __init__(self, latency_seconds: float, slow_every: int, slow_factor: float) -> None:
        self.latency_seconds, self.slow_every, self.slow_factor = latency_seconds, slow_every, slow_factor
        self.received = 0
        self.answered: list[float] = []

    def delay(self) -> float:
        """Seconds until the next answer; every so many are slow."""
        self.received += 1
        slow = self.slow_every and self.received % self.slow_every == 0
        return self.latency_seconds * (self.slow_factor if slow else 1.0)


class Connection(asyncio.Protocol):
    """One kept connection: whole requests in, fixed responses out."""

    def __init__(self, book: Book) -> None:
        self._book, self._buffer = book, b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Answer every request that is there as a whole."""
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end]
            total = end + 4 + _content_length(head)
            if len(self._buffer) < total:
                return
            self._buffer = self._buffer[total:]
            self._answer(head[: head.find(b"\r\n")].split(b" ")[1].split(b"?")[0])

    def _answer(self, path: bytes) -> None:
        if path == b"/answers":
            self._write(_response(self._book.answered))
            return
        response = next(body for route, body in RESPONSES.items() if path.endswith(route))
        asyncio.get_running_loop().call_later(self._book.delay(), self._write, response, True)

    def _write(self, response: bytes, counted: bool = False) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(response)
            if counted:
                self._book.answered.append(time.monotonic())


def _content_length(head: bytes) -> int:
    lowered = head.lower()
    start = lowered.find(b"content-length:")
    return (
        int(lowered[start + 15 : lowered.find(b"\r\n", start) if b"\r\n" in lowered[start:] else None])
        if start >= 0
        else 0
    )


async def serve(latency_seconds: float, slow_every: int, slow_factor: float) -> None:
    """Serve until the process ends; prints the port."""
    book = Book(latency_seconds, slow_every, slow_factor)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(book), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@dataclass(frozen=True)
class FastServer:
    """A running server."""

    port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def answered(self) -> list[float]:
        """When it answered each call, in seconds of one clock, in order."""
        with urllib.request.urlopen(f"{self.url}/answers", timeout=30) as response:
            times: list[Any] = json.loads(response.read())
        return sorted(float(at) for at in times)


@contextmanager
def fast_server(latency_seconds: float, slow_every: int = 0, slow_factor: float = 1.0) -> Iterator[FastServer]:
    """Start a server in a process of its own and end it."""
    command = [sys.executable, __file__, str(latency_seconds), str(slow_every), str(slow_factor)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield FastServer(int(process.stdout.readline()))
        finally:
            process.kill()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
