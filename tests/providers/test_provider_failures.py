"""What each error body asks for: by the names that the API gives, hardly ever by its words."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.providers.account import Kind
from judgeray.providers.errors import ProviderError, Reaction
from judgeray.providers.failures import from_status


def _openai(
    code: str | None, message: str = "words", kind: str | None = "invalid_request_error", **more: Any
) -> Any:
    return {"message": message, "type": kind, "param": None, "code": code, **more}


def _anthropic(kind: str, message: str = "words", cause: str | None = None) -> Any:
    details = {"details": {"error_code": cause}} if cause else {}
    return {"type": "error", "error": {"type": kind, "message": message, **details}, "request_id": "req_1"}


def _google(status: str, message: str = "words", *details: dict[str, Any]) -> Any:
    return {"error": {"code": 0, "message": message, "status": status, "details": list(details)}}


def _quota(*ids: str) -> dict[str, Any]:
    return {"@type": "google.rpc.QuotaFailure", "violations": [{"quotaId": quota} for quota in ids]}


MINUTE, DAY = "GenerateRequestsPerMinutePerProjectPerModel", "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
QUOTA_WORDS = "You exceeded your current quota, please check your plan and billing details."

CASES: list[tuple[Kind, int, Any, Reaction, str]] = [
    ("openai", 429, _openai("rate_limit_exceeded", kind="tokens"), "busy", "429:rate_limit_exceeded"),
    ("openai", 429, _openai("slow_down", kind="rate_limit_error"), "busy", "429:slow_down"),
    ("openai", 429, _openai("insufficient_quota", QUOTA_WORDS), "account", "429:insufficient_quota"),
    ("openai", 429, _openai(None, QUOTA_WORDS, "insufficient_quota"), "account", "429:insufficient_quota"),
    ("openai", 429, _openai("project_spend_limit_exceeded"), "account", "429:project_spend_limit_exceeded"),
    ("openai", 429, _openai("credit_balance_exhausted"), "account", "429:credit_balance_exhausted"),
    ("openai", 429, _openai("billing_not_active"), "account", "429:billing_not_active"),
    (
        "openai",
        429,
        _openai("rate_limit_exceeded", "Request too large for gpt-4.1"),
        "row",
        "429:rate_limit_exceeded",
    ),
    ("openai", 404, _openai("model_not_found"), "account", "404:model_not_found"),
    ("openai", 400, _openai("model_not_found"), "account", "400:model_not_found"),
    (
        "openai",
        400,
        _openai("unsupported_value", param="temperature"),
        "account",
        "400:unsupported_value:temperature",
    ),
    ("openai", 400, _openai("unsupported_parameter", param="seed"), "account", "400:unsupported_parameter:seed"),
    ("openai", 400, _openai("context_length_exceeded"), "row", "400:context_length_exceeded"),
    ("openai", 400, _openai("invalid_prompt"), "row", "400:invalid_prompt"),
    ("openai", 400, _openai("string_above_max_length", param="input"), "row", "400:string_above_max_length:input"),
    ("openai", 400, _openai("content_filter", innererror={"code": "Policy"}), "row", "400:content_filter"),
    ("openai", 400, {"error": "invalid_grant", "error_description": "no"}, "account", "400:invalid_grant"),
    (
        "openai",
        400,
        {"object": "error", "message": "This model's maximum context length is 9", "code": 400},
        "row",
        "400",
    ),
    ("openai", 500, _openai("server_error", kind="server_error"), "retry", "500:server_error"),
    (
        "openai",
        503,
        [{"error": {"code": 503, "message": "m", "status": "UNAVAILABLE"}}],
        "retry",
        "503:UNAVAILABLE",
    ),
    ("anthropic", 400, _anthropic("invalid_request_error"), "row", "400:invalid_request_error"),
    ("anthropic", 400, _anthropic("x", "Your credit balance is too low to access the API."), "account", "400:x"),
    ("anthropic", 400, _anthropic("x", "You have reached your specified API usage limits."), "account", "400:x"),
    ("anthropic", 400, _anthropic("x", "prompt is too long: 9 tokens > 8 maximum"), "row", "400:x"),
    ("anthropic", 400, _anthropic("x", "m", "organization_on_hold"), "account", "400:organization_on_hold"),
    ("anthropic", 402, _anthropic("billing_error"), "account", "402:billing_error"),
    ("anthropic", 413, _anthropic("request_too_large"), "row", "413:request_too_large"),
    ("anthropic", 429, _anthropic("rate_limit_error"), "busy", "429:rate_limit_error"),
    ("anthropic", 429, _anthropic("x", "m", "ramp_limit_exceeded"), "busy", "429:ramp_limit_exceeded"),
    (
        "anthropic",
        429,
        _anthropic("x", "m", "enforced_spend_limit_reached"),
        "account",
        "429:enforced_spend_limit_reached",
    ),
    ("anthropic", 529, _anthropic("overloaded_error"), "busy", "529:overloaded_error"),
    ("google", 400, _google("INVALID_ARGUMENT"), "row", "400:INVALID_ARGUMENT"),
    (
        "google",
        400,
        _google("INVALID_ARGUMENT", "m", {"reason": "API_KEY_INVALID"}),
        "account",
        "400:API_KEY_INVALID",
    ),
    ("google", 400, _google("INVALID_ARGUMENT", "API key not valid."), "account", "400:INVALID_ARGUMENT"),
    ("google", 400, _google("FAILED_PRECONDITION", "User location"), "account", "400:FAILED_PRECONDITION"),
    ("google", 400, _google("X", "The input token count (9) exceeds the maximum"), "row", "400:X"),
    ("google", 402, _google("RESOURCE_EXHAUSTED"), "account", "402:RESOURCE_EXHAUSTED"),
    ("google", 429, _google("RESOURCE_EXHAUSTED", QUOTA_WORDS, _quota(MINUTE)), "busy", "429:RESOURCE_EXHAUSTED"),
    ("google", 429, _google("RESOURCE_EXHAUSTED", "m", _quota(MINUTE, DAY)), "account", "429:RESOURCE_EXHAUSTED"),
    (
        "google",
        429,
        _google("X", "m", {"reason": "R", "metadata": {"quota_limit": "RequestsPerDay"}}),
        "account",
        "429:R",
    ),
    ("google", 429, _google("X", "Your prepayment credits are depleted."), "account", "429:X"),
    ("google", 503, _google("UNAVAILABLE"), "retry", "503:UNAVAILABLE"),
    ("google", 499, _google("CANCELLED"), "retry", "499:CANCELLED"),
]


@pytest.mark.parametrize(("api", "status", "body", "reaction", "code"), CASES)
def test_each_error_asks_for_its_reaction(api: Kind, status: int, body: Any, reaction: Reaction, code: str) -> None:
    """Documented error bodies of the three APIs, and of the gateways that imitate them."""
    error = from_status(api, status, body)
    assert (error.reaction, error.code) == (reaction, code)


@pytest.mark.parametrize(("api", "status", "body", "reaction", "code"), CASES)
def test_an_account_that_stops_says_what_to_do(api: Kind, status: int, body: Any, reaction: Any, code: str) -> None:
    """Whoever must act is told how, after the provider's own words."""
    message = from_status(api, status, body).message
    assert message.startswith(f"{api} answered {status}: ")
    assert message.endswith(")") == (reaction == "account")


ECHOED = (
    "billing insufficient_quota credit balance is too low You have reached your specified API usage limits "
    "API key not valid FAILED_PRECONDITION PerDay unsupported_parameter model_not_found organization_on_hold"
)


@pytest.mark.parametrize("api", ["openai", "anthropic", "google"])
def test_a_rows_own_words_stop_no_account(api: Kind) -> None:
    """A 400 that quotes the row costs that row alone, whatever the row talks about."""
    message = f"Invalid text: '{ECHOED}'"
    for body in (
        _openai("bad", message),
        _anthropic("bad", message),
        _google("BAD", message),
        message,
        {"detail": message},
    ):
        assert from_status(api, 400, body).reaction == "row"
        assert from_status(api, 429, body).reaction == "busy"
        assert from_status(api, 500, body).reaction == "retry"


def test_a_row_is_blamed_only_where_the_provider_blames_it() -> None:
    """Many rows that are too long are no sign of a broken request; many rows with an unexplained 400 are."""
    assert from_status("openai", 400, _openai("context_length_exceeded")).blames_row
    assert from_status("anthropic", 400, _anthropic("x", "prompt is too long: 9 > 8")).blames_row
    assert from_status("google", 400, _google("X", "The input token count exceeds")).blames_row
    assert not from_status("openai", 400, _openai("invalid_type", param="input")).blames_row
    assert not from_status("anthropic", 400, _anthropic("invalid_request_error")).blames_row


def test_words_are_kept_short_and_storable() -> None:
    """An error body of any size and content becomes one printable line that UTF-8 can hold."""
    error = from_status("openai", 500, _openai(None, "first\nsecond \x00 \ud800 " + "x" * 10**6))
    assert "first second \\x00 \\ud800 xxx" in error.message
    assert (error.message.isprintable(), len(error.message) < 700, error.message.endswith("...")) == (
        True,
        True,
        True,
    )


def test_an_error_survives_a_process_boundary() -> None:
    """What a worker raises arrives whole."""
    error = from_status("openai", 429, _openai("rate_limit_exceeded"), {"retry-after": "3"})
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), vars(copy), str(copy)) == (ProviderError, vars(error), error.message)


_FIELDS = """
    error message details code type status param reason violations quotaId metadata quota_limit error_code
    innererror
"""
_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(_FIELDS.split()) | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(api=st.sampled_from(["openai", "anthropic", "google"]), status=st.integers(100, 999), body=_ANY)
def test_any_error_body_gets_a_reaction(api: Kind, status: int, body: Any) -> None:
    """Nothing that a server sends in an error crashes the run, and its words can be stored."""
    error = from_status(api, status, body)
    assert error.reaction in ("retry", "busy", "row", "account")
    assert error.message.isprintable()
    assert error.code.startswith(str(status))
    assert error.code.isprintable()


TOO_LONG: list[tuple[Kind, int, Any]] = [
    ("openai", 400, _openai("context_length_exceeded", "Your input exceeds the context window of this model.")),
    *(
        ("openai", 400, {"error": {"message": message, "type": "BadRequestError", "param": None, "code": 400}})
        for message in (
            "This model's maximum context length is 2048 tokens. However, your request has 2100 input tokens.",
            "this model's maximum context length is 2048 tokens, but the prompt contains 2100 input tokens",
            "The decoder prompt (length 21535) is longer than the maximum model length of 16384.",
            "You passed 31745 input tokens and requested 1024 output tokens. However, the model's ...",
            "Input length (265330) exceeds model's maximum context length (262144).",
            "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum ...",
            "max_tokens must be at least 1, got -46771. (parameter=max_tokens, value=-46771)",
            "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
            "Requested token count exceeds the model's maximum context length of 64000 tokens.",
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 ...",
            "Prompt contains 300000 tokens, too large for model with 131072 maximum context length",
            "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens.",
        )
    ),
    ("openai", 400, {"object": "error", "message": "The input (9 tokens) is longer ...", "type": "x", "code": 400}),
    ("openai", 400, _openai(None, "request (9412 tokens) exceeds ...", "exceed_context_size_error")),
    ("anthropic", 400, _anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")),
    (
        "anthropic",
        400,
        _anthropic(
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000, ...",
        ),
    ),
    ("anthropic", 413, _anthropic("request_too_large", "Request exceeds the maximum size")),
    ("google", 400, _google("INVALID_ARGUMENT", "The input token count (1196265) exceeds the maximum number ...")),
    ("google", 400, _google("INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes.")),
]


@pytest.mark.parametrize(("api", "status", "body"), TOO_LONG)
def test_a_prompt_that_is_too_long_is_the_rows_fault_alone(api: Kind, status: int, body: Any) -> None:
    """However a server says it, the row is given up in its words, and no number of such rows stops the account."""
    error: Any = from_status(api, status, body)
    assert (error.reaction, error.blames_row) == ("row", True)
    assert (body.get("message") or body["error"]["message"]) in error.message
