"""Gemini's uploads and batches, through its unmodified SDK."""

from __future__ import annotations

import asyncio
import io
import json
import time
from typing import Any

import pytest
from google.genai import errors, types

from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.how import How

KEY = {"x-goog-api-key": "key"}
CREATE = "/gemini/v1/models/gemini-x:batchGenerateContent"
FAST = How(batches=Batches(batch_seconds=0.15))
JSONL = {"mime_type": "application/jsonl"}
pytestmark = [
    pytest.mark.timeout(60),
    # How google-genai uses aiohttp is not for us to mend.
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Sending a large body directly:ResourceWarning"),
]


def request(text: str, **changes: Any) -> dict[str, Any]:
    """A request in the form of the REST API."""
    return {"contents": [{"role": "user", "parts": [{"text": text}]}], **changes}


def lines(texts: dict[str, str]) -> list[Any]:
    """Input lines by key."""
    return [{"key": key, "request": request(text)} for key, text in texts.items()]


async def upload(client: Any, rows: list[Any], **config: Any) -> Any:
    """Upload lines."""
    data = "\n".join(json.dumps(row) for row in rows).encode()
    return await client.files.upload(file=io.BytesIO(data), config={**JSONL, **config})


async def finish(client: Any, job: Any) -> Any:
    """Poll until a batch is done."""
    end = time.monotonic() + 20
    while not job.done:
        assert time.monotonic() < end, job.state
        await asyncio.sleep(0.02)
        job = await client.batches.get(name=job.name)
    return job


async def results(client: Any, job: Any) -> dict[str, Any]:
    """Result lines by key, in the order of the file."""
    data = await client.files.download(file=job.dest.file_name)
    found = [json.loads(line) for line in data.splitlines()]
    assert len({line["key"] for line in found}) == len(found)
    return {line["key"]: line for line in found}


def test_a_batch_says_what_realtime_says(serve: Any) -> None:
    """A batch over a file runs through its states; rows have their twins' words, under their keys, shuffled."""
    clients = serve(How(batches=Batches(batch_seconds=0.6)))
    texts = {f"key {i}": f"text {i}" for i in range(12)}

    async def run() -> Any:
        async with clients.gemini() as client:
            file = await upload(client, lines(texts), display_name="J-1.jsonl")
            job = await client.batches.create(model="gemini-x", src=file.name, config={"display_name": "J-1"})
            seen = {job.state.name}
            while not job.done:
                await asyncio.sleep(0.01)
                job = await client.batches.get(name=job.name)
                seen.add(job.state.name)
            twin = await client.models.generate_content(model="gemini-x", contents="text 5")
            return file, seen, job, await results(client, job), twin.text

    file, seen, job, found, twin = asyncio.run(run())
    assert (file.display_name, file.state.name, file.download_uri) == ("J-1.jsonl", "ACTIVE", None)
    assert seen == {"JOB_STATE_PENDING", "JOB_STATE_RUNNING", "JOB_STATE_SUCCEEDED"}
    assert (job.display_name, job.model) == ("J-1", "models/gemini-x")
    assert sorted(found) == sorted(texts)
    assert list(found) != list(texts)
    reply = types.GenerateContentResponse.model_validate(found["key 5"]["response"])
    assert reply.text == twin
    counts = clients.emulator.counts()["modes"]["batch"]
    assert counts == {"received": 12, "executed": 12, "delivered": 12, "billed": 12}


def test_inline_requests_keep_their_order(serve: Any) -> None:
    """Inline requests are answered in order, each with its metadata; lists do not hold the responses."""
    clients = serve(FAST)

    async def run() -> Any:
        async with clients.gemini() as client:
            asked = [
                types.InlinedRequest(
                    contents=f"text {i}",
                    metadata={"key": str(i)},
                    config=types.GenerateContentConfig(
                        system_instruction="s", max_output_tokens=2 if i == 3 else None
                    ),
                )
                for i in range(8)
            ]
            job = await finish(client, await client.batches.create(model="gemini-x", src=asked))
            listed = [found async for found in await client.batches.list()]
            twin = await client.models.generate_content(
                model="gemini-x", contents="text 5", config={"system_instruction": "s"}
            )
            return job, next(found for found in listed if found.name == job.name), twin.text

    job, listed, twin = asyncio.run(run())
    found = job.dest.inlined_responses
    assert [answer.metadata for answer in found] == [{"key": str(i)} for i in range(8)]
    assert found[5].response.text == twin
    assert found[3].response.candidates[0].finish_reason == "MAX_TOKENS"
    assert listed.dest.inlined_responses is None
    assert clients.emulator.counts()["modes"]["batch"]["delivered"] == 8


def test_refused_rows_carry_their_error(serve: Any) -> None:
    """A refused request is a line with a code of google.rpc; a line without key fails the whole batch."""
    clients = serve(FAST)
    wrong = {"key": "bad", "request": request("x", temperature=0)}

    async def run() -> Any:
        async with clients.gemini() as client:
            file = await upload(client, [*lines({"good": "x"}), wrong])
            job = await finish(client, await client.batches.create(model="gemini-x", src=file.name))
            other = await upload(client, [*lines({"good": "x"}), {"request": request("x")}])
            failed = await finish(client, await client.batches.create(model="gemini-x", src=other.name))
            return job, await results(client, job), failed

    job, found, failed = asyncio.run(run())
    assert (job.state.name, failed.state.name) == ("JOB_STATE_SUCCEEDED", "JOB_STATE_FAILED")
    assert "response" in found["good"]
    assert found["bad"]["error"]["code"] == 3
    assert 'Unknown name "temperature"' in found["bad"]["error"]["message"]
    assert failed.dest is None


def test_uploads_come_in_chunks(serve: Any) -> None:
    """A file of several chunks arrives whole and can be listed and deleted, but not downloaded."""
    clients = serve(FAST)
    data = b"x" * (17 * 1024 * 1024)

    async def run() -> None:
        async with clients.gemini() as client:
            file = await client.files.upload(file=io.BytesIO(data), config={**JSONL, "name": "files/my-file"})
            assert (file.name, file.size_bytes) == ("files/my-file", len(data))
            assert (await client.files.get(name=file.name)).sha256_hash == file.sha256_hash
            with pytest.raises(errors.ClientError, match="Only generated files"):
                await client.files.download(file=file.name)
            with pytest.raises(errors.ClientError) as again:
                await client.files.upload(file=io.BytesIO(b"y"), config={**JSONL, "name": "files/my-file"})
            assert (again.value.code, again.value.status) == (409, "ALREADY_EXISTS")
            names = [found.name async for found in await client.files.list(config={"page_size": 1})]
            assert names[0] == file.name
            await client.files.delete(name=file.name)
            with pytest.raises(errors.ClientError):
                await client.files.get(name=file.name)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("headers", "status", "told"),
    [
        ({"X-Goog-Upload-Offset": "1"}, 400, "active"),
        ({"X-Goog-Upload-Command": "upload, finalize"}, 400, "final"),
        ({"X-Goog-Upload-Command": "upload"}, 200, "active"),
    ],
)
def test_chunks_must_fit_together(in_app: Any, headers: dict[str, str], status: int, told: str) -> None:
    """A chunk must begin where the last one ended, and the last one must complete the announced size."""

    async def steps(client: Any) -> tuple[int, str]:
        path = "/gemini/upload/v1/files"
        start = {**KEY, "X-Goog-Upload-Command": "start", "X-Goog-Upload-Header-Content-Length": "10"}
        async with client.post(path, json={"file": {}}, headers=start) as response:
            url = response.headers["X-Goog-Upload-URL"]
        chunk = {"X-Goog-Upload-Command": "upload", "X-Goog-Upload-Offset": "0", **headers}
        async with client.post(url[url.index(path) :], data=b"12345", headers=chunk) as response:
            return response.status, response.headers["X-Goog-Upload-Status"]

    assert in_app(steps) == (status, told)


def test_batches_are_listed_by_page(serve: Any) -> None:
    """Lists page by size and token, newest first, with display names."""
    clients = serve(FAST)

    async def run() -> Any:
        async with clients.gemini() as client:
            made = []
            for i in range(5):
                config = {"display_name": f"J-{i}"}
                job = await client.batches.create(model="gemini-x", src=[{"contents": "x"}], config=config)
                made.append(job.name)
            found = [job async for job in await client.batches.list(config={"page_size": 2})]
            await client.batches.delete(name=made[0])
            with pytest.raises(errors.ClientError):
                await client.batches.get(name=made[0])
            return made, found

    made, found = asyncio.run(run())
    assert [job.name for job in found[:5]] == made[::-1]
    assert [job.display_name for job in found[:5]] == [f"J-{i}" for i in (4, 3, 2, 1, 0)]


@pytest.mark.parametrize(
    ("settings", "cancels", "state"),
    [
        (Batches(batch_seconds=3), True, "JOB_STATE_CANCELLED"),
        (Batches(batch_seconds=3, window_seconds=0.5), False, "JOB_STATE_EXPIRED"),
    ],
)
def test_cut_batches_give_no_results(
    serve: Any, executing: Any, settings: Batches, cancels: bool, state: str
) -> None:
    """A cancelled or expired batch has no results, although rows of it were executed and billed."""
    clients = serve(How(batches=settings))

    async def run() -> Any:
        async with clients.gemini() as client:
            file = await upload(client, lines({str(i): f"text {i}" for i in range(40)}))
            job = await client.batches.create(model="gemini-x", src=file.name)
            await executing()
            if cancels:
                await client.batches.cancel(name=job.name)
            job = await finish(client, job)
            return job, [found.name async for found in await client.files.list()]

    job, files = asyncio.run(run())
    assert (job.state.name, job.dest) == (state, None)
    assert f"files/batch-{job.name.removeprefix('batches/')}" not in files
    assert 0 < clients.emulator.counts()["modes"]["batch"]["billed"] < 40


@pytest.mark.parametrize(
    "settings",
    [
        Batches(batch_seconds=0.2, gemini_enqueued_tokens={"gemini-x": 12}),
        Batches(batch_seconds=0.2, gemini_running_batches=1),
    ],
)
def test_quotas_refuse_the_creation(serve: Any, settings: Batches) -> None:
    """A batch beyond a quota is a 429 without any delay named, and passes once there is room."""
    clients = serve(How(batches=settings))
    asked: Any = [{"contents": "x" * 40}]

    async def run() -> None:
        async with clients.gemini() as client:
            job = await client.batches.create(model="gemini-x", src=asked)
            with pytest.raises(errors.ClientError) as refused:
                await client.batches.create(model="gemini-x", src=asked)
            assert refused.value.status == "RESOURCE_EXHAUSTED"
            assert "details" not in refused.value.details["error"]
            await finish(client, job)
            await client.batches.create(model="gemini-x", src=asked)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("config", "status"),
    [
        ({}, 400),
        ({"fileName": "files/of-nobody"}, 404),
        ({"file_name": "files/of-nobody"}, 404),
        ({"requests": {"requests": [{"request": request("x" * 2000)}]}}, 400),
    ],
)
def test_wrong_creations_are_refused(in_app: Any, config: dict[str, Any], status: int) -> None:
    """A batch without input, over a file that is not there, or too large for inline is refused at once."""

    async def steps(client: Any) -> int:
        body = {"batch": {"displayName": "J", "inputConfig": config}}
        async with client.post(CREATE, json=body, headers=KEY) as response:
            return int(response.status)

    assert in_app(steps, How(batches=Batches(gemini_inline_bytes=1000))) == status


def test_an_empty_batch_fails(in_app: Any) -> None:
    """A batch of no requests fails, and its operation says why."""

    async def steps(client: Any) -> Any:
        body: Any = {"batch": {"input_config": {"requests": {"requests": []}}}}
        async with client.post(CREATE, json=body, headers=KEY) as response:
            view = await response.json()
        while not view.get("done"):
            await asyncio.sleep(0.02)
            async with client.get(f"/gemini/v1/{view['name']}", headers=KEY) as response:
                view = await response.json()
        return view

    view = in_app(steps, FAST)
    assert view["metadata"]["state"] == "BATCH_STATE_FAILED"
    assert view["error"] == {"code": 3, "message": "The input holds no requests."}
    assert "response" not in view
