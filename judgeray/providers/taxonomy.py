"""The one table that says what each failure of each API means.

Sources: OpenAI error codes guide, Anthropic errors page, google.rpc.Code, and the SDKs' exception modules.
"""

from __future__ import annotations

from collections.abc import Mapping

from judgeray.providers.account import Kind
from judgeray.providers.errors import ProviderError, Reaction
from judgeray.providers.retry_after import retry_after_seconds

RETRY_STATUSES = frozenset({408, 409, 425, 499})
ROW_STATUSES = frozenset({413, 414, 422})
ACCOUNT_STATUSES = frozenset({401, 402, 403, 404, 405})

ACCOUNT_WORDS = (
    "insufficient_quota",
    "billing",
    "credit balance is too low",
    "spend_limit",
    "organization_on_hold",
    "api_key_invalid",
    "api key not valid",
    "failed_precondition",
    "perday",
    "unsupported_parameter",
    "unsupported_value",
)
"""Words in an error's code, type, message or quota id after which no call of the account can succeed."""

HINTS: tuple[tuple[str, str], ...] = (
    ("insufficient_quota", "the account has no credit left; top it up and run the same command again"),
    ("credit balance", "the account has no credit left; top it up and run the same command again"),
    ("perday", "the daily quota is used up; run the same command again after it resets"),
    ("unsupported_", "the model refuses a parameter; change or remove it under judges: in the manifest"),
    ("temperature", "the model refuses a parameter; change or remove it under judges: in the manifest"),
)
STATUS_HINTS = {
    400: "the request is refused as a whole; check the judge's parameters in the manifest",
    401: "check the API key: the environment variable or file that the manifest names on this node",
    403: "the key may not use this model or project",
    404: "check the model's name in the manifest, and base_url if one is set",
}


def from_status(api: Kind, status: int, body: object, headers: Mapping[str, str], words: str) -> ProviderError:
    """Turn an HTTP error (status, parsed body, headers, the SDK's message) into a reaction."""
    reaction = _reaction(status, f"{words} {body}".lower())
    message = f"{api} answered {status}: {words}"
    if reaction == "account":
        message += _hint(status, message.lower())
    return ProviderError(reaction, message, retry_after_seconds(headers, body))


def _reaction(status: int, text: str) -> Reaction:
    if status in ACCOUNT_STATUSES or (status < 500 and any(word in text for word in ACCOUNT_WORDS)):
        return "account"
    if status in (429, 529):
        return "busy"
    if status in RETRY_STATUSES or status >= 500:
        return "retry"
    return "row"


def _hint(status: int, text: str) -> str:
    for word, hint in HINTS:
        if word in text:
            return f" ({hint})"
    return f" ({STATUS_HINTS[status]})" if status in STATUS_HINTS else ""


def from_transport(api: Kind, error: Exception) -> ProviderError:
    """Turn a lost connection, a timeout or a broken body into a retry; the reply may have been paid for."""
    return ProviderError("retry", f"{api}: {type(error).__name__}: {error}")
