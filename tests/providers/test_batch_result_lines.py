"""Result lines of each API, kind by kind: which are replies, and what the others ask for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.providers.batch_server import APIS, TAG, Server, jsonl

IDS = [f"{TAG}-{n:06d}" for n in range(3)]


@pytest.fixture
def server() -> Server:
    """A server without routes."""
    return Server()


def test_refusals_and_truncations_are_replies(server: Server) -> None:
    """What a realtime reading calls refused or truncated is that in a batch, too."""
    api = APIS["anthropic"]
    message = api.read("x") | {"stop_reason": "refusal", "content": []}
    cut = api.read("y") | {"stop_reason": "max_tokens"}
    results = [{"type": "succeeded", "message": body} for body in (message, cut)]
    api.ended(server, jsonl({"custom_id": name, "result": r} for name, r in zip(IDS, results, strict=False)))
    assert [result.reply and result.reply.outcome for result in api.harvest(server)] == ["refused", "truncated"]


@pytest.mark.parametrize(
    ("result", "reaction"),
    [
        ({"type": "expired"}, "retry"),
        ({"type": "canceled"}, "retry"),
        ({"type": "unheard_of"}, "retry"),
        ({"type": "succeeded"}, "retry"),
        ({"type": "errored"}, "retry"),
        (None, "retry"),
        ({"type": "errored", "error": {"error": {"type": "overloaded_error", "message": "m"}}}, "retry"),
        ({"type": "errored", "error": {"error": {"type": "invalid_request_error", "message": "m"}}}, "row"),
        (
            {
                "type": "errored",
                "error": {
                    "error": {
                        "type": "invalid_request_error",
                        "message": "Your credit balance is too low to access the Anthropic API.",
                    }
                },
            },
            "account",
        ),
    ],
)
def test_anthropics_results(server: Server, result: object, reaction: str) -> None:
    """Each type of a result has its reaction; an empty account is the account's fault and not the row's."""
    api = APIS["anthropic"]
    api.ended(server, jsonl([{"custom_id": IDS[0], "result": result}]))
    (found,) = api.harvest(server)
    assert found.reaction == reaction


@pytest.mark.parametrize(
    ("line", "reaction"),
    [
        ({"response": None, "error": {"code": "batch_expired", "message": "m"}}, "retry"),
        ({"response": None, "error": {"code": "batch_cancelled", "message": "m"}}, "retry"),
        ({"response": None, "error": {"code": "request_timeout", "message": "m"}}, "retry"),
        ({"response": None, "error": {"code": "insufficient_quota", "message": "m"}}, "account"),
        ({"response": None, "error": "text"}, "retry"),
        ({"response": None, "error": None}, "retry"),
        ({}, "retry"),
        ({"response": {"status_code": 0, "body": ""}, "error": None}, "retry"),
        ({"response": {"status_code": 200, "body": "text"}, "error": None}, "retry"),
        ({"response": {"status_code": 401, "body": {"error": {"message": "m"}}}}, "account"),
        (
            {"response": {"status_code": 400, "body": {"error": {"message": "m", "code": "model_not_found"}}}},
            "account",
        ),
        (
            {"response": {"status_code": 200, "body": {"status": "failed", "error": {"code": "server_error"}}}},
            "retry",
        ),
    ],
)
def test_openais_result_lines(server: Server, line: dict[str, Any], reaction: str) -> None:
    """Each kind of a line has its reaction, whichever file it stands in."""
    api = APIS["openai responses"]
    for files in ((jsonl([{"custom_id": IDS[0], **line}]), b""), (b"", jsonl([{"custom_id": IDS[0], **line}]))):
        api.ended(server, *files)
        (found,) = api.harvest(server)
        assert (found.reply, found.reaction) == (None, reaction)


@pytest.mark.parametrize("code", ["batch_expired", "batch_cancelled", "request_timeout"])
def test_openai_says_which_rows_were_not_executed(server: Server, code: str) -> None:
    """A row that never ran is told from one that failed."""
    api = APIS["openai responses"]
    error = {"code": code, "message": "This request ran out of time."}
    api.ended(server, b"", jsonl([{"custom_id": IDS[0], "response": None, "error": error}]))
    (found,) = api.harvest(server)
    assert found.message == "openai: not executed: This request ran out of time."
    assert found.error is not None
    assert found.error.code == f"batch:{code}"


@pytest.mark.parametrize("status", [400, 500])
def test_a_body_with_a_bad_status_is_no_reply(server: Server, status: int) -> None:
    """A line of the output file is a reply only with status 200, however whole its body looks."""
    api = APIS["openai responses"]
    line = api.answered(IDS[0])
    line["response"]["status_code"] = status
    api.ended(server, jsonl([line]), b"")
    assert api.harvest(server)[0].reply is None


@pytest.mark.parametrize(
    ("line", "reaction"),
    [
        ({"error": {"code": 8, "message": "m"}}, "retry"),
        ({"error": {"code": 429, "message": "m"}}, "retry"),
        ({"error": {"code": 3, "message": "The input token count exceeds the maximum."}}, "row"),
        ({"error": {"code": 2, "message": "m"}}, "retry"),
        ({"error": {"message": "m"}}, "retry"),
        ({"error": {"code": 7, "message": "m"}}, "account"),
        ({"status": {"code": 13, "message": "m"}}, "retry"),
        ({"status": "text"}, "retry"),
        ({"response": {}}, "retry"),
        ({"response": {}, "error": {"code": 3, "message": "m"}}, "row"),
        ({"response": {"candidates": []}}, "retry"),
        ({}, "retry"),
    ],
)
def test_geminis_result_lines(server: Server, line: dict[str, Any], reaction: str) -> None:
    """A line's error gives google.rpc's number alone, and still has the reaction of its name."""
    api = APIS["google"]
    api.ended(server, jsonl([{"key": IDS[0], **line}]))
    (found,) = api.harvest(server)
    assert (found.reply, found.reaction) == (None, reaction)
