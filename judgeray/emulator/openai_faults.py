"""OpenAI's injected errors: the refusals of status faults, in the API's words."""

from __future__ import annotations

from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.openai_limits import duration, rate_limited
from judgeray.emulator.refusal import BAD_GATEWAY_PAGE, RequestRefusedError

_OVERLOADED = "The server is currently overloaded with other requests. Sorry about that! Please retry."


def openai_fault(fault: FaultName, model: str, retry_after_seconds: float) -> RequestRefusedError:
    """The refusal for a status fault other than an unknown model."""
    if fault == "rate_limited":
        message = f"Rate limit reached for {model}. Please try again in {duration(retry_after_seconds)}."
        return rate_limited(message, "requests", retry_after_seconds)
    if fault == "rate_limited_silently":
        return rate_limited(f"Rate limit reached for {model}.", "requests", None)
    return _REFUSALS[fault]()


_REFUSALS = {
    "quota_exhausted": lambda: RequestRefusedError(
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        kind="insufficient_quota",
        code="insufficient_quota",
    ),
    "bad_request": lambda: RequestRefusedError(400, "We could not process your request."),
    "unauthorized": lambda: RequestRefusedError(401, "Incorrect API key provided.", code="invalid_api_key"),
    "forbidden": lambda: RequestRefusedError(
        403, "You have insufficient permissions for this operation.", code="insufficient_permissions"
    ),
    "context_length": lambda: RequestRefusedError(
        400,
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        code="context_length_exceeded",
        param="input",
    ),
    "server_error": lambda: RequestRefusedError(
        500, "The server had an error while processing your request. Sorry about that!", code="server_error"
    ),
    "bad_gateway": lambda: RequestRefusedError(502, "Bad gateway.", page=BAD_GATEWAY_PAGE),
    "unavailable": lambda: RequestRefusedError(503, _OVERLOADED, code="server_is_overloaded"),
    "gateway_timeout": lambda: RequestRefusedError(504, "The request timed out."),
    "overloaded": lambda: RequestRefusedError(529, _OVERLOADED),
}
