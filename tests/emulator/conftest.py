"""An emulator in a process of its own for SDK tests, and one inside the test for everything else."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anthropic
import openai
import orjson
import pytest
from aiohttp.test_utils import TestClient, TestServer
from google import genai
from google.genai import types as google

from judgeray.designs.registry import DESIGNS
from judgeray.emulator.app import create_app
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.how import How
from judgeray.emulator.process import EmulatorProcess, start_emulator
from judgeray.emulator.prompt import Prompt
from judgeray.rows import Row


@dataclass(frozen=True)
class Answer:
    """What came back for one request."""

    status: int
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Clients:
    """Unmodified SDK clients of one emulator, without retries of their own; each is a context manager."""

    emulator: EmulatorProcess

    def openai(self, **options: Any) -> openai.AsyncOpenAI:
        """OpenAI's client."""
        given = {"api_key": "key", "base_url": self.emulator.openai_url, "max_retries": 0, **options}
        return openai.AsyncOpenAI(**given)

    def anthropic(self, **options: Any) -> anthropic.AsyncAnthropic:
        """Anthropic's client."""
        given = {"api_key": "key", "base_url": self.emulator.anthropic_url, "max_retries": 0, **options}
        return anthropic.AsyncAnthropic(**given)

    @asynccontextmanager
    async def gemini(self, timeout_milliseconds: int = 30_000) -> AsyncIterator[Any]:
        """The asynchronous part of Gemini's client."""
        options = google.HttpOptions(
            base_url=self.emulator.gemini_url,
            timeout=timeout_milliseconds,
            retry_options=google.HttpRetryOptions(attempts=1),
        )
        client = genai.Client(api_key="key", http_options=options)
        try:
            yield client.aio
        finally:
            await client.aio.aclose()
            client.close()


Exchange = Callable[..., Answer]
InApp = Callable[..., Any]
Serve = Callable[..., Clients]
PromptOf = Callable[..., Prompt]


@pytest.fixture(scope="session")
def emulator() -> Iterator[EmulatorProcess]:
    """An emulator process with default behaviour."""
    os.environ["NO_PROXY"] = "127.0.0.1"
    with start_emulator(Behaviour()) as process:
        yield process


@pytest.fixture
def serve(emulator: EmulatorProcess) -> Iterator[Serve]:
    """Let the emulator process serve as a test wants, counted from zero: `serve(how)` gives its clients."""

    def set_how(how: How | None = None) -> Clients:
        emulator.set_how(how or How())
        emulator.reset()
        return Clients(emulator)

    yield set_how
    # Batches that still run would be counted in the next test.
    end = time.monotonic() + 10
    while any(batch["ended_at"] is None for batch in emulator.batches()) and time.monotonic() < end:
        time.sleep(0.02)
    emulator.set_how(How())


@pytest.fixture
def executing(emulator: EmulatorProcess) -> Callable[[], Awaitable[None]]:
    """Wait until a row of a batch was executed."""

    async def wait() -> None:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if emulator.counts()["modes"]["batch"]["executed"]:
                return
            await asyncio.sleep(0.02)
        raise TimeoutError("no row of a batch was executed within 20 s")

    return wait


@pytest.fixture
def in_app() -> InApp:
    """Run a coroutine function against an emulator inside the test: `in_app(steps, how, behaviour)`."""

    def run(
        steps: Callable[[TestClient[Any, Any]], Awaitable[Any]],
        how: How | None = None,
        behaviour: Behaviour | None = None,
    ) -> Any:
        async def inside() -> Any:
            async with TestClient(TestServer(create_app(behaviour or Behaviour(), how))) as client:
                return await steps(client)

        return asyncio.run(inside())

    return run


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
