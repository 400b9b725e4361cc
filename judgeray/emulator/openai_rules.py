"""Which OpenAI models take which parameters; the API refuses the others with 400."""

from __future__ import annotations

import re

from judgeray.core.canonical import JSONValue
from judgeray.emulator.api import Body
from judgeray.emulator.refusal import RequestRefusedError

_REASONS_UNLESS_TOLD = re.compile(r"gpt-5\.[5-9]|gpt-[6-9]")
_ALWAYS_REASONS = re.compile(r"gpt-5(?!\.)|o\d")
_NEW_CAP_ONLY = re.compile(r"gpt-[5-9]|o\d")


def check_sampling(body: Body, model: str, effort: JSONValue) -> None:
    """Refuse `temperature` where a model does not take it.

    Models from gpt-5.5 on take it only with effort `none`; gpt-5 and the o-series only at 1.
    """
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
