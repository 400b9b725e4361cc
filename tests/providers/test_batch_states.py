"""Every state that a batch can be in, and cancelling and verifying it."""

from __future__ import annotations

from typing import Any

import pytest

from judgeray.providers.batch import BatchClient, BatchStatus
from judgeray.providers.errors import ProviderError
from tests.providers.batch_server import APIS, TAG, BatchApi, Server, jsonl, talk
from tests.providers.conftest import KEY, Canned

IDS = [f"{TAG}-{n:06d}" for n in range(3)]


@pytest.fixture(params=list(APIS))
def batch_api(request: pytest.FixtureRequest) -> BatchApi:
    """Each batch API in turn."""
    return APIS[request.param]


@pytest.fixture
def server() -> Server:
    """A server without routes."""
    return Server()


def _status(api: BatchApi, server: Server, answer: Any = None) -> BatchStatus:
    if answer is not None:
        server.on(f"GET {api.batch}", answer)

    async def work(client: BatchClient) -> BatchStatus:
        return await client.status(api.batch_id)

    found: BatchStatus = talk(api, server, work)
    return found


@pytest.mark.parametrize(
    ("state", "phase"),
    [
        ("validating", "running"),
        ("in_progress", "running"),
        ("finalizing", "running"),
        ("cancelling", "running"),
        ("a_new_state", "running"),
        ("completed", "ended"),
        ("failed", "ended"),
        ("expired", "ended"),
        ("cancelled", "ended"),
    ],
)
def test_openais_states(server: Server, state: str, phase: str) -> None:
    """Only terminal states end a batch, even where all rows are counted; only a failed one has a problem."""
    counts = {"total": 3, "completed": 2, "failed": 1, "odd": "x"}
    found = _status(APIS["openai responses"], server, {"status": state, "request_counts": counts})
    assert (found.phase, found.state) == (phase, state)
    assert found.counts == {"total": 3, "completed": 2, "failed": 1}
    assert (found.problem is not None, found.retry_whole) == (state == "failed", state == "failed")


@pytest.mark.parametrize(
    ("errors", "reaction", "words"),
    [
        (
            [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached."}],
            "busy",
            "Enqueued token limit",
        ),
        ([{"code": "duplicate_custom_id", "message": "Twice.", "line": 7}], "account", "Twice. (line 7)"),
        ([{"code": "token_limit_exceeded"}, {"code": "url_mismatch"}], "account", "url_mismatch: no reason given"),
        ([{"code": "model_not_found", "message": f"The key {KEY} may not."}], "account", "The key [key] may not."),
        ([{"code": "x", "message": "m"}] * 9, "account", "and 6 more"),
        ([{}], "account", "no reason given"),
        ([], "retry", "no reason was given"),
    ],
)
def test_openais_whole_failures(server: Server, errors: list[Any], reaction: str, words: str) -> None:
    """A full queue may be tried again; what is wrong with the batch itself is told, and is not."""
    found = _status(APIS["openai responses"], server, {"status": "failed", "errors": {"data": errors}})
    assert (found.phase, found.reaction, found.retry_whole) == ("ended", reaction, reaction != "account")
    assert words in (found.problem or "")


@pytest.mark.parametrize(
    ("batch", "phase", "reaction"),
    [
        ({"processing_status": "in_progress"}, "running", None),
        ({"processing_status": "canceling"}, "running", None),
        ({"processing_status": "a_new_state"}, "running", None),
        ({"processing_status": "ended"}, "ended", None),
        ({"processing_status": "ended", "results_url": "https://x", "archived_at": None}, "ended", None),
        (
            {"processing_status": "ended", "results_url": None, "archived_at": "2026-11-30T12:00:00Z"},
            "ended",
            "retry",
        ),
    ],
)
def test_anthropics_states(server: Server, batch: dict[str, Any], phase: str, reaction: str | None) -> None:
    """A batch ends once, however it ends; of archived results nothing can be had."""
    counts = {"processing": 0, "succeeded": 1, "errored": 0, "canceled": 1, "expired": 1}
    found = _status(APIS["anthropic"], server, {**batch, "request_counts": counts})
    assert (found.phase, found.state, found.counts) == (phase, batch["processing_status"], counts)
    assert (found.reaction, found.problem is not None) == (reaction, reaction is not None)


@pytest.mark.parametrize("prefix", ["BATCH_STATE_", "JOB_STATE_"])
@pytest.mark.parametrize(
    ("state", "phase", "reaction"),
    [
        ("UNSPECIFIED", "running", None),
        ("PENDING", "running", None),
        ("RUNNING", "running", None),
        ("PAUSED", "running", None),
        ("SUCCEEDED", "ended", None),
        ("PARTIALLY_SUCCEEDED", "ended", None),
        ("FAILED", "ended", "retry"),
        ("CANCELLED", "ended", "retry"),
        ("EXPIRED", "ended", "retry"),
    ],
)
def test_geminis_states(server: Server, prefix: str, state: str, phase: str, reaction: str | None) -> None:
    """Jobs that were cancelled or expired give nothing back, so that all of it may be submitted again."""
    stats = {"requestCount": "3", "pendingRequestCount": "1", "successfulRequestCount": 2, "odd": "x"}
    found = _status(APIS["google"], server, {"metadata": {"state": prefix + state, "batchStats": stats}})
    assert (found.phase, found.state, found.reaction) == (phase, state, reaction)
    assert found.counts == {"requestCount": 3, "pendingRequestCount": 1, "successfulRequestCount": 2}


@pytest.mark.parametrize(
    ("error", "reaction"),
    [
        ({"code": 3, "message": f"Bad line, {KEY}."}, "account"),
        ({"code": 7, "message": "m"}, "account"),
        ({"code": 8, "message": "m"}, "busy"),
        ({"code": 13, "message": "m"}, "retry"),
        ({"code": 400, "message": "m"}, "account"),
        ({"message": "m"}, "retry"),
    ],
)
def test_geminis_whole_failures(server: Server, error: dict[str, Any], reaction: str) -> None:
    """The reason stands in the raw operation alone, by google.rpc's number."""
    for metadata in ({"state": "BATCH_STATE_FAILED"}, {}):
        found = _status(APIS["google"], server, {"done": True, "error": error, "metadata": metadata})
        assert (found.phase, found.reaction) == ("ended", reaction)
        assert error["message"].replace(KEY, "[key]") in (found.problem or "")


def test_geminis_file_may_stand_in_the_response(server: Server) -> None:
    """The operation names its result file in its metadata, in its response, or in both."""
    api = APIS["google"]
    api.ended(server, jsonl([api.answered(IDS[0])]))
    operation = {
        "done": True,
        "metadata": {"state": "BATCH_STATE_SUCCEEDED"},
        "response": {"responsesFile": "files/batch-out1"},
    }
    server.on(f"GET {api.batch}", operation)
    assert len(api.harvest(server)) == 1
    server.on(f"GET {api.batch}", {"metadata": {"state": "BATCH_STATE_SUCCEEDED"}})
    with pytest.raises(ProviderError, match="names no file") as caught:
        api.harvest(server)
    assert caught.value.reaction == "retry"
    stats = {"requestCount": "3", "failedRequestCount": "3"}
    server.on(f"GET {api.batch}", {"metadata": {"state": "BATCH_STATE_SUCCEEDED", "batchStats": stats}})
    assert api.harvest(server) == []
    server.on(f"GET {api.batch}", {"metadata": {"state": "BATCH_STATE_EXPIRED"}})
    assert api.harvest(server) == []


def test_an_unknown_batch_stops_the_account(batch_api: BatchApi, server: Server) -> None:
    """A batch that another key made is not bought again behind the user's back."""
    with pytest.raises(ProviderError, match="no such batch") as caught:
        _status(batch_api, server)
    assert (caught.value.reaction, caught.value.code[:3]) == ("account", "404")
    assert "model" not in caught.value.message


@pytest.mark.parametrize("answer", [Canned("{"), Canned(act="drop"), Canned({}, 503), Canned(b"\xff")])
def test_a_poll_that_fails_may_be_repeated(batch_api: BatchApi, server: Server, answer: Canned) -> None:
    """Nothing that happens to one poll says anything about the batch."""
    with pytest.raises(ProviderError) as caught:
        _status(batch_api, server, answer)
    assert caught.value.reaction == "retry"


def _cancel(api: BatchApi, server: Server) -> None:
    async def work(client: BatchClient) -> None:
        await client.cancel(api.batch_id)

    talk(api, server, work)


def _cancel_route(api: BatchApi) -> str:
    return f"POST {api.batch}{':' if api.kind == 'google' else '/'}cancel"


def test_a_batch_can_be_cancelled(batch_api: BatchApi, server: Server) -> None:
    """One request asks for it."""
    server.on(_cancel_route(batch_api), {})
    _cancel(batch_api, server)
    assert [f"{sent.method} {sent.path}" for sent in server.sent] == [_cancel_route(batch_api)]


def test_cancelling_what_has_ended_is_no_error(batch_api: BatchApi, server: Server) -> None:
    """A refusal matters only while the batch still runs."""
    server.on(_cancel_route(batch_api), Canned({"error": {"message": "It has ended.", "code": 409}}, 409))
    batch_api.ended(server)
    _cancel(batch_api, server)
    server.on(
        f"GET {batch_api.batch}", {"status": "in_progress", "processing_status": "in_progress", "metadata": {}}
    )
    with pytest.raises(ProviderError, match=r"It has ended\."):
        _cancel(batch_api, server)


def _verify(api: BatchApi, server: Server) -> bool | None:
    async def work(client: BatchClient) -> bool | None:
        return await client.verify(api.batch_id, IDS)

    found: bool | None = talk(api, server, work)
    return found


@pytest.mark.parametrize(
    ("content", "verdict"),
    [
        (jsonl({"custom_id": name} for name in IDS), True),
        (jsonl({"custom_id": name} for name in IDS[:1]), True),
        (jsonl({"custom_id": name} for name in (IDS[0], "another")), False),
        (jsonl([{"other": 1}]), False),
        (b"garbled\n" + jsonl([{"custom_id": IDS[2]}]), True),
        (b"", None),
        (b"garbled", None),
    ],
)
def test_anthropics_candidates_are_told_apart_by_their_ids(
    server: Server, content: bytes, verdict: bool | None
) -> None:
    """One foreign id proves that a batch is another one; without a readable id nothing is proven."""
    api = APIS["anthropic"]
    api.ended(server, content)
    assert _verify(api, server) is verdict


def test_a_running_candidate_cannot_be_told_yet(server: Server) -> None:
    """Ids are seen in results only; those of an archived batch never will be."""
    api = APIS["anthropic"]
    server.on(f"GET {api.batch}", {"processing_status": "in_progress"})
    assert _verify(api, server) is None
    server.on(f"GET {api.batch}", {"processing_status": "ended", "archived_at": "2026-11-30T12:00:00Z"})
    assert _verify(api, server) is None


@pytest.mark.parametrize("name", ["openai responses", "google"])
def test_a_batch_found_by_its_name_is_ours(server: Server, name: str) -> None:
    """A tag or a display name is proof; nothing is asked."""
    assert _verify(APIS[name], server) is True
    assert server.sent == []
