"""OpenAI's files and batches, through its unmodified SDK."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable
from typing import Any

import openai
import pytest
from openai.types import Batch
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.how import How

RESPONSES, CHAT = "/v1/responses", "/v1/chat/completions"
KEY = {"Authorization": "Bearer key"}
FAST = How(batches=Batches(batch_seconds=0.15))
SLOW = How(batches=Batches(batch_seconds=4.0))
ENDED = ("completed", "failed", "expired", "cancelled")
pytestmark = pytest.mark.timeout(60)


def line(key: str, text: str, **changes: Any) -> dict[str, Any]:
    """One input line for the Responses endpoint; `body` changes are merged."""
    body = {"model": "gpt-4.1", "input": text, **changes.pop("body", {})}
    return {"custom_id": key, "method": "POST", "url": RESPONSES, "body": body, **changes}


async def submit(client: openai.AsyncOpenAI, lines: Iterable[Any], **options: Any) -> Batch:
    """Upload lines (objects, or text as it is) and create their batch."""
    data = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in lines).encode()
    file = await client.files.create(file=("job-1.jsonl", data), purpose="batch")
    given = {"endpoint": RESPONSES, "completion_window": "24h", **options}
    return await client.batches.create(input_file_id=file.id, **given)


async def finish(client: openai.AsyncOpenAI, batch: Batch, until: tuple[str, ...] = ENDED) -> Batch:
    """Poll until a batch has one of the given states."""
    end = time.monotonic() + 20
    while batch.status not in until:
        assert time.monotonic() < end, batch.status
        await asyncio.sleep(0.02)
        batch = await client.batches.retrieve(batch.id)
    return batch


async def results(client: openai.AsyncOpenAI, file_id: str | None) -> list[Any]:
    """The lines of a result file; none where there is no file."""
    if not file_id:
        return []
    return [json.loads(row) for row in (await client.files.content(file_id)).text.splitlines()]


def test_a_batch_says_what_realtime_says(serve: Any) -> None:
    """A batch runs through its states; each row has the words of its realtime twin, in another order."""
    clients = serve(How(batches=Batches(batch_seconds=0.8)))
    texts = {f"row-{i}": f"text {i}" for i in range(12)}

    async def run() -> Any:
        async with clients.openai() as client:
            tag = {"job": "J", "shard": "3"}
            batch = await submit(client, [line(key, text) for key, text in texts.items()], metadata=tag)
            seen = {batch.status}
            while batch.status not in ENDED:
                await asyncio.sleep(0.01)
                batch = await client.batches.retrieve(batch.id)
                seen.add(batch.status)
            twin = await client.responses.create(model="gpt-4.1", input=texts["row-5"])
            return batch, seen, twin.output_text, await results(client, batch.output_file_id)

    batch, seen, twin, found = asyncio.run(run())
    assert seen == {"validating", "in_progress", "finalizing", "completed"}
    assert (batch.metadata, batch.error_file_id, batch.errors) == ({"job": "J", "shard": "3"}, None, None)
    assert (batch.request_counts.total, batch.request_counts.completed) == (12, 12)
    keys = [row["custom_id"] for row in found]
    assert sorted(keys) == sorted(texts)
    assert keys != list(texts)
    replies = {row["custom_id"]: Response.model_validate(row["response"]["body"]) for row in found}
    assert replies["row-5"].output_text == twin
    assert all(row["response"]["status_code"] == 200 and row["error"] is None for row in found)
    assert batch.usage.output_tokens == sum(r.usage.output_tokens for r in replies.values() if r.usage)
    modes = clients.emulator.counts()["modes"]
    assert modes["batch"] == {"received": 12, "executed": 12, "delivered": 12, "billed": 12}
    assert modes["realtime"] == {"received": 1, "executed": 1, "delivered": 1, "billed": 1}
    assert len(clients.emulator.counts()["repeated"]) == 1


def test_chat_rows_and_refused_rows(serve: Any) -> None:
    """Chat has batches too; a row that the API refuses is a line of the error file with the API's 400."""
    clients = serve(FAST)
    messages = [{"role": "user", "content": "x"}]

    async def run() -> Any:
        async with clients.openai() as client:
            rows = [
                {"custom_id": "good", "method": "POST", "url": CHAT, "body": {"model": "m", "messages": messages}},
                {"custom_id": "bad", "method": "POST", "url": CHAT, "body": {"model": "m", "messages": []}},
            ]
            batch = await finish(client, await submit(client, rows, endpoint=CHAT))
            return batch, await results(client, batch.output_file_id), await results(client, batch.error_file_id)

    batch, output, errors = asyncio.run(run())
    assert (batch.status, batch.request_counts.failed) == ("completed", 1)
    assert ChatCompletion.model_validate(output[0]["response"]["body"]).model == "simulated/m"
    assert [row["custom_id"] for row in errors] == ["bad"]
    assert (errors[0]["response"]["status_code"], errors[0]["error"]) == (400, None)
    assert errors[0]["response"]["body"]["error"]["param"] == "messages"


@pytest.mark.parametrize(
    ("lines", "code", "at"),
    [
        (["{"], "invalid_json_line", 1),
        ([line("a", "x"), "[]"], "invalid_json_line", 2),
        ([line("a", "x"), line("a", "y")], "duplicate_custom_id", 2),
        ([line("a", "x", url=CHAT)], "url_mismatch", 1),
        ([line("a", "x"), line("b", "y", body={"model": "other"})], "model_mismatch", None),
        ([line("a", "x", custom_id="")], "missing_required_parameter", 1),
        ([line("a", "x", body={"model": None})], "missing_required_parameter", 1),
        ([line("a", "x", body={"model": "gpt-9"})], "model_not_found", None),
        ([""], "empty_file", None),
        ([line(str(i), "x") for i in range(4)], "too_many_tasks", None),
    ],
)
def test_wrong_input_fails_the_batch_later(in_app: Any, lines: list[Any], code: str, at: int | None) -> None:
    """Creating a batch over wrong input succeeds; the batch then fails with the API's code, and nothing ran."""
    how = How(batches=Batches(batch_seconds=0.05, openai_rows=3))
    behaviour = Behaviour(known_models=("gpt-4.1", "other"))

    async def steps(web: Any) -> Any:
        async with openai.AsyncOpenAI(api_key="k", base_url=str(web.make_url("/openai/v1"))) as client:
            batch = await submit(client, lines)
            assert batch.status == "validating"
            async with web.get("/_judgeray/counts") as response:
                return await finish(client, batch), await response.json()

    batch, counts = in_app(steps, how, behaviour)
    assert (batch.status, batch.output_file_id, batch.error_file_id) == ("failed", None, None)
    assert (batch.errors.data[0].code, batch.errors.data[0].line) == (code, at)
    assert counts["received"] == counts["executed"] == 0


def test_the_queue_of_tokens_is_limited(serve: Any) -> None:
    """A batch beyond the enqueued tokens of its model fails with token_limit_exceeded; later it passes."""
    clients = serve(How(batches=Batches(batch_seconds=0.3, openai_enqueued_tokens={"gpt-4.1": 30})))
    rows = [line(str(i), "x" * 40) for i in range(2)]

    async def run() -> Any:
        async with clients.openai() as client:
            await submit(client, [*rows, *rows])  # fails over its ids, and so takes no room
            first, second = await submit(client, rows), await submit(client, rows)
            failed = await finish(client, second)
            done = await finish(client, first)
            return [failed, done, await finish(client, await submit(client, rows))]

    failed, done, again = asyncio.run(run())
    assert (failed.status, failed.errors.data[0].code) == ("failed", "token_limit_exceeded")
    assert (done.status, again.status) == ("completed", "completed")


def test_batches_and_files_are_listed_newest_first(serve: Any) -> None:
    """Lists page by `after` and `limit`, newest first; uploads are found by purpose and file name."""
    clients = serve(FAST)

    async def run() -> Any:
        async with clients.openai() as client:
            made = [(await submit(client, [line("a", str(i))], metadata={"n": str(i)})).id for i in range(5)]
            page = await client.batches.list(limit=2)
            every = [batch.id async for batch in client.batches.list(limit=2)]
            names = [file.filename async for file in client.files.list(purpose="batch", limit=3)]
            with pytest.raises(openai.BadRequestError, match="after"):
                await client.batches.list(after="batch_of_nobody")
            return made, page, every, names

    made, page, every, names = asyncio.run(run())
    assert [batch.id for batch in page.data] == made[::-1][:2]
    assert page.has_more
    assert every[:5] == made[::-1]
    assert set(names) == {"job-1.jsonl"}
    audited = [b for b in clients.emulator.batches() if b["id"] in made]
    assert [b["tag"] for b in audited] == [{"n": str(i)} for i in range(5)]
    assert clients.emulator.counts()["batches"]["created"] == 5


def test_new_batches_may_be_missing_from_lists(serve: Any) -> None:
    """With a listing lag a batch can be retrieved at once, and is listed later."""
    clients = serve(How(batches=Batches(batch_seconds=0.1, listing_lag_seconds=1.0)))

    async def run() -> None:
        async with clients.openai() as client:
            batch = await submit(client, [line("a", "x")])
            assert batch.id not in [b.id async for b in client.batches.list(limit=100)]
            assert (await client.batches.retrieve(batch.id)).id == batch.id
            await asyncio.sleep(1.05)
            assert batch.id in [b.id async for b in client.batches.list(limit=100)]

    asyncio.run(run())


def test_a_cancelled_batch_keeps_what_it_has(serve: Any) -> None:
    """Cancelling ends in `cancelled`; executed rows are in the output, all others in the error file."""
    clients = serve(SLOW)

    async def run() -> Any:
        async with clients.openai() as client:
            batch = await submit(client, [line(str(i), f"text {i}") for i in range(40)])
            while not (batch.request_counts and batch.request_counts.completed):
                await asyncio.sleep(0.05)
                batch = await client.batches.retrieve(batch.id)
            cancelling = await client.batches.cancel(batch.id)
            batch = await finish(client, batch)
            with pytest.raises(openai.ConflictError):
                await client.batches.cancel(batch.id)
            files = [await results(client, file) for file in (batch.output_file_id, batch.error_file_id)]
            return cancelling, batch, *files

    cancelling, batch, output, errors = asyncio.run(run())
    assert (cancelling.status, batch.status) == ("cancelling", "cancelled")
    assert output
    assert {row["error"]["code"] for row in errors} == {"batch_cancelled"}
    assert all(row["response"] is None for row in errors)
    keys = [row["custom_id"] for row in output + errors]
    assert sorted(keys) == sorted(str(i) for i in range(40))
    assert clients.emulator.counts()["modes"]["batch"]["billed"] == len(output) < 40
    assert clients.emulator.counts()["batches"]["cancelled"] == 1


def test_a_batch_beyond_its_window_expires(serve: Any) -> None:
    """A batch that its window closes upon is `expired`; executed rows are kept, the others marked."""
    clients = serve(How(batches=Batches(batch_seconds=3, window_seconds=1.0)))

    async def run() -> Any:
        async with clients.openai() as client:
            batch = await submit(client, [line(str(i), f"text {i}") for i in range(30)])
            batch = await finish(client, batch)
            return batch, await results(client, batch.output_file_id), await results(client, batch.error_file_id)

    batch, output, errors = asyncio.run(run())
    assert (batch.status, batch.expires_at - batch.created_at) == ("expired", 1)
    assert {row["error"]["code"] for row in errors} == {"batch_expired"}
    assert 0 < len(output) == 30 - len(errors)


def test_files_are_checked_kept_and_deleted(serve: Any) -> None:
    """An upload can be read back until it is deleted; one that is too large or of no purpose is refused."""
    clients = serve(How(batches=Batches(openai_bytes=1000)))

    async def run() -> None:
        async with clients.openai() as client:
            file = await client.files.create(file=("a.jsonl", b"x" * 1000), purpose="batch")
            assert (await client.files.content(file.id)).read() == b"x" * 1000
            assert (await client.files.retrieve(file.id)).bytes == 1000
            assert (await client.files.delete(file.id)).deleted
            with pytest.raises(openai.NotFoundError):
                await client.files.content(file.id)
            with pytest.raises(openai.APIStatusError, match="content size limit") as error:
                await client.files.create(file=("a.jsonl", b"x" * 1001), purpose="batch")
            assert error.value.status_code == 413
            with pytest.raises(openai.BadRequestError, match="purpose"):
                await client.files.create(file=("a.jsonl", b"x"), purpose="party")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"endpoint": "/v1/party"}, "endpoint"),
        ({"completion_window": "1h"}, "completion_window"),
        ({"input_file_id": "file-of-nobody"}, "input_file_id"),
        ({"metadata": {"long": "x" * 513}}, "metadata"),
        ({"metadata": {str(i): "x" for i in range(17)}}, "metadata"),
    ],
)
def test_wrong_creations_are_refused(exchange: Any, change: dict[str, Any], param: str) -> None:
    """What is wrong with the creation itself is a 400 at once."""
    body = {"endpoint": RESPONSES, "completion_window": "24h", "input_file_id": "file-of-nobody", **change}
    answer = exchange("POST", "/openai/v1/batches", body, KEY)
    assert (answer.status, answer.body["error"]["param"]) == (400, param)
