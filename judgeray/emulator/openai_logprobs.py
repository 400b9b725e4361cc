"""Log-probabilities as OpenAI's two text APIs ask for them and write them."""

from __future__ import annotations

from judgeray.emulator.api import Body
from judgeray.emulator.openai_api import whole_number
from judgeray.emulator.prompt import Completion
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.token_logprobs import MOST_TOP

INCLUDED = "message.output_text.logprobs"


def asked_of_responses(body: Body) -> int | None:
    """How many alternatives a Responses request asks for; None where it does not include log-probabilities."""
    top, include = _top(body), body.get("include")
    return (top or 0) if isinstance(include, list) and INCLUDED in include else None


def asked_of_chat(body: Body) -> int | None:
    """How many alternatives a chat request asks for; None where it does not set `logprobs`."""
    top = _top(body)
    if body.get("logprobs") is True:
        return top or 0
    if top is not None:
        message = "The 'logprobs' parameter must be set to true when 'top_logprobs' is used."
        raise RequestRefusedError(400, message, code="invalid_value", param="top_logprobs")
    return None


def written_logprobs(completion: Completion) -> list[object]:
    """The tokens of a reply with their alternatives."""
    return [
        {
            **_token(found.token, found.logprob),
            "top_logprobs": [_token(name, number) for name, number in found.top],
        }
        for found in completion.logprobs
    ]


def _token(token: str, logprob: float) -> dict[str, object]:
    return {"token": token, "bytes": list(token.encode("utf-8", "surrogatepass")), "logprob": logprob}


def _top(body: Body) -> int | None:
    top = whole_number(body, "top_logprobs", 0)
    if top is not None and top > MOST_TOP:
        message = f"Invalid 'top_logprobs': integer above maximum value. Expected a value <= 20, but got {top}."
        raise RequestRefusedError(400, message, code="integer_above_max_value", param="top_logprobs")
    return top
