"""Anthropic's manners: keys, versions, headers and error bodies."""

from __future__ import annotations

import time
from functools import lru_cache

from judgeray.emulator.anthropic_faults import anthropic_fault
from judgeray.emulator.api import REFUSED_KEY_PREFIX, Api, Headers, bearer_key
from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.refusal import RequestRefusedError

VERSION_HEADER = "anthropic-version"
VERSIONS = ("2023-01-01", "2023-06-01", "2026-10-21")
FIRST_VERSION_WITHOUT_SAMPLING = "2026-10-21"

_KINDS = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_INVALID = "invalid_request_error"
# No limit is set, so the headers announce one that no client reaches.
_UNREACHED = {"requests": 6_000_000, "tokens": 10**10, "input-tokens": 10**10, "output-tokens": 10**10}


def _key(headers: Headers) -> str:
    return headers.get("x-api-key") or bearer_key(headers)


def _authenticate(headers: Headers) -> None:
    key = _key(headers)
    if not key:
        raise RequestRefusedError(401, "x-api-key header is required")
    if key.startswith(REFUSED_KEY_PREFIX):
        raise RequestRefusedError(401, "invalid x-api-key")
    version = headers.get(VERSION_HEADER)
    if version is None:
        raise RequestRefusedError(400, f"{VERSION_HEADER}: header is required")
    if version not in VERSIONS:
        raise RequestRefusedError(400, f"{VERSION_HEADER}: {version!r} is not a known version")


def _error_body(refusal: RequestRefusedError, request_id: str) -> object:
    kind = refusal.kind or _KINDS.get(refusal.status, "api_error" if refusal.status >= 500 else _INVALID)
    error: dict[str, object] = {"type": kind, "message": refusal.message}
    if refusal.details:
        error["details"] = refusal.details[0]
    return {"type": "error", "error": error, "request_id": f"req_{request_id}"}


def _headers(request_id: str) -> Headers:
    return {"request-id": f"req_{request_id}", **_rate_headers(int(time.time()))}


@lru_cache(maxsize=2)
def _rate_headers(second: int) -> Headers:
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))
    headers = {}
    for name, limit in _UNREACHED.items():
        headers[f"anthropic-ratelimit-{name}-limit"] = str(limit)
        headers[f"anthropic-ratelimit-{name}-remaining"] = str(limit - 1)
        headers[f"anthropic-ratelimit-{name}-reset"] = now
    return headers


def _fault(fault: FaultName, model: str, retry_after_seconds: float) -> RequestRefusedError:
    return unknown_model(model) if fault == "not_found" else anthropic_fault(fault, retry_after_seconds)


ANTHROPIC = Api("anthropic", _key, _authenticate, _error_body, _headers, _fault)


def unknown_model(model: str) -> RequestRefusedError:
    """The refusal of a model that does not exist here."""
    return RequestRefusedError(404, f"model: {model}")
