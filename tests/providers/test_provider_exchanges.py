"""Clients end to end: the real SDKs against a loopback server that answers what it is told to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judgeray.core.call import Call
from judgeray.providers.body import SIMULATED_HEADER
from judgeray.providers.errors import ProviderError


def test_a_complete_response_becomes_a_reply(api: Any, ask: Any, canned: Any) -> None:
    """Everything that a reply keeps is read, the raw body verbatim, from exactly one request to the right path."""
    body = json.dumps(api.complete, indent=1) + "\n"
    headers = {} if api.id_header is None else {api.id_header: "req_7"}
    exchange = ask(api, canned(body, headers=headers))
    reply = exchange.reply
    assert (reply.text, reply.outcome, reply.raw, reply.simulated) == ("Yes.", "complete", body, False)
    assert (reply.served_model, reply.response_id, reply.model) == ("served", "resp_1", "asked")
    assert reply.request_id == (None if api.id_header is None else "req_7")
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.total_tokens) == (5, 2, 7)
    assert [(sent.method, sent.path) for sent in exchange.sent] == [("POST", api.path)]


def test_the_emulator_is_recognised(api: Any, ask: Any, canned: Any) -> None:
    """A response with the emulator's header is marked as simulated."""
    assert ask(api, canned(api.complete, headers={SIMULATED_HEADER: "1"})).reply.simulated


STATUS_REACTIONS = {
    301: "account",
    307: "account",
    400: "row",
    401: "account",
    402: "account",
    403: "account",
    404: "account",
    405: "account",
    408: "retry",
    409: "retry",
    413: "row",
    422: "row",
    429: "busy",
    499: "retry",
    500: "retry",
    501: "account",
    502: "retry",
    503: "retry",
    504: "retry",
    529: "busy",
}


@pytest.mark.parametrize("status", STATUS_REACTIONS)
def test_each_status_asks_for_its_reaction(api: Any, ask: Any, canned: Any, status: int) -> None:
    """One request is sent, whatever the status, and the provider's own words come back with the reaction."""
    body = api.error(status, "These are the words.")
    exchange = ask(api, canned(body, status, {"location": "/elsewhere", "x-should-retry": "true"}))
    assert isinstance(exchange.outcome, ProviderError)
    assert (exchange.error.reaction, exchange.error.code) == (STATUS_REACTIONS[status], f"{status}:some_name")
    assert f"{api.kind} answered {status}: These are the words." in exchange.error.message
    assert len(exchange.sent) == 1


def test_a_wait_that_is_asked_for_is_passed_on(api: Any, ask: Any, canned: Any) -> None:
    """The header of a 429 reaches the engine in seconds, and the SDK does not wait for it itself."""
    exchange = ask(api, canned(api.error(429, "Slow down."), 429, {"retry-after": "7"}))
    assert (exchange.error.reaction, exchange.error.retry_after_seconds, len(exchange.sent)) == ("busy", 7.0, 1)


@pytest.mark.parametrize("act", ["drop", "drop midway"])
def test_a_lost_response_is_one_attempt(api: Any, ask: Any, canned: Any, act: str) -> None:
    """A connection that ends before or within the response asks for a retry; nothing is sent again unasked."""
    exchange = ask(api, canned(api.complete, act=act))
    assert (exchange.error.reaction, exchange.error.code.partition(":")[0]) == ("retry", "transport")
    assert len(exchange.sent) == 1


def test_a_refused_connection_asks_for_a_retry(api: Any, ask: Any, canned: Any) -> None:
    """The message names the address, not only that something failed."""
    exchange = ask(api, canned(), base_url="http://127.0.0.1:9")
    assert (exchange.error.reaction, exchange.sent) == ("retry", [])
    assert "127.0.0.1:9" in exchange.error.message


def test_a_slow_reply_ends_at_the_timeout(api: Any, ask: Any, canned: Any) -> None:
    """The account's timeout is kept, with one request sent."""
    exchange = ask(api, canned(act="hang"), timeout_seconds=0.3)
    assert (exchange.error.reaction, len(exchange.sent)) == ("retry", 1)
    assert "Timeout" in exchange.error.message


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "body:not_json"),
        (b"{", "body:not_json"),
        (b"no json at all", "body:not_json"),
        (b"\xff\xfe{", None),
        (b'"a string"', "body:not_an_object"),
        (b"[]", "body:not_an_object"),
        (b"null", "body:not_an_object"),
        (b"[" * 100_000, "body:not_json"),
        (b"{}", None),
    ],
)
def test_a_garbled_body_asks_for_a_retry(api: Any, ask: Any, canned: Any, body: bytes, code: str | None) -> None:
    """A 200 without a response of the API's shape is a passing fault and costs one request."""
    exchange = ask(api, canned(body))
    assert (exchange.error.reaction, len(exchange.sent)) == ("retry", 1)
    assert code in (None, exchange.error.code)


def test_a_garbled_error_body_is_no_crash(api: Any, ask: Any, canned: Any) -> None:
    """A status that says what to do is enough; where the SDK loses even that, the call is tried again."""
    for body in (
        b"",
        b"{",
        b'"text"',
        b"[]",
        b"[" * 5000,
        b'{"error": "text"}',
        b'{"error": {"message": 5}}',
        b"\xff",
    ):
        error = ask(api, canned(body, 503)).error
        assert (type(error), error.reaction) == (ProviderError, "retry"), body


def test_a_web_page_in_place_of_the_api_points_at_base_url(api: Any, ask: Any, canned: Any) -> None:
    """A 404 or a 200 that is a web page says that base_url may be wrong, not that the model is."""
    page = "<!DOCTYPE html><html><head><title>404 Not Found</title></head><body>nothing here</body></html>"
    missing = ask(api, canned(page, 404, content_type="text/html")).error
    assert missing.reaction == "account"
    assert "answered 404: 404 Not Found (" in missing.message
    assert "base_url" in missing.message
    assert "base_url" in ask(api, canned(page, content_type="text/html")).error.message
    assert "model's name" in ask(api, canned(api.error(404, "No such model."), 404)).error.message


def test_lone_surrogates_in_a_reply_survive(api: Any, ask: Any, canned: Any) -> None:
    """Text that UTF-8 cannot hold comes back as the model sent it, and the reply can still be written down."""
    odd = "\ud800 \x00 \U0001f642"
    body = json.dumps(api.complete).replace("Yes.", json.dumps(odd)[1:-1])
    reply = ask(api, canned(body)).reply
    assert (reply.text, reply.raw) == (odd, body)
    assert json.loads(reply.to_json())["text"] == odd


def test_names_in_a_reply_can_be_stored(api: Any, ask: Any, canned: Any) -> None:
    """Ids and names go into columns, so what no column can hold is spelled out."""
    body = json.dumps(api.complete).replace("served", "served\\ud800")
    assert ask(api, canned(body)).reply.served_model == "served\\ud800"


def test_a_megabyte_comes_back_whole(api: Any, ask: Any, canned: Any) -> None:
    """Neither question nor reply is cut."""
    long = "word " * 200_000
    body = json.dumps(api.complete).replace("Yes.", long)
    exchange = ask(api, canned(body), Call(api.kind, "asked", None, long))
    assert exchange.reply.text == long
    assert long.encode() in exchange.sent[0].body


def test_proxies_are_not_used_for_this_machine(api: Any, ask: Any, canned: Any, monkeypatch: Any) -> None:
    """A server on loopback is reached directly, whatever proxy the environment names."""
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert ask(api, canned(api.complete)).reply.text == "Yes."


def test_the_environment_does_not_turn_gemini_into_another_api(
    google: Any, ask: Any, canned: Any, monkeypatch: Any
) -> None:
    """Variables that make the SDK speak to Vertex AI leave an account of the Developer API alone."""
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GENAI_USE_ENTERPRISE", "true")
    assert ask(google, canned(google.complete)).sent[0].path == google.path
