"""The one table that says what each failure of each API means.

Sources: OpenAI's error codes guide and its article on spend limits (help.openai.com 6614457); Anthropic's errors
page and its SDK's error classes; google.rpc.Code, google.api.ErrorReason and Gemini's troubleshooting page; the
exception modules of the three SDKs, of httpx2 and of aiohttp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from judgeray.providers.account import Kind
from judgeray.providers.errors import Reaction
from judgeray.providers.faults import PER_DAY
from judgeray.providers.too_long import TOO_LONG

TOP_UP = "the account has no credit left or has reached a spend limit; mend that and run the same command again"
NEW_DAY = "a daily or monthly quota is used up; run the same command again after it resets"
KEY = "check the API key: the environment variable or file that the manifest names on this node"
ACCESS = "the key may not use this model, project or region"
MODEL = "check the model's name in the manifest, and base_url if one is set"
PARAMETER = "the model refuses a parameter; change or remove it under judges: in the manifest"
BASE_URL = "this is not the API's own answer; check base_url: OpenAI's ends in /v1, the others' in no version"


@dataclass(frozen=True, slots=True)
class Rule:
    """A cause and what it asks for.

    It applies where the API gives one of `names`; or, for causes that an API tells apart only in words, where the
    message begins with `opening`. Never where words merely occur: an error may quote the row that caused it.
    """

    reaction: Reaction
    names: frozenset[str] = frozenset()
    opening: str | None = None
    hint: str = ""
    blames_row: bool = False


def _named(reaction: Reaction, names: str, hint: str = "", blames_row: bool = False) -> Rule:
    return Rule(reaction, frozenset(names.split()), None, hint, blames_row)


def _opens(reaction: Reaction, opening: str, hint: str = "", blames_row: bool = False) -> Rule:
    return Rule(reaction, frozenset(), opening, hint, blames_row)


RULES: Mapping[Kind, tuple[Rule, ...]] = {
    "openai": (
        _named(
            "account",
            "insufficient_quota credit_balance_exhausted organization_spend_limit_exceeded billing_not_active "
            "project_spend_limit_exceeded organization_usage_limit_exceeded billing_hard_limit_reached",
            TOP_UP,
        ),
        _named("account", "invalid_api_key account_deactivated", KEY),
        _named(
            "account", "invalid_grant invalid_client invalid_token unauthorized_client invalid_subject_token", KEY
        ),
        _named("account", "model_not_found", MODEL),
        _named("account", "unsupported_parameter unsupported_value unknown_parameter", PARAMETER),
        _named("row", "context_length_exceeded string_above_max_length exceed_context_size_error", blames_row=True),
        _named("row", "invalid_prompt content_filter content_policy_violation", blames_row=True),
        # A 429 that no wait can cure: this one request is larger than a whole minute's tokens.
        _opens("row", "Request too large for", blames_row=True),
        *(_opens("row", opening, blames_row=True) for opening in TOO_LONG),
    ),
    "anthropic": (
        _named(
            "account",
            "contract_spend_limit_reached enforced_spend_limit_reached "
            "linked_organization_spend_limit_reached linked_organization_billing_unavailable",
            TOP_UP,
        ),
        _opens("account", "Your credit balance is too low", TOP_UP),
        _opens("account", "You have reached your specified API usage limits", TOP_UP),
        _opens("account", "You have reached your specified workspace API usage limits", TOP_UP),
        _named(
            "account",
            "organization_on_hold organization_type_not_supported parent_organization_required cmek_key_disabled "
            "cmek_key_network_blocked claude_code_key_creator_not_member claude_code_version_too_old "
            "workspace_human_review_disabled",
            ACCESS,
        ),
        _named("row", "request_too_large request_body_too_large_after_decoding", blames_row=True),
        _opens("row", "prompt is too long", blames_row=True),
        _opens("row", "input length and `max_tokens` exceed context limit", blames_row=True),
        _opens("row", "Output blocked by content filtering policy", blames_row=True),
    ),
    "google": (
        Rule("account", frozenset({PER_DAY}), hint=NEW_DAY),
        _named("account", "API_KEY_INVALID", KEY),
        _opens("account", "API key not valid", KEY),
        _opens("account", "API key expired", KEY),
        _named("account", "BILLING_DISABLED", TOP_UP),
        _opens("account", "Your prepayment credits are depleted", TOP_UP),
        _opens("account", "Your project has exceeded its monthly spending cap", TOP_UP),
        _named("account", "FAILED_PRECONDITION", ACCESS),
        _opens("row", "The input token count", blames_row=True),
        _opens("row", "Request payload size exceeds the limit", blames_row=True),
    ),
    "lexical": (),
    "nli": (),
}
"""Tried in this order, and before `STATUSES`; the first that applies decides."""

STATUSES: Mapping[int, tuple[Reaction, str]] = {
    200: ("retry", ""),
    401: ("account", KEY),
    402: ("account", TOP_UP),
    403: ("account", ACCESS),
    404: ("account", MODEL),
    405: ("account", BASE_URL),
    407: ("account", "the HTTP proxy of this node wants credentials"),
    410: ("account", MODEL),
    408: ("retry", ""),
    409: ("retry", ""),
    425: ("retry", ""),
    429: ("busy", ""),
    499: ("retry", ""),
    501: ("account", BASE_URL),
    529: ("busy", ""),
}
"""HTTP statuses that decide where no rule applies. Of all others: 3xx account, 4xx row, the rest retry."""

STATUS_OF_NAME: Mapping[str, int] = {
    # OpenAI: ResponseError.code
    "rate_limit_exceeded": 429,
    "server_error": 500,
    # Anthropic: error.type
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
    # Gemini: google.rpc.Code
    "INVALID_ARGUMENT": 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "RESOURCE_EXHAUSTED": 429,
    "CANCELLED": 499,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
}
"""The HTTP status that an error stands for which arrives inside a response with status 200."""

How = Literal["status", "retry", "account", "surface"]
"""status: the response decides. surface: a mistake of this program, which no retry and no user can mend."""

EXCEPTIONS: Mapping[str, How] = {
    "openai.OpenAIError": "account",
    "openai.APIError": "retry",
    "openai.APIStatusError": "status",
    "openai.BadRequestError": "status",
    "openai.AuthenticationError": "status",
    "openai.OAuthError": "status",
    "openai.PermissionDeniedError": "status",
    "openai.NotFoundError": "status",
    "openai.ConflictError": "status",
    "openai.UnprocessableEntityError": "status",
    "openai.RateLimitError": "status",
    "openai.InternalServerError": "status",
    "openai.APIConnectionError": "retry",
    "openai.APITimeoutError": "retry",
    "openai.APIResponseValidationError": "retry",
    "openai.SubjectTokenProviderError": "account",
    # Raised by helpers that are never called here: parsing, streams over WebSocket, webhooks.
    "openai.LengthFinishReasonError": "surface",
    "openai.ContentFilterFinishReasonError": "surface",
    "openai.WebSocketConnectionClosedError": "surface",
    "openai.WebSocketQueueFullError": "surface",
    "openai.InvalidWebhookSignatureError": "surface",
    "anthropic.AnthropicError": "account",
    "anthropic.APIError": "retry",
    "anthropic.APIStatusError": "status",
    "anthropic.BadRequestError": "status",
    "anthropic.AuthenticationError": "status",
    "anthropic.PaymentRequiredError": "status",
    "anthropic.PermissionDeniedError": "status",
    "anthropic.NotFoundError": "status",
    "anthropic.RequestTimeoutError": "status",
    "anthropic.ConflictError": "status",
    "anthropic.PreconditionFailedError": "status",
    "anthropic.ContentTooLargeError": "status",
    "anthropic.UnprocessableEntityError": "status",
    "anthropic.RateLimitError": "status",
    "anthropic.RequestHeaderFieldsTooLargeError": "status",
    "anthropic.ClientClosedRequestError": "status",
    "anthropic.InternalServerError": "status",
    "anthropic.HTTPNotImplementedError": "status",
    "anthropic.ServiceUnavailableError": "status",
    "anthropic.GatewayTimeoutError": "status",
    "anthropic.OverloadedError": "status",
    "anthropic.APIConnectionError": "retry",
    "anthropic.APITimeoutError": "retry",
    "anthropic.APIResponseValidationError": "retry",
    "anthropic.RetryableError": "retry",
    "anthropic.CredentialsError": "account",
    "anthropic.IdentityTokenFileError": "account",
    "anthropic.WorkloadIdentityError": "account",
    "anthropic.APIWebhookValidationError": "surface",
    "google.APIError": "status",
    "google.ClientError": "status",
    "google.ServerError": "status",
    "google.UnknownApiResponseError": "retry",
    "google.EphemeralTokenAPIKeyError": "account",
    # Raised by helpers that are never called here: function calling, continued interactions.
    "google.ContinuationInterruptedError": "surface",
    "google.FunctionInvocationError": "surface",
    "google.UnknownFunctionCallArgumentError": "surface",
    "google.UnsupportedFunctionError": "surface",
    "httpx2.HTTPError": "retry",
    "httpx2.UnsupportedProtocol": "account",
    "httpx2.LocalProtocolError": "account",
    "httpx2.InvalidURL": "account",
    "httpx2.CookieConflict": "surface",
    "httpx2.StreamError": "surface",
    "aiohttp.ClientError": "retry",
    "aiohttp.InvalidURL": "account",
    "builtins.OSError": "retry",
    "builtins.TimeoutError": "retry",
    "builtins.UnicodeDecodeError": "retry",
    "builtins.RecursionError": "retry",
    "json.JSONDecodeError": "retry",
    # Event loops that were closed or changed under a client, and other mistakes that an SDK may wrap.
    "builtins.RuntimeError": "surface",
    "builtins.TypeError": "surface",
    "builtins.AttributeError": "surface",
}
"""Exception classes by package and name; a class that is not named is treated as its nearest named base."""
