"""OpenAI Chat Completions: `POST /chat/completions`, read into a prompt and written from a completion."""

from __future__ import annotations

import time
from typing import Any

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
from judgeray.emulator.openai_logprobs import asked_of_chat, written_logprobs
from judgeray.emulator.openai_rules import check_cap, check_sampling, known_parameters
from judgeray.emulator.prompt import Completion, Prompt
from judgeray.emulator.refusal import RequestRefusedError


def read_chat(body: Body) -> Prompt:
    """Read a request body; raises RequestRefusedError as the API would."""
    model = required_text(body, "model")
    check_names(body, known_parameters(model))
    check_temperature(body)
    check_sampling(body, model, body.get("reasoning_effort"))
    check_cap(body, model)
    if whole_number(body, "n", 1) not in (None, 1):
        raise RequestRefusedError(400, "This simulated API writes one choice.", param="n")
    cap = whole_number(body, "max_completion_tokens", 1) or whole_number(body, "max_tokens", 1)
    system, user = messages_text(required(body, "messages"), "messages")
    json_only = demands_json(body.get("response_format"))
    seed, logprobs = whole_number(body, "seed"), asked_of_chat(body)
    return Prompt(OPENAI.name, model, system, user, seed, cap, json_only, logprobs)


def write_chat(completion: Completion, _body: Body) -> dict[str, Any]:
    """Write the chat.completion object."""
    message: Any = {"role": "assistant", "content": completion.text, "refusal": None, "annotations": []}
    choice = {
        "index": 0,
        "message": message,
        "logprobs": {"content": written_logprobs(completion), "refusal": None} if completion.logprobs else None,
        "finish_reason": "length" if completion.truncated else "stop",
    }
    return {
        "id": f"chatcmpl-{completion.name}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": completion.served_model,
        "choices": [choice],
        "usage": _usage(completion),
        "service_tier": "default",
        "system_fingerprint": None,
    }


def _usage(completion: Completion) -> object:
    return {
        "prompt_tokens": completion.input_tokens,
        "completion_tokens": completion.output_tokens,
        "total_tokens": completion.input_tokens + completion.output_tokens,
        "prompt_tokens_details": {"cached_tokens": completion.cached_tokens, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }
