"""Delivery: writing an answer to the client's connection, and the wire faults it can meet there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from aiohttp import web

from judgeray.emulator.answer import FileAnswer
from judgeray.emulator.fault_names import FaultName

_CHUNK_BYTES = 256 * 1024
_LOOK_SECONDS = 0.05
_PROXY_TEXT = "upstream connect error or disconnect/reset before headers"
_TEXT = {"Content-Type": "text/plain; charset=utf-8"}

HeaderDict = dict[str, str]


class ConnectionDroppedError(ConnectionError):
    """A fault drops the client's connection."""


def drop(request: web.Request) -> web.Response:
    """Close a client's connection; what is returned goes nowhere."""
    if request.transport is not None:
        request.transport.close()
    return web.Response()


async def slowed(request: web.Request, seconds: float) -> None:
    """Wait before answering, unless the client leaves; raises ConnectionError where it did."""
    with suppress(TimeoutError):
        await asyncio.wait_for(_left(request), seconds)
        raise ConnectionDroppedError


async def hang(request: web.Request, seconds: float) -> None:
    """Keep a client waiting until it leaves or `seconds` are over; then drop the connection."""
    with suppress(TimeoutError):
        await asyncio.wait_for(_left(request), seconds)
    raise ConnectionDroppedError


async def _left(request: web.Request) -> None:
    while request.transport is not None and not request.transport.is_closing():  # noqa: ASYNC110 - aiohttp tells no handler
        await asyncio.sleep(_LOOK_SECONDS)


async def send(
    request: web.Request, status: int, headers: HeaderDict, body: bytes, fault: FaultName | None
) -> web.StreamResponse:
    """Write a response, or what a wire fault leaves of it; raises ConnectionError where it was not written."""
    if fault == "lost_response":
        raise ConnectionDroppedError
    if fault == "truncated_body":
        await _send_part(request, status, headers, body)
    if fault == "malformed_json":
        body = body[: len(body) // 2]
    elif fault == "text_200":
        headers, body = {**headers, **_TEXT}, _PROXY_TEXT.encode()
    response = web.Response(status=status, body=body, headers=headers)
    await response.prepare(request)
    await response.write_eof()
    return response


async def _send_part(request: web.Request, status: int, headers: HeaderDict, body: bytes) -> None:
    response = web.StreamResponse(status=status, headers=headers)
    response.content_length = len(body)
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    raise ConnectionDroppedError


async def send_file(request: web.Request, answer: FileAnswer, headers: HeaderDict) -> web.StreamResponse:
    """Stream a file from disk; raises ConnectionError where it was not written to its end."""
    size = _size(answer.path)
    sent = _half(answer.path, size) if answer.fault in ("truncated_results", "cut_download") else size
    response = web.StreamResponse(headers={**headers, "Content-Type": answer.media_type})
    response.content_length = sent if answer.fault == "truncated_results" else size
    await response.prepare(request)
    for chunk in _chunks(answer.path, sent):
        await response.write(chunk)
    if answer.fault == "cut_download":
        raise ConnectionDroppedError
    await response.write_eof()
    return response


def _size(path: Path) -> int:
    return path.stat().st_size


def _half(path: Path, size: int) -> int:
    """About half a file's bytes, ending within a line."""
    with path.open("rb") as file:
        file.seek(max(0, size // 2 - 1))
        return size // 2 + (file.read(1) == b"\n")


def _chunks(path: Path, size: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        while size > 0 and (chunk := file.read(min(size, _CHUNK_BYTES))):
            yield chunk
            size -= len(chunk)
