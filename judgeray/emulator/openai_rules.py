"""Which OpenAI models take which parameters; the API refuses the others with 400."""

from __future__ import annotations

import re

from judgeray.core.canonical import JSONValue
from judgeray.emulator.api import Body
from judgeray.emulator.parameters import OPEN_MODELS_CHAT, OPENAI_CHAT
from judgeray.emulator.refusal import RequestRefusedError

_REASONS_UNLESS_TOLD = re.compile(r"gpt-5\.[5-9]|gpt-[6-9]")
_ALWAYS_REASONS = re.compile(r"gpt-5(?!\.)|o\d")
_NEW_CAP_ONLY = re.compile(r"gpt-[5-9]|o\d")


def known_parameters(model: str) -> frozenset[str]:
    """Parameters of chat completions; servers of open models, which are named `ORGANIZATION/MODEL`, know more."""
    return OPENAI_CHAT | OPEN_MODELS_CHAT if "/" in model else OPENAI_CHAT


def check_sampling(body: Body, model: str, effort: JSONValue) -> None:
    """Refuse `temperature` and log-probabilities where a model does not take them.

    Models from gpt-5.5 on take them only with effort `none`; gpt-5 and the o-series take no log-probabilities, and
    a temperature only of 1.
    """
    for name in ("logprobs", "top_logprobs"):
        reasons = _ALWAYS_REASONS.match(model) or (_REASONS_UNLESS_TOLD.match(model) and effort != "none")
        if body.get(name) is not None and reasons:
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            raise RequestRefusedError(400, message, code="unsupported_parameter", param=name)
    temperature = body.get("temperature")
    if temperature is None:
        return
    if _REASONS_UNLESS_TOLD.match(model) and effort != "none":
        message = "Unsupported parameter: 'temperature' is not supported with this model."
        raise RequestRefusedError(400, message, code="unsupported_parameter", param="temperature")
    if _ALWAYS_REASONS.match(model) and temperature != 1:
        message = (
            f"Unsupported value: 'temperature' does not support {temperature} with this model. "
            "Only the default (1) value is supported."
        )
        raise RequestRefusedError(400, message, code="unsupported_value", param="temperature")


def check_cap(body: Body, model: str) -> None:
    """Refuse chat's deprecated `max_tokens` on models that only know `max_completion_tokens`."""
    if body.get("max_tokens") is not None and _NEW_CAP_ONLY.match(model):
        message = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead."
        )
        raise RequestRefusedError(400, message, code="unsupported_parameter", param="max_tokens")
