"""Batches of the three APIs over plain HTTP: made, awaited and read the same way, for tests of their faults."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import aiohttp

SECONDS = 20


@dataclass
class Read:
    """What a client gets of an ended batch: its view, and its lines as they came."""

    view: Any
    lines: list[Any]

    def keys(self, field: str) -> list[str]:
        """The keys of all lines."""
        return [line[field] for line in self.lines]


class Driver:
    """One API's batches, on a TestClient."""

    api: str
    key: str
    headers: ClassVar[Mapping[str, str]]
    ended: tuple[str, ...]

    def __init__(self, client: Any) -> None:
        self.client = client

    async def send(self, method: str, path: str, **options: Any) -> Any:
        """One request; the parsed body of a 200."""
        headers = {**self.headers, **options.pop("headers", {})}
        async with self.client.request(method, path, headers=headers, **options) as response:
            assert response.status == 200, await response.text()
            return json.loads(await response.read())

    async def download(self, path: str) -> bytes:
        """The bytes of a file."""
        async with self.client.get(path, headers=self.headers) as response:
            assert response.status == 200, await response.text()
            return bytes(await response.read())

    async def lines(self, path: str) -> list[Any]:
        """The parsed lines of a file."""
        return [json.loads(line) for line in (await self.download(path)).splitlines()]

    async def finish(self, path: str) -> Any:
        """Poll a batch until it has ended."""
        end = time.monotonic() + SECONDS
        while self.state(view := await self.send("GET", path)) not in self.ended:
            assert time.monotonic() < end, view
            await asyncio.sleep(0.02)
        return view

    async def run(self, texts: Mapping[str, str]) -> Read:
        """Make a batch of prompts by key, wait for its end, and read it."""
        return await self.read(await self.finish(await self.create(texts)))

    async def create(self, texts: Mapping[str, str]) -> str:
        """Make a batch; returns its path."""
        raise NotImplementedError

    async def read(self, view: Any) -> Read:
        """Read an ended batch."""
        raise NotImplementedError

    def state(self, view: Any) -> str:
        """The state that a view tells."""
        raise NotImplementedError

    async def listed(self) -> list[Any]:
        """The views of a list."""
        raise NotImplementedError


class OpenaiDriver(Driver):
    """OpenAI: a file, a batch over it, an output file and an error file."""

    api, key = "openai", "custom_id"
    headers: ClassVar[Mapping[str, str]] = {"Authorization": "Bearer key"}
    ended = ("completed", "failed", "expired", "cancelled")
    root = "/openai/v1"

    async def create(self, texts: Mapping[str, str]) -> str:
        """Upload and create."""
        rows = [
            {
                "custom_id": key,
                "method": "POST",
                "url": "/v1/responses",
                "body": {"model": "m", "input": text},
            }
            for key, text in texts.items()
        ]
        form = aiohttp.FormData({"purpose": "batch"})
        form.add_field("file", "\n".join(map(json.dumps, rows)).encode(), filename="a.jsonl")
        file = await self.send("POST", f"{self.root}/files", data=form)
        body = {
            "input_file_id": file["id"],
            "endpoint": "/v1/responses",
            "completion_window": "24h",
            "metadata": {"tag": "J"},
        }
        batch = await self.send("POST", f"{self.root}/batches", json=body)
        return f"{self.root}/batches/{batch['id']}"

    async def read(self, view: Any) -> Read:
        """Both files."""
        files = [view[name] for name in ("output_file_id", "error_file_id") if view[name]]
        lines = [await self.lines(f"{self.root}/files/{file}/content") for file in files]
        return Read(view, [line for some in lines for line in some])

    def state(self, view: Any) -> str:
        """The status."""
        return str(view["status"])

    async def listed(self) -> list[Any]:
        """The newest batches."""
        return list((await self.send("GET", f"{self.root}/batches"))["data"])


class AnthropicDriver(Driver):
    """Anthropic: a batch, and its results."""

    api, key = "anthropic", "custom_id"
    headers: ClassVar[Mapping[str, str]] = {"x-api-key": "key", "anthropic-version": "2026-10-21"}
    ended = ("ended",)
    root = "/anthropic/v1/messages/batches"

    async def create(self, texts: Mapping[str, str]) -> str:
        """Create."""
        asked = {"model": "m", "max_tokens": 50}
        rows = [
            {"custom_id": key, "params": {**asked, "messages": [{"role": "user", "content": text}]}}
            for key, text in texts.items()
        ]
        return f"{self.root}/{(await self.send('POST', self.root, json={'requests': rows}))['id']}"

    async def read(self, view: Any) -> Read:
        """The results."""
        return Read(view, await self.lines(f"{self.root}/{view['id']}/results"))

    def state(self, view: Any) -> str:
        """The processing status."""
        return str(view["processing_status"])

    async def listed(self) -> list[Any]:
        """The newest batches."""
        return list((await self.send("GET", self.root))["data"])


class GeminiDriver(Driver):
    """Gemini: an upload, a batch over it, and a result file where it succeeded."""

    api, key = "gemini", "key"
    headers: ClassVar[Mapping[str, str]] = {"x-goog-api-key": "key"}
    ended = tuple(f"BATCH_STATE_{end}" for end in ("SUCCEEDED", "FAILED", "EXPIRED", "CANCELLED"))
    root = "/gemini/v1"

    async def create(self, texts: Mapping[str, str]) -> str:
        """Upload and create."""
        rows = [
            {"key": key, "request": {"contents": [{"role": "user", "parts": [{"text": text}]}]}}
            for key, text in texts.items()
        ]
        data = "\n".join(map(json.dumps, rows)).encode()
        start = {"X-Goog-Upload-Command": "start", "X-Goog-Upload-Header-Content-Length": str(len(data))}
        upload = "/gemini/upload/v1/files"
        async with self.client.post(upload, json={"file": {}}, headers={**self.headers, **start}) as response:
            url = response.headers["X-Goog-Upload-URL"]
        rest = {"X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0"}
        file = await self.send("POST", url[url.index(upload) :], data=data, headers=rest)
        body = {"batch": {"displayName": "J", "inputConfig": {"fileName": file["file"]["name"]}}}
        batch = await self.send("POST", f"{self.root}/models/m:batchGenerateContent", json=body)
        return f"{self.root}/{batch['name']}"

    async def read(self, view: Any) -> Read:
        """The result file."""
        file = view["metadata"].get("output", {}).get("responsesFile")
        return Read(view, await self.lines(f"{self.root}/{file}:download?alt=media") if file else [])

    def state(self, view: Any) -> str:
        """The state."""
        return str(view["metadata"]["state"])

    async def listed(self) -> list[Any]:
        """The newest batches."""
        return list((await self.send("GET", f"{self.root}/batches"))["operations"])


DRIVERS: tuple[type[Driver], ...] = (OpenaiDriver, AnthropicDriver, GeminiDriver)
