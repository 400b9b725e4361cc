"""OpenAI Responses: `POST /responses`, read into a prompt and written from a completion."""

from __future__ import annotations

import time
from typing import Any

from judgeray.core.canonical import JSONValue
from judgeray.emulator.api import Body
from judgeray.emulator.openai_api import (
    OPENAI,
    check_names,
    check_temperature,
    demands_json,
    messages_text,
    required,
    required_text,
    whole_number,
)
from judgeray.emulator.openai_logprobs import asked_of_responses, written_logprobs
from judgeray.emulator.openai_rules import check_sampling
from judgeray.emulator.parameters import OPENAI_RESPONSES
from judgeray.emulator.prompt import Completion, Prompt

LEAST_OUTPUT_TOKENS = 16


def read_response(body: Body) -> Prompt:
    """Read a request body; raises RequestRefusedError as the API would."""
    check_names(body, OPENAI_RESPONSES)
    model = required_text(body, "model")
    check_temperature(body)
    check_sampling(body, model, _field(body, "reasoning", "effort"))
    cap = whole_number(body, "max_output_tokens", LEAST_OUTPUT_TOKENS)
    asked = required(body, "input")
    system, user = ("", asked) if isinstance(asked, str) else messages_text(asked, "input")
    instructions = body.get("instructions")
    if isinstance(instructions, str):
        system = f"{instructions}\n\n{system}" if system else instructions
    form = _field(body, "text", "format")
    logprobs = asked_of_responses(body)
    json_only = demands_json(form)
    return Prompt(OPENAI.name, model, system, user, output_cap=cap, json_only=json_only, top_logprobs=logprobs)


def write_response(completion: Completion, body: Body) -> dict[str, Any]:
    """Write the Response object; settings of the request are echoed as the API does."""
    now = time.time()
    status = "incomplete" if completion.truncated else "completed"
    reason = {"reason": "max_output_tokens"} if completion.truncated else None
    return {
        "id": f"resp_{completion.name}",
        "object": "response",
        "created_at": int(now),
        "status": status,
        "background": False,
        "completed_at": None if completion.truncated else int(now),
        "error": None,
        "incomplete_details": reason,
        "instructions": body.get("instructions"),
        "max_output_tokens": body.get("max_output_tokens"),
        "model": completion.served_model,
        "output": [_message(completion, status)],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": _field(body, "reasoning", "effort"), "summary": None},
        "service_tier": "default",
        "store": body.get("store", True),
        "temperature": body.get("temperature", 1.0),
        "text": body.get("text") or {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": body.get("top_p", 1.0),
        "truncation": "disabled",
        "usage": _usage(completion),
        "metadata": body.get("metadata") or {},
    }


def _message(completion: Completion, status: str) -> object:
    logprobs = written_logprobs(completion)
    text = {"type": "output_text", "annotations": [], "logprobs": logprobs, "text": completion.text}
    return {
        "id": f"msg_{completion.name}",
        "type": "message",
        "status": status,
        "role": "assistant",
        "content": [text],
    }


def _usage(completion: Completion) -> object:
    return {
        "input_tokens": completion.input_tokens,
        "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": completion.cached_tokens},
        "output_tokens": completion.output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": completion.input_tokens + completion.output_tokens,
    }


def _field(body: Body, name: str, inner: str) -> JSONValue:
    value = body.get(name)
    return value.get(inner) if isinstance(value, dict) else None
