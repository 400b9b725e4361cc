"""The error bodies of all APIs, read into one shape: the names that an API gives a cause, and its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

PER_DAY = "quota per day"
"""Name added where a Gemini quota id is one that only a new day or month refills."""

_NAME = re.compile(r"[A-Za-z0-9_.\-\[\]]{1,80}")
_LONG_QUOTA = re.compile(r"Per(Day|Month)")
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fault:
    """An error that an API reported.

    `status` is the HTTP status, 200 where the error came inside a response that claims success. `names` are the
    machine-readable names of the cause, most telling first. `from_api` is false where the body is not of an API's
    making: a web page, a gateway's own JSON, nothing. `claimed_status` is the HTTP status that the body states, as
    gateways do when they report another server's failure; `status` where it states none.
    """

    status: int
    names: tuple[str, ...]
    param: str | None
    message: str
    from_api: bool
    claimed_status: int

    @property
    def code(self) -> str:
        """One stable string for the cause: status, most telling name, parameter."""
        return ":".join([str(self.status), *self.names[:1], *([self.param] if self.param else [])])


def read_fault(status: int, body: object) -> Fault:
    """Read an error body: parsed JSON (whole, or what stands under `error`), text, or None.

    Shapes: OpenAI error codes guide; Anthropic errors page; google.rpc.Status with ErrorInfo and QuotaFailure;
    OAuth (RFC 6749, section 5.2); vLLM's flat object; FastAPI's `detail`.
    """
    if isinstance(body, list) and body:
        body = body[0]
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        name = tuple(_names([error]))
        described = body.get("error_description") if isinstance(body, dict) else None
        return Fault(status, name, None, _text(described) or _text(error), bool(name), status)
    code = error.get("code")
    return Fault(
        status=status,
        names=tuple(_names(_candidates(error))),
        param=next(_names([error.get("param")]), None),
        message=_text(error.get("message")) or _text(error.get("detail")) or _text(error),
        from_api=isinstance(error.get("message"), str) and ("type" in error or "code" in error),
        claimed_status=code if isinstance(code, int) and 400 <= code < 600 else status,
    )


def _candidates(error: dict[str, Any]) -> Iterator[object]:
    """Everything in an error object that may name its cause, most telling first."""
    details = error.get("details")
    if isinstance(details, dict):
        yield details.get("error_code")
    parts = [part for part in details if isinstance(part, dict)] if isinstance(details, list) else []
    for part in parts:
        yield part.get("reason")
    yield error.get("code")
    inner = error.get("innererror")
    if isinstance(inner, dict):
        yield inner.get("code")
    yield error.get("type")
    yield error.get("status")
    quotas = [quota for part in parts for quota in _quota_ids(part)]
    if any(_LONG_QUOTA.search(quota) for quota in quotas):
        yield PER_DAY


def _quota_ids(part: dict[str, Any]) -> list[str]:
    """Quota ids in a QuotaFailure or in the metadata of an ErrorInfo."""
    violations = part.get("violations")
    items = violations if isinstance(violations, list) else []
    found = [item.get("quotaId") for item in items if isinstance(item, dict)]
    metadata = part.get("metadata")
    if isinstance(metadata, dict):
        found.append(metadata.get("quota_limit"))
    return [quota for quota in found if isinstance(quota, str)]


def _names(candidates: Iterable[object]) -> Iterator[str]:
    for candidate in candidates:
        if candidate == PER_DAY or (isinstance(candidate, str) and _NAME.fullmatch(candidate)):
            yield str(candidate)


def _text(value: object) -> str:
    """Words to show; of a web page, its title."""
    if value is None or value == "":
        return ""
    text = value if isinstance(value, str) else str(value)
    title = _TITLE.search(text[:10_000]) if text.lstrip().startswith("<") else None
    return title[1].strip() if title else text
