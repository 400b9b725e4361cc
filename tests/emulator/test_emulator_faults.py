"""Injected faults befall the prompts they should, as often as they should, in the shape of each API."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import aiohttp
import anthropic
import openai
import pytest
from google.genai import errors, types
from pydantic import ValidationError

from judgeray.emulator.fault_names import CONTENT_FAULTS, STATUS_FAULTS, FaultName
from judgeray.emulator.fault_settings import FaultRule, Faults
from judgeray.emulator.faults import FaultBook, Mark
from judgeray.emulator.how import How
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.refusal import RequestRefusedError

MARKED = Faults(markers=True, slow_seconds=0.3, retry_after_seconds=7)
HEADERS = {
    "Authorization": "Bearer key",
    "x-api-key": "key",
    "anthropic-version": "2026-10-21",
    "x-goog-api-key": "key",
}
USUAL_STATUS = {
    "rate_limited": 429, "rate_limited_silently": 429, "quota_exhausted": 429, "bad_request": 400,
    "unauthorized": 401, "forbidden": 403, "not_found": 404, "context_length": 400, "server_error": 500,
    "bad_gateway": 502, "unavailable": 503, "gateway_timeout": 504, "overloaded": 529,
}  # fmt: skip
LASTING = {"quota_exhausted", "bad_request", "unauthorized", "forbidden", "not_found", "context_length"}
APIS = ("responses", "chat", "messages", "content")
pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),
]


def asked(api: str, text: str) -> tuple[str, Any]:
    """Path and body of a realtime request."""
    messages = [{"role": "user", "content": text}]
    return {
        "responses": ("/openai/v1/responses", {"model": "m", "input": text}),
        "chat": ("/openai/v1/chat/completions", {"model": "m", "messages": messages}),
        "messages": ("/anthropic/v1/messages", {"model": "m", "max_tokens": 50, "messages": messages}),
        "content": (
            "/gemini/v1/models/m:generateContent",
            {"contents": [{"role": "user", "parts": [{"text": text}]}]},
        ),
    }[api]


async def ask(client: Any, api: str, text: str) -> tuple[int, Any, Any]:
    """Status, headers and body (parsed where it is JSON) of a realtime request."""
    path, body = asked(api, text)
    async with client.post(path, json=body, headers=HEADERS) as response:
        raw = await response.read()
        parsed = json.loads(raw) if response.content_type == "application/json" else raw.decode()
        return response.status, response.headers, parsed


@pytest.mark.parametrize("api", APIS)
def test_status_faults(in_app: Any, api: str) -> None:
    """Each has its status and the API's own body; transient ones pass on the next try, lasting ones never."""

    async def steps(client: Any) -> Any:
        found = {}
        for fault in sorted(STATUS_FAULTS):
            found[fault] = [await ask(client, api, f"[[fault:{fault}]]") for _ in range(2)]
        async with client.get("/_judgeray/counts") as response:
            return found, await response.json()

    found, counts = in_app(steps, How(faults=MARKED))
    expected = {**USUAL_STATUS, **({"unauthorized": 400} if api == "content" else {})}
    assert {fault: answers[0][0] for fault, answers in found.items()} == expected
    for fault, answers in found.items():
        assert answers[1][0] == (expected[fault] if fault in LASTING else 200), fault
    assert found["bad_gateway"][0][2].startswith("<html>")
    waits = {fault: answers[0][1].get("retry-after") for fault, answers in found.items()}
    assert waits.pop("rate_limited") == (None if api == "content" else "7")
    assert not any(waits.values())
    assert all("error" in answers[0][2] for fault, answers in found.items() if fault != "bad_gateway")
    assert counts["executed"] == len(STATUS_FAULTS - LASTING)
    assert counts["faults"] == {fault: 2 if fault in LASTING else 1 for fault in STATUS_FAULTS}


def test_the_codes_that_tell_faults_apart(in_app: Any) -> None:
    """Quotas, context length and models are told by the code, kind or detail that each API uses."""

    async def steps(client: Any) -> Any:
        return {
            (api, fault): (await ask(client, api, f"{api} [[fault:{fault}]]"))[2]["error"]
            for api in APIS
            for fault in ("quota_exhausted", "context_length", "not_found", "rate_limited", "unauthorized")
        }

    found = in_app(steps, How(faults=MARKED))
    assert found["responses", "quota_exhausted"]["code"] == "insufficient_quota"
    assert found["chat", "context_length"]["code"] == "context_length_exceeded"
    assert found["chat", "not_found"]["code"] == "model_not_found"
    assert found["messages", "quota_exhausted"]["details"]["error_code"] == "enforced_spend_limit_reached"
    assert found["messages", "context_length"]["message"].startswith("prompt is too long")
    assert "PerDay" in str(found["content", "quota_exhausted"]["details"])
    assert found["content", "rate_limited"]["details"][1]["retryDelay"] == "7s"
    assert found["content", "context_length"]["message"].startswith("The input token count")
    assert found["content", "unauthorized"]["details"][0]["reason"] == "API_KEY_INVALID"


def _choice(body: Any) -> Any:
    return body["choices"][0]


SHAPES: dict[tuple[str, str], Callable[[Any], bool]] = {
    ("responses", "refusal"): lambda body: body["output"][0]["content"][0]["type"] == "refusal",
    ("responses", "content_filter"): lambda body: body["incomplete_details"]["reason"] == "content_filter",
    ("responses", "prompt_block"): lambda body: body["error"]["code"] == "invalid_prompt",
    ("responses", "empty_candidates"): lambda body: body["output"] == [],
    ("responses", "no_text"): lambda body: [item["type"] for item in body["output"]] == ["reasoning"],
    ("responses", "length"): lambda body: body["incomplete_details"]["reason"] == "max_output_tokens",
    ("responses", "null_usage"): lambda body: body["usage"] is None,
    ("chat", "refusal"): lambda body: _choice(body)["message"]["refusal"] is not None,
    ("chat", "content_filter"): lambda body: _choice(body)["finish_reason"] == "content_filter",
    ("chat", "prompt_block"): lambda body: body["error"]["code"] == "invalid_prompt",
    ("chat", "empty_candidates"): lambda body: body["choices"] == [],
    ("chat", "no_text"): lambda body: _choice(body)["message"]["content"] == "",
    ("chat", "length"): lambda body: _choice(body)["finish_reason"] == "length",
    ("chat", "null_usage"): lambda body: body["usage"] is None,
    ("messages", "refusal"): lambda body: (body["stop_reason"], body["content"]) == ("refusal", []),
    ("messages", "content_filter"): lambda body: body["error"]["message"].startswith("Output blocked"),
    ("messages", "prompt_block"): lambda body: body["usage"]["output_tokens"] == 0,
    ("messages", "empty_candidates"): lambda body: body["content"] == [],
    ("messages", "no_text"): lambda body: [block["type"] for block in body["content"]] == ["thinking"],
    ("messages", "length"): lambda body: body["stop_reason"] == "max_tokens",
    ("messages", "null_usage"): lambda body: body["usage"] is None,
    ("content", "refusal"): lambda body: body["candidates"] == [{"finishReason": "SAFETY", "index": 0}],
    ("content", "content_filter"): lambda body: body["candidates"][0]["finishReason"] == "PROHIBITED_CONTENT",
    ("content", "prompt_block"): lambda body: "blockReason" in body["promptFeedback"] and "candidates" not in body,
    ("content", "empty_candidates"): lambda body: not {"candidates", "promptFeedback"} & set(body),
    ("content", "no_text"): lambda body: "parts" not in body["candidates"][0]["content"],
    ("content", "length"): lambda body: body["candidates"][0]["finishReason"] == "MAX_TOKENS",
    ("content", "null_usage"): lambda body: "usageMetadata" not in body,
}
"""What an API answers under a content fault."""


@pytest.mark.parametrize("api", APIS)
def test_content_faults(in_app: Any, api: str) -> None:
    """Each changes the reply as its API would; all but a blocked prompt are executed, and all are delivered."""

    async def steps(client: Any) -> Any:
        found = {f: (await ask(client, api, f"[[fault:{f}]]"))[2] for f in sorted(CONTENT_FAULTS)}
        second = (await ask(client, api, "[[fault:empty_candidates]]"))[2]
        async with client.get("/_judgeray/counts") as response:
            return found, second, await response.json()

    found, second, counts = in_app(steps, How(faults=MARKED))
    assert all(SHAPES[api, fault](body) for fault, body in found.items())
    assert not SHAPES[api, "empty_candidates"](second)
    assert counts["executed"] == counts["modes"]["realtime"]["delivered"] == len(CONTENT_FAULTS)
    assert counts["lost_responses"] == 0


@pytest.mark.parametrize("api", APIS)
def test_wire_faults(in_app: Any, api: str) -> None:
    """Each spoils connection or bytes in its own way, and the audit tells which of them were executed and lost."""

    async def executed(client: Any) -> tuple[int, int]:
        async with client.get("/_judgeray/counts") as response:
            counts = await response.json()
        return counts["executed"], counts["lost_responses"]

    async def steps(client: Any) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ask(client, api, "[[fault:hang]]"), 0.2)
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await ask(client, api, "[[fault:disconnect]]")
        assert await executed(client) == (0, 0)
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await ask(client, api, "[[fault:lost_response]]")
        with pytest.raises(aiohttp.ClientPayloadError):
            await ask(client, api, "[[fault:truncated_body]]")
        with pytest.raises(json.JSONDecodeError):
            await ask(client, api, "[[fault:malformed_json]]")
        status, headers, body = await ask(client, api, "[[fault:text_200]]")
        assert (status, headers["Content-Type"][:10], isinstance(body, str)) == (200, "text/plain", True)
        assert await executed(client) == (4, 4)
        start = time.monotonic()
        assert (await ask(client, api, "[[fault:slow]]"))[0] == 200
        assert time.monotonic() - start > 0.3
        assert await executed(client) == (5, 4)
        for fault in ("hang", "disconnect", "lost_response", "truncated_body", "malformed_json", "text_200"):
            assert isinstance((await ask(client, api, f"[[fault:{fault}]]"))[2], dict)

    in_app(steps, How(faults=MARKED))


def test_what_the_sdks_make_of_wire_faults(serve: Any) -> None:
    """Each SDK meets the faults as its own exceptions or odd returns, and one that timed out is counted as lost."""
    clients = serve(How(faults=Faults(markers=True, slow_seconds=3)))

    async def run() -> Any:
        async with clients.openai(timeout=1.0) as one:
            ask = one.responses.create
            with pytest.raises(openai.APITimeoutError):
                await ask(model="m", input="[[fault:slow]]")
            with pytest.raises(openai.APIConnectionError):
                await ask(model="m", input="[[fault:lost_response]]")
            with pytest.raises(json.JSONDecodeError):
                await ask(model="m", input="[[fault:malformed_json]]")
            text = await ask(model="m", input="[[fault:text_200]]")
            with pytest.raises(openai.InternalServerError):
                await ask(model="m", input="[[fault:bad_gateway]]")
        async with clients.anthropic(timeout=1.0) as two:

            async def message(content: str) -> Any:
                messages: Any = [{"role": "user", "content": content}]
                return await two.messages.create(model="m", max_tokens=9, messages=messages)

            with pytest.raises(anthropic.APITimeoutError):
                await message("[[fault:hang]]")
            with pytest.raises(anthropic.APIConnectionError):
                await message("[[fault:disconnect]]")
            with pytest.raises(anthropic.OverloadedError):
                await message("[[fault:overloaded]]")
        async with clients.gemini(timeout_milliseconds=1000) as three:

            async def generate(contents: str) -> Any:
                return await three.models.generate_content(model="m", contents=contents)

            with pytest.raises(aiohttp.ClientPayloadError):
                await generate("[[fault:truncated_body]]")
            with pytest.raises(aiohttp.ServerDisconnectedError):
                await generate("[[fault:disconnect]]")
            with pytest.raises(TimeoutError):
                await generate("[[fault:hang]]")
            with pytest.raises(errors.ServerError):
                await generate("[[fault:unavailable]]")
            blocked = await generate("[[fault:prompt_block]]")
        return text, blocked

    text, blocked = asyncio.run(run())
    assert isinstance(text, str)
    assert blocked.prompt_feedback.block_reason == types.BlockedReason.PROHIBITED_CONTENT
    assert clients.emulator.counts()["lost_responses"] == 5
    assert clients.emulator.counts()["modes"]["realtime"]["executed"] == 5


def test_rules_draw_their_share() -> None:
    """Rules befall their shares of prompts, no prompt two of them, and the same prompts on the same seed."""
    rules = (
        FaultRule(fault="server_error", probability=0.2, times="always"),
        FaultRule(fault="hang", probability=0.3, times="always", api="openai"),
        FaultRule(fault="length", probability=0.5, routes=("row",)),
    )
    prompts = [Prompt("openai", "m", "", str(i)) for i in range(2000)]

    def drawn(seed: int, api: str = "openai", place: Any = "realtime") -> list[FaultName | None]:
        book = FaultBook(Faults(seed=seed, rules=rules), lambda _: None)
        return [book.of_prompt(api, place, prompt) for prompt in prompts]

    found = drawn(0)
    assert abs(found.count("server_error") - 400) < 90
    assert abs(found.count("hang") - 600) < 100
    assert found.count(None) + found.count("hang") + found.count("server_error") == 2000
    assert found == drawn(0)
    assert found != drawn(1)
    assert set(drawn(0, "gemini")) == {None, "server_error"}
    assert abs(drawn(0, place="row").count("length") - 1000) < 110


def test_times_say_how_often() -> None:
    """A prompt meets a fault as often as is said, then passes: by default a transient one once, else always."""

    def met(**rule: Any) -> list[bool]:
        book = FaultBook(Faults(rules=(FaultRule(**rule),)), lambda _: None)
        return [book.of_prompt("openai", "realtime", Prompt("openai", "m", "", "x")) is not None for _ in range(4)]

    assert met(fault="server_error") == [True, False, False, False]
    assert met(fault="server_error", times=3) == [True, True, True, False]
    assert met(fault="server_error", times="always") == [True] * 4
    assert met(fault="refusal") == [True] * 4
    assert met(fault="refusal", times=1) == [True, False, False, False]


def test_markers_say_which_and_how_often() -> None:
    """A marker brings its fault, as often as it says; where markers are off, it is text like any other."""
    book = FaultBook(Faults(markers=True), lambda _: None)
    twice = Prompt("openai", "m", "", "Is [[fault:unavailable*2]] so?")
    assert [book.of_prompt("openai", "realtime", twice) for _ in range(3)] == ["unavailable", "unavailable", None]
    assert book.mark(Prompt("openai", "m", "", "[[fault:expired]]")) == Mark("expired", 1)
    assert book.of_prompt("openai", "row", Prompt("openai", "m", "", "[[fault:hang]]")) is None
    assert FaultBook(Faults(), lambda _: None).of_prompt("openai", "realtime", twice) is None


@pytest.mark.parametrize("text", ["[[fault:party]]", "[[fault:]]", "[[fault:hang*0]]", "[[fault:hang"])
def test_markers_of_no_fault_are_refused(text: str) -> None:
    """A marker that names no fault is refused with the names that exist, never overlooked."""
    book = FaultBook(Faults(markers=True), lambda _: None)
    with pytest.raises(RequestRefusedError) as refused:
        book.of_prompt("openai", "realtime", Prompt("openai", "m", "", text))
    assert refused.value.status == 400
    assert "lost_response" in refused.value.message


def test_other_routes_draw_per_request(in_app: Any) -> None:
    """On a route without prompts, `times` counts requests in all, and other routes are spared."""
    rules = (
        FaultRule(fault="server_error", routes=("list",), api="openai", times=2),
        FaultRule(fault="disconnect", routes=("poll",), times=1),
    )

    async def steps(client: Any) -> Any:
        found = []
        for path in ("/openai/v1/batches",) * 3 + ("/anthropic/v1/messages/batches", "/openai/v1/models"):
            async with client.get(path, headers=HEADERS) as response:
                found.append(response.status)
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await client.get("/openai/v1/batches/x", headers=HEADERS)
        async with client.get("/openai/v1/batches/x", headers=HEADERS) as response:
            return [*found, response.status]

    assert in_app(steps, How(faults=Faults(rules=rules))) == [500, 500, 200, 200, 200, 404]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rules": [{"fault": "party"}]},
        {"rules": [{"fault": "hang", "routes": ["row"]}]},
        {"rules": [{"fault": "expired", "routes": ["realtime"]}]},
        {"rules": [{"fault": "refusal", "routes": ["poll"]}]},
        {"rules": [{"fault": "hang", "probability": 0.6}, {"fault": "slow", "probability": 0.6}]},
        {"rules": [{"fault": "hang", "times": 0}]},
        {"rules": [{"fault": "hang", "times": "never"}]},
        {"chance": 1},
    ],
)
def test_faults_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    """Unknown faults, places where a fault cannot happen, and shares above one do not pass."""
    with pytest.raises(ValidationError):
        Faults.model_validate(wrong)
