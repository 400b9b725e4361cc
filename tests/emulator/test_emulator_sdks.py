"""The unmodified SDKs of OpenAI, Anthropic and Google take the emulator for their API."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import anthropic
import openai
import pytest
from anthropic.types import Message
from google import genai
from google.genai import errors as google_errors
from google.genai import types as google
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from judgeray.designs.registry import DESIGNS
from judgeray.emulator.process import EmulatorProcess
from judgeray.rows import Row

DESIGN = DESIGNS["C"]
ROW = Row(
    "asqa", "1", "asqa:1", "partial", "partially_supported", "When did it start?",
    "The bridge was started in 1923, but the arch was not begun until 1928.",
    "When was the bridge started? 1923",
)  # fmt: skip
USER = DESIGN.user(ROW)
# The default clients, and those that the SDKs put on aiohttp.
OPENAI_TRANSPORTS = pytest.mark.parametrize("transport", [None, openai.DefaultAioHttpClient])
ANTHROPIC_TRANSPORTS = pytest.mark.parametrize("transport", [None, anthropic.DefaultAioHttpClient])
pytestmark = [
    pytest.mark.timeout(60),
    # google-genai subclasses aiohttp's session; that is not for us to mend.
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),
]


def _openai_client(emulator: EmulatorProcess, transport: Any = None, key: str = "key") -> openai.AsyncOpenAI:
    client = transport() if transport else None
    return openai.AsyncOpenAI(api_key=key, base_url=emulator.openai_url, max_retries=0, http_client=client)


def _anthropic_client(
    emulator: EmulatorProcess, transport: Any = None, key: str = "key"
) -> anthropic.AsyncAnthropic:
    client = transport() if transport else None
    return anthropic.AsyncAnthropic(api_key=key, base_url=emulator.anthropic_url, max_retries=0, http_client=client)


async def _gemini_generate(emulator: EmulatorProcess, key: str = "key", **config: Any) -> Any:
    options = google.HttpOptions(
        base_url=emulator.gemini_url, timeout=30_000, retry_options=google.HttpRetryOptions(attempts=1)
    )
    client = genai.Client(api_key=key, http_options=options)
    try:
        return await client.aio.models.generate_content(
            model="gemini-3.1-flash-lite-preview",
            contents=USER,
            config=google.GenerateContentConfig(
                system_instruction=DESIGN.system, automatic_continuation=False, **config
            ),
        )
    finally:
        await client.aio.aclose()
        client.close()


@OPENAI_TRANSPORTS
def test_responses_are_valid_to_the_sdk(emulator: EmulatorProcess, transport: Any) -> None:
    """A Response validates against the SDK's model, names a simulated model and carries the rate limits."""

    async def ask() -> Any:
        async with _openai_client(emulator, transport) as client:
            return await client.responses.with_raw_response.create(
                model="gpt-4.1", instructions=DESIGN.system, input=USER, store=False, temperature=0
            )

    raw = asyncio.run(ask())
    response = Response.model_validate(json.loads(raw.text))
    assert (response.status, response.model) == ("completed", "simulated/gpt-4.1")
    assert '"verdict"' in response.output_text
    assert response.usage is not None
    assert response.usage.output_tokens == -(-len(response.output_text) // 4)
    assert response.usage.total_tokens == response.usage.input_tokens + response.usage.output_tokens
    assert raw.headers["x-judgeray-simulated"] == "1"
    assert raw.parse()._request_id.startswith("req_")
    assert int(raw.headers["x-ratelimit-limit-tokens"]) > 0


@OPENAI_TRANSPORTS
def test_chat_completions_are_valid_to_the_sdk(emulator: EmulatorProcess, transport: Any) -> None:
    """A ChatCompletion validates against the SDK's model and says the same as the Response to the prompt."""

    async def ask() -> tuple[Any, str]:
        async with _openai_client(emulator, transport) as client:
            messages: Any = [
                {"role": "developer", "content": DESIGN.system},
                {"role": "user", "content": [{"type": "text", "text": USER}]},
            ]
            raw = await client.chat.completions.with_raw_response.create(model="gpt-4.1", messages=messages)
            same = await client.responses.create(model="gpt-4.1", instructions=DESIGN.system, input=USER)
            return raw, same.output_text

    raw, text = asyncio.run(ask())
    chat = ChatCompletion.model_validate(json.loads(raw.text))
    assert chat.model == "simulated/gpt-4.1"
    assert (chat.choices[0].message.content, chat.choices[0].finish_reason) == (text, "stop")
    assert raw.headers["x-judgeray-simulated"] == "1"


@ANTHROPIC_TRANSPORTS
def test_messages_are_valid_to_the_sdk(emulator: EmulatorProcess, transport: Any) -> None:
    """A Message validates against the SDK's model, names a simulated model and carries the rate limits."""

    async def ask() -> Any:
        async with _anthropic_client(emulator, transport) as client:
            return await client.messages.with_raw_response.create(
                model="claude-opus-4-6",
                max_tokens=1000,
                system=DESIGN.system,
                messages=[{"role": "user", "content": USER}],
            )

    raw = asyncio.run(ask())
    message = Message.model_validate(json.loads(asyncio.run(_text_of(raw))))
    assert (message.model, message.stop_reason) == ("simulated/claude-opus-4-6", "end_turn")
    assert message.content[0].type == "text"
    assert message.usage.output_tokens == -(-len(message.content[0].text) // 4)
    assert (raw.headers["x-judgeray-simulated"], raw.headers["request-id"][:4]) == ("1", "req_")
    assert raw.headers["anthropic-ratelimit-requests-reset"].endswith("Z")


async def _text_of(raw: Any) -> str:
    return str(await raw.text())


def test_generated_content_is_valid_to_the_sdk(emulator: EmulatorProcess) -> None:
    """generateContent answers with text, usage without thoughts, an id and a simulated model version."""
    response = asyncio.run(_gemini_generate(emulator, temperature=0.5, seed=3))
    assert '"verdict"' in response.text
    assert response.model_version == "simulated/gemini-3.1-flash-lite-preview"
    assert response.candidates[0].finish_reason == "STOP"
    usage = response.usage_metadata
    assert usage.total_token_count == usage.prompt_token_count + usage.candidates_token_count
    assert (usage.thoughts_token_count, bool(response.response_id)) == (None, True)
    assert response.sdk_http_response.headers["x-judgeray-simulated"] == "1"


def test_token_counts_agree_with_usage(emulator: EmulatorProcess) -> None:
    """count_tokens and countTokens name the input tokens that a call of the same prompt is billed."""

    async def ask() -> tuple[int, int, Any, Any]:
        async with _anthropic_client(emulator) as client:
            asked: Any = {"model": "claude-opus-4-6", "messages": [{"role": "user", "content": USER}]}
            counted = await client.messages.count_tokens(**asked)
            message = await client.messages.create(max_tokens=99, **asked)
        gemini = genai.Client(api_key="k", http_options=google.HttpOptions(base_url=emulator.gemini_url))
        tokens = await gemini.aio.models.count_tokens(model="gemini-x", contents=USER)
        model = await gemini.aio.models.get(model="gemini-x")
        await gemini.aio.aclose()
        gemini.close()
        return counted.input_tokens, message.usage.input_tokens, tokens.total_tokens, model

    counted, billed, gemini_tokens, model = asyncio.run(ask())
    assert counted == billed == gemini_tokens == -(-len(USER) // 4)
    assert (model.name, model.display_name) == ("models/gemini-x", "simulated/gemini-x")


def test_models_are_listed(emulator: EmulatorProcess) -> None:
    """The models that the behaviour names are listed, and each can be retrieved."""

    async def ask() -> tuple[list[str], str]:
        async with _openai_client(emulator) as client:
            names = [model.id async for model in client.models.list()]
            return names, (await client.models.retrieve("gpt-4.1")).id

    names, found = asyncio.run(ask())
    assert found in names
    assert "default" not in names


def test_caps_cut_the_reply(emulator: EmulatorProcess) -> None:
    """Each API's cap cuts the reply to that many tokens and names its own reason for the end."""

    async def ask() -> tuple[Any, Any, Any]:
        async with _openai_client(emulator) as client:
            response = await client.responses.create(model="gpt-4.1", input=USER, max_output_tokens=16)
            chat = await client.chat.completions.create(
                model="gpt-4.1", messages=[{"role": "user", "content": USER}], max_completion_tokens=16
            )
        async with _anthropic_client(emulator) as other:
            message = await other.messages.create(
                model="claude-opus-4-6", max_tokens=16, messages=[{"role": "user", "content": USER}]
            )
        return response, chat, message

    response, chat, message = asyncio.run(ask())
    gemini = asyncio.run(_gemini_generate(emulator, max_output_tokens=16))
    assert (response.status, response.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    assert chat.choices[0].finish_reason == "length"
    assert message.stop_reason == "max_tokens"
    assert gemini.candidates[0].finish_reason == "MAX_TOKENS"
    texts = (response.output_text, chat.choices[0].message.content, message.content[0].text, gemini.text)
    assert [len(text) for text in texts] == [64] * 4
    assert gemini.usage_metadata.candidates_token_count == message.usage.output_tokens == 16


def test_refused_keys_raise_the_sdks_own_errors(emulator: EmulatorProcess) -> None:
    """A refused key is a 401 for OpenAI and Anthropic, and a 400 with API_KEY_INVALID for Gemini."""

    async def ask_openai() -> None:
        async with _openai_client(emulator, key="invalid") as client:
            await client.responses.create(model="gpt-4.1", input="x")

    async def ask_anthropic() -> None:
        async with _anthropic_client(emulator, key="invalid") as client:
            await client.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "x"}])

    with pytest.raises(openai.AuthenticationError) as openai_error:
        asyncio.run(ask_openai())
    assert openai_error.value.code == "invalid_api_key"
    with pytest.raises(anthropic.AuthenticationError) as anthropic_error:
        asyncio.run(ask_anthropic())
    assert anthropic_error.value.type == "authentication_error"
    with pytest.raises(google_errors.ClientError) as google_error:
        asyncio.run(_gemini_generate(emulator, key="invalid"))
    assert (google_error.value.code, google_error.value.status) == (400, "INVALID_ARGUMENT")
    assert google_error.value.details["error"]["details"][0]["reason"] == "API_KEY_INVALID"


def test_temperature_at_anthropic_depends_on_the_version(emulator: EmulatorProcess) -> None:
    """Version 2026-10-21, which the SDK sends, refuses temperature; 2023-06-01 takes it."""

    async def ask(**more: Any) -> Any:
        async with _anthropic_client(emulator) as client:
            return await client.messages.create(
                model="claude-sonnet-4-6",
                max_tokens=9,
                messages=[{"role": "user", "content": "x"}],
                extra_body={"temperature": 0},
                **more,
            )

    with pytest.raises(anthropic.BadRequestError, match="temperature: Extra inputs are not permitted"):
        asyncio.run(ask())
    assert asyncio.run(ask(extra_headers={"anthropic-version": "2023-06-01"})).type == "message"
