"""Submitting batches end to end: what is sent, in which order, and what a lost answer leaves behind."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from judgeray.core.call import Call
from judgeray.providers import anthropic_batch, google_batch, openai_batch
from judgeray.providers.batch import BatchCaps, BatchClient, BatchLine, LostCreateError
from judgeray.providers.errors import ProviderError
from tests.providers.batch_server import APIS, TAG, BatchApi, Server, talk
from tests.providers.conftest import KEY, Canned

SINCE = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
UPLOADED = {"openai": "file-1", "google": "files/up1", "anthropic": None}
GOOGLE_START = Canned({}, headers={"X-Goog-Upload-URL": "{origin}/put", "X-Goog-Upload-Status": "active"})


@pytest.fixture(params=list(APIS))
def batch_api(request: pytest.FixtureRequest) -> BatchApi:
    """Each batch API in turn."""
    return APIS[request.param]


@pytest.fixture
def server() -> Server:
    """A server that takes uploads."""
    server = Server()
    server.on("POST /v1/files", {"id": "file-1"})
    server.on("POST /upload/v1/files", GOOGLE_START)
    server.on("POST /put", _finish({"file": {"name": "files/up1"}}))
    return server


def _finish(body: dict[str, Any], status: int = 200) -> Canned:
    return Canned(body, status, headers={"X-Goog-Upload-Status": "final"})


def _created(api: BatchApi) -> dict[str, Any]:
    return {"name" if api.kind == "google" else "id": api.batch_id}


def submit(
    api: BatchApi, server: Server, lines: Sequence[BatchLine] | None = None, **changes: Any
) -> tuple[Any, list[Any]]:
    """Submit a batch; gives the id or error that came of it, and each step with the requests sent before it."""
    steps: list[Any] = []

    async def work(client: BatchClient) -> Any:
        def note(step: str, value: str) -> None:
            steps.append((step, value, len(server.sent)))

        try:
            return await client.upload_and_create(TAG, lines or api.lines(), note)
        except ProviderError as error:
            return error

    return talk(api, server, work, **changes), steps


def _upload_of(server: Server) -> list[dict[str, Any]]:
    """The lines of the file that was uploaded."""
    (sent,) = (sent for sent in server.sent if sent.path in ("/v1/files", "/put"))
    body = sent.body
    if sent.path == "/v1/files":
        boundary = re.search("boundary=(.+)", sent.headers["content-type"])
        assert boundary is not None
        (body,) = (part for part in body.split(b"--" + boundary[1].encode()) if b"filename=" in part)
        assert f'filename="{TAG}.jsonl"'.encode() in body
        body = body.partition(b"\r\n\r\n")[2]
    return [json.loads(line) for line in body.decode("ascii").strip().splitlines()]


def test_a_batch_is_made_once(batch_api: BatchApi, server: Server) -> None:
    """The provider's id comes back from exactly one create, and the upload is told before it."""
    server.on(f"POST {batch_api.create}", _created(batch_api))
    found, steps = submit(batch_api, server)
    assert (found, server.times(f"POST {batch_api.create}")) == (batch_api.batch_id, 1)
    uploaded = UPLOADED[batch_api.kind]
    assert steps == ([("uploaded", uploaded, len(server.sent) - 1)] if uploaded else [])


def test_the_upload_holds_every_line(server: Server) -> None:
    """The uploaded file has one line a call, in order, under its id."""
    for name in ("openai responses", "openai chat", "google"):
        api = APIS[name]
        server.sent.clear()
        server.on(f"POST {api.create}", _created(api))
        submit(api, server)
        lines = _upload_of(server)
        assert [line["key" if name == "google" else "custom_id"] for line in lines] == list(api.by_id())
        assert "So 2?" in json.dumps(lines[2])


def test_openais_create_ties_file_tag_and_endpoint(server: Server) -> None:
    """What `find` looks for is in the create."""
    for name, endpoint in (("openai responses", "/v1/responses"), ("openai chat", "/v1/chat/completions")):
        server.on("POST /v1/batches", _created(APIS[name]))
        submit(APIS[name], server)
        assert json.loads(server.sent[-1].body) == {
            "input_file_id": "file-1",
            "endpoint": endpoint,
            "completion_window": "24h",
            "metadata": {"judgeray_tag": TAG},
        }


def test_geminis_create_names_file_and_tag(server: Server) -> None:
    """Only the file mode is used."""
    api = APIS["google"]
    server.on(f"POST {api.create}", _created(api))
    submit(api, server)
    body = {"batch": {"displayName": TAG, "inputConfig": {"fileName": "files/up1"}}}
    assert (json.loads(server.sent[-1].body), server.sent[-1].headers["x-goog-api-key"]) == (body, KEY)


@pytest.mark.parametrize("parameters", [{}, {"temperature": 0}])
def test_anthropics_create_holds_every_request(server: Server, parameters: dict[str, Any]) -> None:
    """One body with its length stated; sampling parameters move the whole batch to the version that takes them."""
    api = APIS["anthropic"]
    server.on(f"POST {api.create}", _created(api))
    lines = [BatchLine(f"a-{n}", Call("anthropic", f"m{n}", None, "So?", parameters)) for n in range(3)]
    submit(api, server, lines)
    sent = server.sent[-1]
    requests = json.loads(sent.body)["requests"]
    assert [request["custom_id"] for request in requests] == ["a-0", "a-1", "a-2"]
    assert [request["params"]["model"] for request in requests] == ["m0", "m1", "m2"]
    assert (sent.headers["anthropic-version"] == "2023-06-01") == bool(parameters)
    assert (sent.headers["content-length"], sent.headers.get("transfer-encoding")) == (str(len(sent.body)), None)
    assert sent.headers["content-type"] == "application/json"


def test_calls_of_two_groups_share_no_batch(batch_api: BatchApi, server: Server) -> None:
    """Models part batches where the API wants one, API versions where it takes one; nothing is sent."""
    call = batch_api.lines()[0].call
    if batch_api.kind == "anthropic":
        other, same = Call("a", "asked", None, "So?", {"top_p": 0.9}), Call("a", "another", None, "So?")
    else:
        other, same = Call("a", "another", None, "So?"), Call("a", "asked", None, "So?", {"top_p": 0.9})
    with pytest.raises(ValueError, match="groups"):
        submit(batch_api, server, [BatchLine("a", call), BatchLine("b", other)])
    assert server.sent == []
    server.on(f"POST {batch_api.create}", _created(batch_api))
    assert submit(batch_api, server, [BatchLine("a", call), BatchLine("b", same)])[0] == batch_api.batch_id


def test_lines_that_make_no_batch_are_a_mistake(
    batch_api: BatchApi, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the provider would refuse whole, or worse, confuse, is not sent at all."""
    call = batch_api.lines()[0].call
    same = [BatchLine("a", call), BatchLine("a", call)]
    odd = [BatchLine("a b", call)]
    for module in (openai_batch, anthropic_batch, google_batch):
        monkeypatch.setattr(module, "CAPS", BatchCaps(3, 100, one_model=True))
    for lines, words in ((same, "unique"), (odd, "unique"), (batch_api.lines(2), "bytes")):
        with pytest.raises(ValueError, match=words):
            submit(batch_api, server, lines)
    assert server.sent == []


@pytest.mark.parametrize("answer", ["drop", "500", "503", "no json", "no id", "hang"])
def test_a_lost_create_says_so_and_is_not_repeated(
    batch_api: BatchApi, server: Server, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that is lost or unreadable may stand for a batch, so that one create is all that is sent."""
    canned = {
        "drop": Canned(act="drop"),
        "500": Canned({"error": {"message": "m"}}, 500, {"x-should-retry": "true", "retry-after": "0"}),
        "503": Canned("busy", 503, content_type="text/plain"),
        "no json": Canned("{"),
        "no id": Canned({}),
        "hang": Canned(act="hang"),
    }[answer]
    server.on(f"POST {batch_api.create}", canned)
    monkeypatch.setattr(anthropic_batch, "TRANSFER_SECONDS", 0.5 if answer == "hang" else 10.0)
    found, _ = submit(batch_api, server, timeout_seconds=0.5 if answer == "hang" else 10.0)
    assert isinstance(found, LostCreateError)
    assert (found.reaction, server.times(f"POST {batch_api.create}")) == ("retry", 1)


@pytest.mark.parametrize(("status", "reaction"), [(400, "row"), (401, "account"), (404, "account"), (429, "busy")])
def test_a_refused_create_made_no_batch(batch_api: BatchApi, server: Server, status: int, reaction: str) -> None:
    """A refusal is no lost create, keeps the provider's words, and is not repeated."""
    body = {"error": {"message": f"No, said with {KEY}.", "type": "t", "code": "c"}}
    server.on(f"POST {batch_api.create}", Canned(body, status))
    found, _ = submit(batch_api, server)
    assert (type(found), found.reaction) == (ProviderError, reaction)
    assert "No, said with [key]." in found.message
    assert server.times(f"POST {batch_api.create}") == 1


@pytest.mark.parametrize("name", ["openai responses", "openai chat", "google"])
def test_a_failed_upload_makes_no_batch(server: Server, name: str) -> None:
    """Where nothing was uploaded nothing is created, and no step is told."""
    batch_api = APIS[name]
    for route in ("/v1/files", "/upload/v1/files"):
        server.on(f"POST {route}", Canned({"error": {"message": "m"}}, 500))
    found, steps = submit(batch_api, server)
    assert (type(found), found.reaction, steps) == (ProviderError, "retry", [])
    assert server.times(f"POST {batch_api.create}") == 0


NO_TYPE = Canned({"error": {"code": 400, "message": "Unsupported MIME type.", "status": "INVALID_ARGUMENT"}}, 400)
BAD_KEY = Canned({"error": {"code": 400, "message": "API key not valid. Please pass a valid one."}}, 400)


def _types(server: Server) -> list[str]:
    starts = [sent for sent in server.sent if sent.path == "/upload/v1/files"]
    return [sent.headers["x-goog-upload-header-content-type"] for sent in starts]


def test_gemini_takes_one_of_three_mime_types(server: Server) -> None:
    """A type that is refused at the start or at the end of an upload gives way to the next."""
    api = APIS["google"]
    server.on(f"POST {api.create}", _created(api))
    server.on("POST /upload/v1/files", NO_TYPE, GOOGLE_START)
    server.on("POST /put", _finish({}), _finish({"file": {"name": "files/up1"}}))
    assert submit(api, server)[0] == api.batch_id
    assert _types(server) == ["application/jsonl", "text/plain", "application/json"]
    contents = [sent.body for sent in server.sent if sent.path == "/put"]
    assert len(contents) == 2
    assert contents[0] == contents[1]


def test_gemini_gives_up_after_three_mime_types(server: Server) -> None:
    """Where none is taken the last answer is told; a bad key is told at once."""
    api = APIS["google"]
    server.on("POST /put", _finish({}))
    found, _ = submit(api, server)
    assert (found.reaction, len(_types(server))) == ("retry", 3)
    server.on("POST /upload/v1/files", NO_TYPE)
    found, _ = submit(api, server)
    assert (found.reaction, "Unsupported" in found.message) == ("row", True)
    server.sent.clear()
    server.on("POST /upload/v1/files", BAD_KEY)
    found, _ = submit(api, server)
    assert (found.reaction, len(_types(server))) == ("account", 1)


def _find(api: BatchApi, server: Server, uploaded: str | None = None, count: int = 3) -> Any:
    async def work(client: BatchClient) -> list[str]:
        return await client.find(TAG, SINCE, count, uploaded)

    return talk(api, server, work)


def _openai_batch(name: str, minutes: int, **fields: Any) -> dict[str, Any]:
    return {"id": name, "created_at": int((SINCE + timedelta(minutes=minutes)).timestamp()), **fields}


def test_openais_lost_create_is_found_on_a_later_page(server: Server) -> None:
    """By tag or by file, however many batches others made since; the list is left where it is too old."""
    api = APIS["openai responses"]
    ours = {"metadata": {"judgeray_tag": TAG}}
    pages = [
        {"data": [_openai_batch("a", 9), _openai_batch("b", 8, metadata=None)], "has_more": True},
        {"data": [_openai_batch("c", 7, **ours), _openai_batch("d", -1, input_file_id="file-1")], "has_more": True},
        {"data": [_openai_batch("e", -60, **ours)], "has_more": True},
        {"data": [_openai_batch("f", -61, **ours)], "has_more": False},
    ]
    server.on(f"GET {api.lists}", *map(Canned, pages))
    assert _find(api, server, "file-1") == ["c", "d"]
    assert [query.get("after") for query in server.queries] == [None, "b", "d"]


def test_anthropics_candidates_have_the_same_size(server: Server) -> None:
    """With no name to go by, batches made since then with as many requests are told, in whatever state."""
    api = APIS["anthropic"]

    def batch(name: str, minutes: int, **counts: int) -> dict[str, Any]:
        moment = (SINCE + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")
        return {"id": name, "created_at": moment, "request_counts": counts}

    pages = [
        {"data": [batch("a", 9, processing=3), batch("b", 8, processing=4)], "has_more": True},
        {
            "data": [batch("c", 7, succeeded=1, errored=1, expired=1), batch("d", -60, processing=3)],
            "has_more": False,
        },
    ]
    server.on(f"GET {api.lists}", *map(Canned, pages))
    assert _find(api, server) == ["a", "c"]
    assert [query.get("after_id") for query in server.queries] == [None, "b"]


def test_geminis_lost_create_is_found_by_its_name(server: Server) -> None:
    """By name or by file; the whole list is read, whose order nobody states."""
    api = APIS["google"]
    by_file = {"name": "batches/d", "metadata": {"inputConfig": {"fileName": "files/up1"}}}
    server.on(
        f"GET {api.lists}",
        {"operations": [{"name": "batches/a", "metadata": {"displayName": "other"}}], "nextPageToken": "p2"},
        {"nextPageToken": "p3"},
        {"operations": [{"name": "batches/b", "metadata": {"displayName": TAG}}, {"name": "batches/c"}, by_file]},
    )
    assert _find(api, server, "files/up1") == ["batches/b", "batches/d"]
    assert [query.get("pageToken") for query in server.queries] == [None, "p2", "p3"]


@pytest.mark.parametrize("name", ["openai responses", "anthropic"])
@pytest.mark.parametrize(
    "page", [{}, {"data": None}, {"data": [], "has_more": True}, {"data": [{"id": "a"}], "has_more": True}]
)
def test_a_list_without_end_proves_nothing(server: Server, name: str, page: dict[str, Any]) -> None:
    """A list that cannot be read to where it matters is an error: it must not mean that nothing was created."""
    server.on(f"GET {APIS[name].lists}", page)
    with pytest.raises(ProviderError) as caught:
        _find(APIS[name], server)
    assert caught.value.reaction == "retry"
    assert len(server.sent) <= 2


def test_an_empty_list_means_none(batch_api: BatchApi, server: Server) -> None:
    """No batches, no candidates."""
    server.on(f"GET {batch_api.lists}", {} if batch_api.kind == "google" else {"data": [], "has_more": False})
    assert _find(batch_api, server) == []
    server.on(f"GET {batch_api.lists}", Canned("{"))
    with pytest.raises(ProviderError):
        _find(batch_api, server)
