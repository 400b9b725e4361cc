"""An emulator in a process of its own for SDK tests, and one inside the test for everything else."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from aiohttp.test_utils import TestClient, TestServer

from judgeray.designs.registry import DESIGNS
from judgeray.emulator.app import create_app
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.process import EmulatorProcess, start_emulator
from judgeray.emulator.prompt import Prompt
from judgeray.rows import Row


@dataclass(frozen=True)
class Answer:
    """What came back for one request."""

    status: int
    headers: dict[str, str]
    body: Any


Exchange = Callable[..., Answer]
PromptOf = Callable[..., Prompt]


@pytest.fixture(scope="session")
def emulator() -> Iterator[EmulatorProcess]:
    """An emulator process with default behaviour."""
    os.environ["NO_PROXY"] = "127.0.0.1"
    with start_emulator(Behaviour()) as process:
        yield process


@pytest.fixture
def exchange() -> Exchange:
    """Send one request to an emulator inside the test: `exchange(method, path, body, headers, behaviour)`."""

    def send(
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        behaviour: Behaviour | None = None,
    ) -> Answer:
        data = body if isinstance(body, bytes) else orjson.dumps(body)
        return asyncio.run(_send(behaviour or Behaviour(), method, path, data, headers or {}))

    return send


async def _send(behaviour: Behaviour, method: str, path: str, data: bytes, headers: dict[str, str]) -> Answer:
    async with (
        TestClient(TestServer(create_app(behaviour))) as client,
        client.request(method, path, data=data, headers=headers) as response,
    ):
        raw = await response.read()
        body = orjson.loads(raw) if response.content_type == "application/json" else raw.decode()
        return Answer(response.status, {name.lower(): v for name, v in response.headers.items()}, body)


@pytest.fixture
def prompt_of() -> PromptOf:
    """Build the prompt of one row: `prompt_of(row, design="H", model="gpt-4.1", **fields)`."""

    def build(row: Row, design: str = "H", model: str = "gpt-4.1", **fields: Any) -> Prompt:
        chosen = DESIGNS[design]
        return Prompt("openai", model, chosen.system, chosen.user(row), **fields)

    return build


@pytest.fixture(scope="session")
def rows() -> dict[str, list[Row]]:
    """Four hundred made-up rows of each class."""
    return {name: [_row(name, i) for i in range(400)] for name in _CANDIDATES}


_CANDIDATES = {
    "supported": lambda i: _reference(i),
    "unsupported": lambda i: f"It was never built, whatever people say about place {i}.",
    "partially_supported": lambda i: f"When was hall {i} of the place opened? In {1900 + i}",
    "partially_supported_list": lambda i: ", ".join(_items(i)[:3]),
}


def _reference(i: int) -> str:
    return f"Hall {i} was opened in {1900 + i}, and its western wing followed {i % 7 + 2} years later."


def _items(i: int) -> list[str]:
    return [f"Work {i}-{k}" for k in range(7)]


def _row(name: str, i: int) -> Row:
    listed = name == "partially_supported_list"
    reference = ", ".join(_items(i)) if listed else _reference(i)
    label = "partially_supported" if listed else name
    return Row("made-up", str(i), f"made-up:{i}", name, label, f"What about {i}?", reference, _CANDIDATES[name](i))
