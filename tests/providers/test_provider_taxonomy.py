"""The taxonomy covers everything that the SDKs and what lies below them can raise."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any, get_args

import aiohttp
import anthropic
import httpx2
import openai
import openai.types.responses
import pytest
from google.genai import errors as google_errors

from judgeray.providers.account import KINDS
from judgeray.providers.failures import from_exception, from_status
from judgeray.providers.taxonomy import EXCEPTIONS, RULES, STATUSES
from judgeray.providers.transport import LOST


def exceptions_of(module: ModuleType) -> Iterator[type[Exception]]:
    """Every exception class that a module exports."""
    for name in dir(module):
        value = getattr(module, name, None) if not name.startswith("_") else None
        if inspect.isclass(value) and issubclass(value, Exception) and not issubclass(value, Warning):
            yield value


def _name(cls: type) -> str:
    return f"{cls.__module__.split('.')[0]}.{cls.__name__}"


# Anthropic makes a class of its own for each named cause; the name decides, not the class.
CAUSES_OF_ANTHROPIC = {
    "claude_code_key_creator_not_member": "account",
    "claude_code_version_too_old": "account",
    "cmek_context_unavailable": "retry",
    "cmek_key_disabled": "account",
    "cmek_key_network_blocked": "account",
    "cmek_key_unreachable": "retry",
    "contract_spend_limit_reached": "account",
    "enforced_spend_limit_reached": "account",
    "linked_organization_billing_unavailable": "account",
    "linked_organization_spend_limit_reached": "account",
    "organization_on_hold": "account",
    "organization_type_not_supported": "account",
    "parent_organization_required": "account",
    "ramp_limit_exceeded": "busy",
    "request_body_encoding_invalid": "row",
    "request_body_encoding_unsupported": "row",
    "request_body_too_large_after_decoding": "row",
    "sandbox_egress_restricted": "account",
    "workspace_human_review_disabled": "account",
}


def _cause(cls: type) -> str | None:
    """The one name that a class of Anthropic's stands for, if it stands for one."""
    cause = get_args(vars(cls).get("__annotations__", {}).get("error_code"))
    return cause[0] if cause and isinstance(cause[0], str) else None


@pytest.mark.parametrize("module", [openai, anthropic, google_errors])
def test_every_exception_of_every_sdk_is_mapped(module: ModuleType) -> None:
    """A class that an SDK exports has its own line in the table; a new one fails here."""
    found = [cls for cls in exceptions_of(module) if _cause(cls) is None]
    assert len(found) >= 8
    assert [_name(cls) for cls in found if _name(cls) not in EXCEPTIONS] == []


def test_every_named_cause_of_anthropic_is_mapped() -> None:
    """Each cause that the SDK has a class for asks for the reaction that this test lists."""
    found = {cause: cls for cls in exceptions_of(anthropic) if (cause := _cause(cls)) is not None}
    assert set(found) - set(CAUSES_OF_ANTHROPIC) == set()
    for cause, cls in found.items():
        status: int = next(vars(base)["status_code"] for base in cls.__mro__ if "status_code" in vars(base))
        body = {"type": "error", "error": {"type": "x", "message": "m", "details": {"error_code": cause}}}
        error = from_status("anthropic", status, body)
        assert (error.reaction, error.code) == (CAUSES_OF_ANTHROPIC[cause], f"{status}:{cause}")


def test_every_error_code_of_a_failed_response_is_sorted() -> None:
    """No code that OpenAI documents for a failed Response stops an account by accident."""
    codes = get_args(openai.types.responses.ResponseError.model_fields["code"].annotation)
    assert "server_error" in codes
    for code in codes:
        error = from_status("openai", 200, {"error": {"code": code, "message": "m"}})
        assert error.reaction in (("busy",) if code == "rate_limit_exceeded" else ("retry", "row")), code


TRANSPORT = [aiohttp, httpx2]
NOT_MET = {"EofStream", "UploadAbortedError", "WebSocketError", "WSMessageTypeError", "WSServerHandshakeError"}


@pytest.mark.parametrize("module", TRANSPORT)
def test_every_exception_of_the_transport_is_mapped(module: ModuleType) -> None:
    """What aiohttp and httpx2 raise is caught and asks for a retry, or for a person where an address is wrong."""
    for cls in exceptions_of(module):
        mapped = [EXCEPTIONS[_name(base)] for base in cls.__mro__ if _name(base) in EXCEPTIONS]
        if cls.__name__ in NOT_MET or cls.__name__.startswith("BadContentDisposition"):
            continue
        assert mapped, cls
        assert issubclass(cls, LOST) == (mapped[0] != "surface"), cls


@pytest.mark.parametrize(
    "error", [TimeoutError(), OSError(24, "Too many open files"), json.JSONDecodeError("m", "", 0)]
)
def test_what_passes_is_tried_again(error: Exception) -> None:
    """Timeouts, lost connections and broken JSON ask for a retry under a stable code."""
    assert isinstance(error, LOST)
    found = from_exception("google", error)
    assert getattr(found, "reaction", None) == "retry"
    assert getattr(found, "code", None) == f"transport:{type(error).__name__}"


_REQUEST = httpx2.Request("POST", "http://127.0.0.1")


@pytest.mark.parametrize("sdk", [openai, anthropic])
@pytest.mark.parametrize("cause", [RuntimeError("Event loop is closed"), TypeError("no"), NotImplementedError()])
def test_a_mistake_of_the_program_surfaces(sdk: Any, cause: Exception) -> None:
    """An event loop that was closed under a client is not hidden behind retries, even where an SDK wraps it."""
    error = sdk.APIConnectionError(request=_REQUEST)
    error.__cause__ = cause
    found = from_exception(sdk.__name__, error)
    assert type(found) is RuntimeError
    assert str(cause) in str(found)


@pytest.mark.parametrize("sdk", [openai, anthropic])
def test_a_wrapped_cause_is_named(sdk: Any) -> None:
    """Where an SDK says only 'Connection error.', the words come from what it wraps."""
    error = sdk.APIConnectionError(request=_REQUEST)
    error.__cause__ = httpx2.ConnectError("Cannot connect to host example:1")
    found: Any = from_exception(sdk.__name__, error)
    assert (found.reaction, found.code) == ("retry", "transport:ConnectError")
    assert found.message == f"{sdk.__name__}: ConnectError: Cannot connect to host example:1"


@pytest.mark.parametrize(
    "cause", [httpx2.UnsupportedProtocol("no http"), httpx2.InvalidURL("bad"), aiohttp.InvalidURL("x")]
)
def test_an_impossible_address_stops_the_account(cause: Exception) -> None:
    """No row can be answered where the URL is none."""
    found: Any = from_exception("openai", cause)
    assert (found.reaction, "base_url" in found.message) == ("account", True)


def test_the_table_names_only_what_exists() -> None:
    """No line of the table has outlived its class."""
    modules = [openai, anthropic, google_errors, httpx2, aiohttp]
    known = {_name(cls) for module in modules for cls in exceptions_of(module)}
    builtin = {name for name in EXCEPTIONS if name.split(".")[0] in ("builtins", "json")}
    private = {"openai.SubjectTokenProviderError", "google.EphemeralTokenAPIKeyError"}
    assert set(EXCEPTIONS) - known - builtin - private == set()


def test_rules_and_statuses_are_well_formed() -> None:
    """Each rule can apply, and no name asks for two reactions within one API."""
    assert set(RULES) == set(KINDS)
    for rules in RULES.values():
        names = [name for rule in rules for name in rule.names]
        assert len(names) == len(set(names))
        assert all(bool(rule.names) != bool(rule.opening) for rule in rules)
        assert all(not rule.blames_row or rule.reaction == "row" for rule in rules)
    assert all(hint or reaction != "account" for reaction, hint in STATUSES.values())
