"""Gemini's manners (Developer API): keys, headers, error bodies and versions."""

from __future__ import annotations

from judgeray.core.canonical import JSONValue
from judgeray.emulator.api import REFUSED_KEY_PREFIX, Api, Headers
from judgeray.emulator.refusal import RequestRefusedError

VERSIONS = "v1|v1beta|v1alpha"
SERVICE = "generativelanguage.googleapis.com"

_KINDS = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_KEY_INVALID: JSONValue = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    "reason": "API_KEY_INVALID",
    "domain": "googleapis.com",
    "metadata": {"service": SERVICE},
}


def _authenticate(headers: Headers) -> None:
    key = headers.get("x-goog-api-key")
    if not key:
        raise RequestRefusedError(
            403, "Method doesn't allow unregistered callers. Please use an API key to call this API."
        )
    if key.startswith(REFUSED_KEY_PREFIX):
        message = "API key not valid. Please pass a valid API key."
        raise RequestRefusedError(400, message, details=[_KEY_INVALID])


def _error_body(refusal: RequestRefusedError, _request_id: str) -> object:
    kind = refusal.kind or _KINDS.get(refusal.status, "INVALID_ARGUMENT")
    error: dict[str, object] = {"code": refusal.status, "message": refusal.message, "status": kind}
    if refusal.details:
        error["details"] = refusal.details
    return {"error": error}


def _headers(_request_id: str) -> Headers:
    """The API sends neither a request id nor rate limits."""
    return {"server-timing": "gfet4t7; dur=1"}


GEMINI = Api("gemini", _authenticate, _error_body, _headers)
