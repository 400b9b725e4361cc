"""What arrived and what was answered is counted, exactly and per prompt."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import TestClient, TestServer

from judgeray.emulator.app import create_app
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.prompt import Prompt

KEY = {"Authorization": "Bearer key"}
RESPONSES = "/openai/v1/responses"
pytestmark = pytest.mark.timeout(60)


async def _counts_after(requests: list[Any], behaviour: Behaviour) -> Any:
    async with TestClient(TestServer(create_app(behaviour))) as client:

        async def send(body: object) -> None:
            async with client.post(RESPONSES, json=body, headers=KEY) as response:
                await response.read()

        await asyncio.gather(*(send(body) for body in requests))
        async with client.get("/_judgeray/counts") as response:
            return await response.json()


def test_counts_are_exact_under_concurrency() -> None:
    """Of 180 requests at once, every one is counted, repeats are named, and the peak is their number."""
    requests = [{"model": f"m{i % 2}", "input": f"text {i % 150}"} for i in range(180)]
    behaviour = Behaviour(latency_seconds=1.0)
    counts = asyncio.run(_counts_after(requests, behaviour))
    # The TestClient's connector opens at most 100 connections at once.
    assert 50 <= counts["peak_in_flight"] <= 100
    assert (counts["requests"], counts["received"], counts["executed"]) == (180, 180, 180)
    assert (counts["prompts"], counts["in_flight"]) == (150, 0)
    assert (counts["statuses"], counts["by_model"]) == ({"200": 180}, {"m0": 90, "m1": 90})
    repeated = {Prompt("openai", f"m{i % 2}", "", f"text {i}").digest: 2 for i in range(30)}
    assert counts["repeated"] == repeated


def test_refused_requests_are_requests_but_no_prompts() -> None:
    """A refused request counts by its status; nothing was received or executed."""
    counts = asyncio.run(_counts_after([{"input": "x"}, {"model": "m", "input": "x"}], Behaviour()))
    assert counts["statuses"] == {"400": 1, "200": 1}
    assert (counts["requests"], counts["received"], counts["executed"], counts["prompts"]) == (2, 1, 1, 1)


def test_digests_tell_prompts_apart() -> None:
    """API, model, system, user and seed each make another prompt; caps and demands for JSON do not."""
    one = Prompt("openai", "m", "s", "u")
    others = [
        Prompt("gemini", "m", "s", "u"), Prompt("openai", "n", "s", "u"), Prompt("openai", "m", "su", ""),
        Prompt("openai", "m", "s", "v"), Prompt("openai", "m", "s", "u", seed=0),
        Prompt("openai", "m", "s", "u", seed=1),
    ]  # fmt: skip
    assert len({one.digest, *(other.digest for other in others)}) == 7
    assert one.digest == Prompt("openai", "m", "s", "u", output_cap=9, json_only=True).digest


def test_reset_forgets() -> None:
    """After a reset all counts are zero, and none of the admin's own requests was counted."""

    async def run() -> Any:
        async with TestClient(TestServer(create_app(Behaviour()))) as client:
            async with client.post(RESPONSES, json={"model": "m", "input": "x"}, headers=KEY) as response:
                await response.read()
            async with client.post("/_judgeray/reset") as response:
                return await response.json()

    counts = asyncio.run(run())
    modes = counts.pop("modes")
    assert not any(counts.values())
    assert not any(count for mode in modes.values() for count in mode.values())


def test_the_behaviour_can_be_asked_for(exchange: Any) -> None:
    """The admin names the digest of the behaviour that is served."""
    behaviour = Behaviour(seed=4)
    assert exchange("GET", "/_judgeray/behaviour", behaviour=behaviour).body["digest"] == behaviour.digest()


def test_lone_surrogates_pass_through() -> None:
    """A prompt with NUL and a lone surrogate is answered, and the reply's text holds them as sent."""

    async def run() -> Any:
        text = "Question: q\nReference answer: r\nCandidate answer: odd \\ud800 \\u0000 text\n\n"
        block = "Return valid JSON with keys:\n- verdict: x\n- atomic_claims: list"
        body = ('{"model": "m", "input": "' + (text + block).replace("\n", "\\n") + '"}').encode()
        async with (
            TestServer(create_app(Behaviour())) as server,
            ClientSession() as session,
            session.post(server.make_url(RESPONSES), data=body, headers=KEY) as response,
        ):
            return json.loads(await response.read())

    reply: Any = asyncio.run(run())
    assert reply["status"] == "completed"
    claims = json.loads(reply["output"][0]["content"][0]["text"].split("```json")[-1].strip("`\n"))
    assert claims["atomic_claims"] == ["odd \ud800 \x00 text"]
