"""Anthropic's message batches, through its unmodified SDK."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from typing import Any

import anthropic
import pytest
from anthropic.types import Message
from anthropic.types.messages import MessageBatch

from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.how import How

BATCHES = "/anthropic/v1/messages/batches"
KEY = {"x-api-key": "key", "anthropic-version": "2026-10-21"}
FAST = How(batches=Batches(batch_seconds=0.15))
pytestmark = pytest.mark.timeout(60)


def row(key: str, text: str, **params: Any) -> Any:
    """One request of a batch."""
    asked = {"model": "claude-opus-4-6", "max_tokens": 50, "messages": [{"role": "user", "content": text}]}
    return {"custom_id": key, "params": {**asked, **params}}


async def finish(client: anthropic.AsyncAnthropic, batch: MessageBatch) -> MessageBatch:
    """Poll until a batch has ended."""
    end = time.monotonic() + 20
    while batch.processing_status != "ended":
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
        batch = await client.messages.batches.retrieve(batch.id)
    return batch


async def results(client: anthropic.AsyncAnthropic, batch: MessageBatch) -> dict[str, Any]:
    """Results by custom id, in the order in which they came."""
    return {found.custom_id: found.result async for found in await client.messages.batches.results(batch.id)}


def test_a_batch_says_what_realtime_says(serve: Any) -> None:
    """Rows have the words of their realtime twins, in another order; nothing is counted until the end."""
    clients = serve(FAST)
    keys = [f"J-{i}" for i in range(12)]

    async def run() -> Any:
        async with clients.anthropic() as client:
            first = await client.messages.batches.create(requests=[row(key, f"text {key}") for key in keys])
            with pytest.raises(anthropic.AnthropicError, match="results_url"):
                await client.messages.batches.results(first.id)
            batch = await finish(client, first)
            twin = await client.messages.create(**row("", "text J-5")["params"])
            return first, batch, await results(client, batch), twin

    first, batch, found, twin = asyncio.run(run())
    assert (first.processing_status, first.request_counts.processing) == ("in_progress", 12)
    assert (batch.request_counts.processing, batch.request_counts.succeeded) == (0, 12)
    assert batch.results_url == f"{clients.emulator.anthropic_url}/v1/messages/batches/{batch.id}/results"
    assert sorted(found) == sorted(keys)
    assert list(found) != keys
    message = Message.model_validate(found["J-5"].message.model_dump())
    assert message.content[0].text == twin.content[0].text  # type: ignore[union-attr]
    assert (message.usage.service_tier, twin.usage.service_tier) == ("batch", "standard")
    assert clients.emulator.counts()["modes"]["batch"]["delivered"] == 12


def test_wrong_params_are_rows_that_errored(serve: Any) -> None:
    """What is wrong with a row's params ends that row only; the version of the creation governs them all."""
    clients = serve(FAST)
    rows = [row("good", "x"), row("hot", "x", temperature=0), row("none", "x", max_tokens=0)]

    async def run(**options: Any) -> Any:
        async with clients.anthropic() as client:
            made = await client.messages.batches.create(requests=rows, **options)
            batch = await finish(client, made)
            return batch.request_counts, await results(client, batch)

    counts, found = asyncio.run(run())
    assert (counts.succeeded, counts.errored) == (1, 2)
    assert found["good"].type == "succeeded"
    assert found["hot"].error.error.type == "invalid_request_error"
    assert "temperature: Extra inputs are not permitted" in found["hot"].error.error.message
    counts, found = asyncio.run(run(extra_headers={"anthropic-version": "2023-06-01"}))
    assert found["hot"].type == "succeeded"


@pytest.mark.parametrize(
    ("requests", "status", "message"),
    [
        ([], 400, "at least 1 item"),
        ([row("a b", "x")], 400, "requests.0.custom_id: String should match pattern"),
        ([row("ok", "x"), row("x" * 65, "x")], 400, "requests.1.custom_id: String should match pattern"),
        ([row("a", "x"), row("a", "y")], 400, "custom_id must be unique"),
        ([{"custom_id": "a"}], 400, "requests.0.params: Field required"),
        ([{**row("a", "x"), "method": "POST"}], 400, "requests.0.method: Extra inputs are not permitted"),
        ([row(str(i), "x") for i in range(4)], 400, "at most 3 items"),
        ([row("a", "x" * 3000)], 413, "maximum size"),
        ([1, row("a", "x")], 400, "valid dictionaries"),
    ],
)
def test_wrong_envelopes_are_refused_at_once(in_app: Any, requests: Any, status: int, message: str) -> None:
    """Ids, sizes and counts are checked when the batch is created, and no batch comes of a wrong one."""
    how = How(batches=Batches(anthropic_rows=3, anthropic_bytes=2000))

    async def steps(client: Any) -> Any:
        async with client.post(BATCHES, json={"requests": requests}, headers=KEY) as response:
            answer = response.status, await response.json()
        async with client.get("/_judgeray/batches") as response:
            return *answer, await response.json()

    found, body, batches = in_app(steps, how)
    assert (found, batches) == (status, [])
    assert message in body["error"]["message"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "not valid JSON"),
        (b'{"requests": [{"custom_id": "a" "params": {}}]}', "not parseable"),
        (b'{"requests": [{"custom_id": "a", "params": {}} {}]}', "not valid JSON"),
        (b'{"requests": [{"custom_id": "a"', "not valid JSON"),
        (b'{"rows": []}', "requests: Field required"),
        (b'{"requests": {}}', "requests: Field required"),
        (b'[{"requests": []}]', "requests: Field required"),
        (b'{"requests": [{}], "mode": 1}', "mode: Extra inputs are not permitted"),
    ],
)
def test_bodies_that_are_no_batch_are_refused(exchange: Any, body: bytes, message: str) -> None:
    """A body that is no JSON, or not of the form of a batch, is a 400 that says so."""
    answer = exchange("POST", BATCHES, body, KEY)
    assert answer.status == 400
    assert message in answer.body["error"]["message"]


def test_unknown_models_are_rows_that_errored(in_app: Any) -> None:
    """A model that does not exist errs its rows, not the batch."""

    async def steps(client: Any) -> Any:
        body = {"requests": [row("a", "x", model="gpt")]}
        async with client.post(BATCHES, json=body, headers=KEY) as response:
            batch = await response.json()
        while not batch["results_url"]:
            await asyncio.sleep(0.02)
            async with client.get(f"{BATCHES}/{batch['id']}", headers=KEY) as response:
                batch = await response.json()
        async with client.get(f"{BATCHES}/{batch['id']}/results", headers=KEY) as response:
            return json.loads(await response.text())

    found = in_app(steps, How(batches=Batches(batch_seconds=0)), Behaviour(known_models=("claude",)))
    assert found["result"]["error"]["error"] == {"type": "not_found_error", "message": "model: gpt"}


def test_batches_are_listed_both_ways(serve: Any) -> None:
    """Lists page after and before a batch, newest first."""
    clients = serve(FAST)

    async def run() -> Any:
        async with clients.anthropic() as client:
            batches = client.messages.batches
            made = [(await batches.create(requests=[row("a", str(i))])).id for i in range(5)]
            every = [batch.id async for batch in batches.list(limit=2)]
            before = await batches.list(before_id=made[1], limit=2)
            with pytest.raises(anthropic.BadRequestError):
                await batches.list(after_id="msgbatch_of_nobody")
            return made, every, before

    made, every, before = asyncio.run(run())
    assert every[:5] == made[::-1]
    assert [batch.id for batch in before.data] == [made[3], made[2]]
    assert before.has_more


def test_a_canceled_batch_keeps_what_it_has(serve: Any, executing: Any) -> None:
    """Canceling ends the batch: executed rows succeeded, all others are canceled and not billed."""
    clients = serve(How(batches=Batches(batch_seconds=3)))

    async def run() -> Any:
        async with clients.anthropic() as client:
            batch = await client.messages.batches.create(requests=[row(str(i), str(i)) for i in range(40)])
            await executing()
            canceling = await client.messages.batches.cancel(batch.id)
            batch = await finish(client, batch)
            found = await results(client, batch)
            assert (await client.messages.batches.delete(batch.id)).type == "message_batch_deleted"
            with pytest.raises(anthropic.NotFoundError):
                await client.messages.batches.retrieve(batch.id)
            return canceling, batch, found

    canceling, batch, found = asyncio.run(run())
    assert (canceling.processing_status, batch.request_counts.processing) == ("canceling", 0)
    assert batch.cancel_initiated_at is not None
    kinds = Counter(result.type for result in found.values())
    assert kinds == {"succeeded": batch.request_counts.succeeded, "canceled": batch.request_counts.canceled}
    assert kinds["canceled"] + kinds["succeeded"] == 40
    assert clients.emulator.counts()["modes"]["batch"]["billed"] == kinds["succeeded"]


def test_a_batch_beyond_its_window_expires(serve: Any) -> None:
    """What was not executed within the window is expired."""
    clients = serve(How(batches=Batches(batch_seconds=3, window_seconds=0.6)))

    async def run() -> Any:
        async with clients.anthropic() as client:
            made = await client.messages.batches.create(requests=[row(str(i), str(i)) for i in range(30)])
            batch = await finish(client, made)
            return batch, await results(client, batch)

    batch, found = asyncio.run(run())
    kinds = Counter(result.type for result in found.values())
    assert kinds == {"succeeded": batch.request_counts.succeeded, "expired": batch.request_counts.expired}
    assert min(kinds.values()) > 0


def test_the_queue_of_rows_is_limited(serve: Any) -> None:
    """A batch that the queue has no room for is a 429 at once."""
    clients = serve(How(batches=Batches(batch_seconds=0.2, anthropic_queued_rows=3)))

    async def run() -> None:
        async with clients.anthropic() as client:
            batch = await client.messages.batches.create(requests=[row(str(i), "x") for i in range(2)])
            with pytest.raises(anthropic.RateLimitError):
                await client.messages.batches.create(requests=[row(str(i), "y") for i in range(2)])
            await finish(client, batch)
            await client.messages.batches.create(requests=[row(str(i), "z") for i in range(2)])

    asyncio.run(run())
