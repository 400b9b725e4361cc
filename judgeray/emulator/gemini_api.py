"""Gemini's manners (Developer API): keys, headers, error bodies and versions."""

from __future__ import annotations

from judgeray.core.canonical import JSONValue
from judgeray.emulator.api import REFUSED_KEY_PREFIX, Api, Headers
from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.gemini_faults import gemini_fault
from judgeray.emulator.refusal import RequestRefusedError

VERSIONS = "v1|v1beta|v1alpha"
SERVICE = "generativelanguage.googleapis.com"

_KINDS = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ALREADY_EXISTS",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_KEY_INVALID: JSONValue = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    "reason": "API_KEY_INVALID",
    "domain": "googleapis.com",
    "metadata": {"service": SERVICE},
}


def _key(headers: Headers) -> str:
    return headers.get("x-goog-api-key", "")


def _authenticate(headers: Headers) -> None:
    key = _key(headers)
    if not key:
        raise RequestRefusedError(
            403, "Method doesn't allow unregistered callers. Please use an API key to call this API."
        )
    if key.startswith(REFUSED_KEY_PREFIX):
        raise _key_refused()


def _key_refused() -> RequestRefusedError:
    message = "API key not valid. Please pass a valid API key."
    return RequestRefusedError(400, message, details=[_KEY_INVALID])


def _error_body(refusal: RequestRefusedError, _request_id: str) -> object:
    error: dict[str, object] = {
        "code": refusal.status,
        "message": refusal.message,
        "status": kind_of(refusal),
    }
    if refusal.details:
        error["details"] = refusal.details
    return {"error": error}


def kind_of(refusal: RequestRefusedError) -> str:
    """The name of google.rpc.Code under which a refusal goes."""
    usual = "INTERNAL" if refusal.status >= 500 else "INVALID_ARGUMENT"
    return refusal.kind or _KINDS.get(refusal.status, usual)


def _headers(_request_id: str) -> Headers:
    """The API sends neither a request id nor rate limits."""
    return {"server-timing": "gfet4t7; dur=1"}


def _fault(fault: FaultName, model: str, retry_after_seconds: float) -> RequestRefusedError:
    return _key_refused() if fault == "unauthorized" else gemini_fault(fault, model, retry_after_seconds)


GEMINI = Api("gemini", _key, _authenticate, _error_body, _headers, _fault)
