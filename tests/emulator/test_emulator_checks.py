"""What the real APIs refuse, the emulator refuses, each in its own words."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest
from anthropic.types import message_count_tokens_params, message_create_params
from openai.types.chat import completion_create_params
from openai.types.responses import response_create_params

from judgeray.emulator import parameters
from judgeray.emulator.behaviour import Behaviour

OPENAI_KEY = {"Authorization": "Bearer key"}
ANTHROPIC_KEY = {"x-api-key": "key", "anthropic-version": "2026-10-21"}
GEMINI_KEY = {"x-goog-api-key": "key"}
RESPONSES, CHAT = "/openai/v1/responses", "/openai/v1/chat/completions"
MESSAGES = "/anthropic/v1/messages"
GENERATE = "/gemini/v1/models/gemini-x:generateContent"
USER = [{"role": "user", "content": "x"}]
CONTENTS = [{"role": "user", "parts": [{"text": "x"}]}]
pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize(
    ("path", "body", "param", "code"),
    [
        (RESPONSES, {"input": "x"}, "model", "missing_required_parameter"),
        (RESPONSES, {"model": "m"}, "input", "missing_required_parameter"),
        (RESPONSES, {"model": "m", "input": "x", "max_tokens": 9}, "max_tokens", "unknown_parameter"),
        (RESPONSES, {"model": "m", "input": "x", "max_output_tokens": 15}, "max_output_tokens",
         "integer_below_min_value"),
        (RESPONSES, {"model": "m", "input": 5}, "input", "invalid_type"),
        (RESPONSES, {"model": "m", "input": "x", "temperature": "0"}, "temperature", "invalid_type"),
        (RESPONSES, {"model": "gpt-5.5", "input": "x", "temperature": 0}, "temperature",
         "unsupported_parameter"),
        (RESPONSES, {"model": "gpt-5-mini", "input": "x", "temperature": 0}, "temperature",
         "unsupported_value"),
        (CHAT, {"model": "m", "messages": USER, "temperature": 2.5}, "temperature", "decimal_above_max_value"),
        (CHAT, {"model": "m", "messages": []}, "messages", "invalid_type"),
        (CHAT, {"model": "gpt-5.4", "messages": USER, "max_tokens": 9}, "max_tokens", "unsupported_parameter"),
        (CHAT, {"model": "m", "messages": USER, "stream": True}, "stream", None),
    ],
)  # fmt: skip
def test_openai_refuses(exchange: Any, path: str, body: dict[str, Any], param: str, code: str | None) -> None:
    """A wrong OpenAI request is a 400 that names the parameter and the code."""
    answer = exchange("POST", path, body, OPENAI_KEY)
    error = answer.body["error"]
    assert (answer.status, error["param"], error["code"]) == (400, param, code)
    assert error["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    "body",
    [
        {"model": "gpt-5.5", "input": "x", "temperature": 0, "reasoning": {"effort": "none"}},
        {"model": "gpt-5.4-mini", "input": "x", "temperature": 0},
        {"model": "gpt-5", "input": "x", "temperature": 1},
    ],
)
def test_openai_takes_temperature_where_the_model_does(exchange: Any, body: dict[str, Any]) -> None:
    """Temperature passes with effort none, on models that take it, and at 1."""
    assert exchange("POST", RESPONSES, body, OPENAI_KEY).status == 200


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_tokens": None}, "max_tokens: Input should be a valid integer"),
        ({"max_tokens": 0}, "max_tokens: Input should be greater than or equal to 1"),
        ({"response_format": {}}, "response_format: Extra inputs are not permitted"),
        ({"top_p": 1.0}, "top_p: Extra inputs are not permitted"),
        ({"top_k": 1}, "top_k: Extra inputs are not permitted"),
        ({"messages": []}, "messages: at least one message is required"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages.0.role"),
    ],
)
def test_anthropic_refuses(exchange: Any, change: dict[str, Any], message: str) -> None:
    """A wrong Anthropic request is a 400 invalid_request_error that names the field."""
    body = {"model": "m", "max_tokens": 9, "messages": USER, **change}
    answer = exchange("POST", MESSAGES, body, ANTHROPIC_KEY)
    assert answer.status == 400
    assert answer.body["error"]["type"] == "invalid_request_error"
    assert message in answer.body["error"]["message"]
    assert answer.body["request_id"] == answer.headers["request-id"]


def test_anthropic_demands_max_tokens(exchange: Any) -> None:
    """A message without max_tokens is refused; counting tokens needs none."""
    body = {"model": "m", "messages": USER}
    assert exchange("POST", MESSAGES, body, ANTHROPIC_KEY).body["error"]["message"] == "max_tokens: Field required"
    assert exchange("POST", f"{MESSAGES}/count_tokens", body, ANTHROPIC_KEY).body == {"input_tokens": 1}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "contents is not specified"),
        ({"contents": CONTENTS, "temperature": 0}, 'Unknown name "temperature": Cannot find field.'),
        ({"contents": CONTENTS, "generationConfig": {"max_tokens": 1}}, "at 'generation_config'"),
        ({"contents": CONTENTS, "generationConfig": {"maxOutputTokens": 0}}, "max_output_tokens"),
        ({"contents": CONTENTS, "generationConfig": {"temperature": 3}}, "temperature"),
        ({"contents": [{"parts": []}]}, "must not be empty"),
    ],
)
def test_gemini_refuses(exchange: Any, body: dict[str, Any], message: str) -> None:
    """A wrong Gemini request is a 400 INVALID_ARGUMENT that says where."""
    answer = exchange("POST", GENERATE, body, GEMINI_KEY)
    error = answer.body["error"]
    assert (answer.status, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
    assert message in error["message"]


def test_gemini_takes_snake_case(exchange: Any) -> None:
    """Names in snake_case are read like those in camelCase."""
    body = {"contents": CONTENTS, "generation_config": {"max_output_tokens": 2}}
    answer = exchange("POST", GENERATE, body, GEMINI_KEY)
    assert answer.body["candidates"][0]["finishReason"] == "MAX_TOKENS"


@pytest.mark.parametrize(
    ("path", "headers", "status", "word"),
    [
        (RESPONSES, {}, 401, "invalid_request_error"),
        (RESPONSES, {"Authorization": "Basic key"}, 401, "invalid_request_error"),
        (MESSAGES, {"anthropic-version": "2026-10-21"}, 401, "authentication_error"),
        (MESSAGES, {"x-api-key": "key"}, 400, "anthropic-version: header is required"),
        (MESSAGES, {"x-api-key": "key", "anthropic-version": "latest"}, 400, "is not a known version"),
        (GENERATE, {}, 403, "PERMISSION_DENIED"),
    ],
)
def test_requests_without_credentials_are_refused(
    exchange: Any, path: str, headers: dict[str, str], status: int, word: str
) -> None:
    """A missing key or version is refused in each API's shape, and the answer is marked as simulated."""
    answer = exchange("POST", path, {}, headers)
    assert (answer.status, answer.headers["x-judgeray-simulated"]) == (status, "1")
    assert word in str(answer.body["error"])


def test_unknown_models_are_refused_where_models_are_named(exchange: Any) -> None:
    """With `known_models`, any other model is a 404 in each API's words; without, any name is served."""
    behaviour = Behaviour(known_models=("gpt-4.1",))
    openai = exchange("POST", RESPONSES, {"model": "gpt-9", "input": "x"}, OPENAI_KEY, behaviour)
    assert (openai.status, openai.body["error"]["code"]) == (404, "model_not_found")
    body = {"model": "claude-9", "max_tokens": 9, "messages": USER}
    anthropic = exchange("POST", MESSAGES, body, ANTHROPIC_KEY, behaviour)
    assert (anthropic.status, anthropic.body["error"]["type"]) == (404, "not_found_error")
    gemini = exchange("POST", GENERATE, {"contents": CONTENTS}, GEMINI_KEY, behaviour)
    assert (gemini.status, gemini.body["error"]["status"]) == (404, "NOT_FOUND")
    assert exchange("POST", RESPONSES, {"model": "gpt-4.1", "input": "x"}, OPENAI_KEY, behaviour).status == 200
    assert exchange("POST", RESPONSES, {"model": "gpt-9", "input": "x"}, OPENAI_KEY).status == 200


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"model": "\xff"}', b"[" * 100_000])
def test_bodies_that_are_no_json_object_are_refused(exchange: Any, body: bytes) -> None:
    """Anything but a JSON object is a 400 with an error body, never a crash."""
    answer = exchange("POST", RESPONSES, body, OPENAI_KEY)
    assert (answer.status, answer.body["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", RESPONSES, OPENAI_KEY),
        ("POST", "/openai/v1/nothing", OPENAI_KEY),
        ("DELETE", MESSAGES, ANTHROPIC_KEY),
        ("POST", "/gemini/v9/models/x:generateContent", GEMINI_KEY),
        ("GET", "/", {}),
    ],
)
def test_paths_that_do_not_exist_are_404(exchange: Any, method: str, path: str, headers: dict[str, str]) -> None:
    """An unknown path or method is a 404, marked as simulated."""
    answer = exchange(method, path, {}, headers)
    assert (answer.status, answer.headers["x-judgeray-simulated"]) == (404, "1")


@pytest.mark.parametrize(
    ("params", "known"),
    [
        (response_create_params.ResponseCreateParamsNonStreaming, parameters.OPENAI_RESPONSES),
        (completion_create_params.CompletionCreateParamsNonStreaming, parameters.OPENAI_CHAT),
        (message_create_params.MessageCreateParamsNonStreaming, parameters.ANTHROPIC_MESSAGES),
        (message_count_tokens_params.MessageCountTokensParams, parameters.ANTHROPIC_COUNT),
    ],
)
def test_every_parameter_of_the_sdks_is_known(params: type, known: frozenset[str]) -> None:
    """No parameter that an installed SDK can send is refused as unknown."""
    assert set(get_type_hints(params)) <= known
