"""Ids, sizes and lines of batches, and the readers of what providers write: no server needed."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, BinaryIO, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.core.call import Call
from judgeray.core.canonical import JSONValue
from judgeray.core.errors import BadInputError
from judgeray.providers import (
    anthropic_batch_lines,
    anthropic_messages,
    google_batch_lines,
    google_generate,
    harvest,
    openai_batch_lines,
    openai_chat,
    openai_responses,
)
from judgeray.providers.account import Account
from judgeray.providers.batch import (
    CUSTOM_ID,
    BatchLine,
    BatchMismatchError,
    BatchStatus,
    LostCreateError,
    custom_ids,
    estimated_bytes,
)
from judgeray.providers.batch_failures import of_batch, of_create, of_file
from judgeray.providers.batch_lists import from_epoch, from_rfc3339
from judgeray.providers.connect import connect_batch
from judgeray.providers.errors import ProviderError
from judgeray.providers.failures import from_status
from judgeray.providers.harvest import Harvest, LineFormat

RESPONSES, CHAT = Account("openai", "openai"), Account("openai", "openai", "chat")
FORMATS = {
    "responses": openai_batch_lines.line_format(RESPONSES),
    "chat": openai_batch_lines.line_format(CHAT),
    "anthropic": anthropic_batch_lines.LINE_FORMAT,
    "google": google_batch_lines.LINE_FORMAT,
}


def _openai_line(custom_id: str, call: Call, account: Account) -> bytes:
    body = openai_batch_lines.request_body(call, account)
    return openai_batch_lines.write_line(custom_id, openai_batch_lines.endpoint(account), body)


def _anthropic_line(custom_id: str, call: Call) -> bytes:
    """One request out of a body of three."""
    lines = [BatchLine(name, call) for name in ("a", custom_id, "b")]
    body = json.loads(b"".join(anthropic_batch_lines.write_body(lines)))
    assert [request["custom_id"] for request in body["requests"]] == ["a", custom_id, "b"]
    return json.dumps(body["requests"][1]).encode()


WRITERS: dict[str, Callable[[str, Call], bytes]] = {
    "openai_responses": lambda custom_id, call: _openai_line(custom_id, call, RESPONSES),
    "openai_chat": lambda custom_id, call: _openai_line(custom_id, call, CHAT),
    "anthropic": _anthropic_line,
    "google": lambda custom_id, call: google_batch_lines.write_line(custom_id, call),
}
BODIES = {"openai_responses": "body", "openai_chat": "body", "anthropic": "params", "google": "request"}
REALTIME: dict[str, Callable[[Call], dict[str, Any]]] = {
    "openai_responses": openai_responses.request_body,
    "openai_chat": openai_chat.request_body,
    "anthropic": anthropic_messages.request_body,
    "google": google_generate.request_body,
}


@pytest.mark.parametrize("api", list(WRITERS))
def test_a_batch_line_holds_the_realtime_body(api: str, golden: Any) -> None:
    """What is asked does not depend on how it travels: the golden wire bodies stand in batch lines unchanged."""
    for name, case in golden(f"wire_{api}").items():
        call = Call("account", "asked", **case["call"])
        if case.get("account"):
            account = Account("openai", "openai", "chat", **case["account"])
            line = json.loads(_openai_line("row-1", call, account))
        else:
            line = json.loads(WRITERS[api]("row-1", call))
        assert line[BODIES[api]] == case["body"], name
        assert line["key" if api == "google" else "custom_id"] == "row-1"


def test_openais_lines_name_their_endpoint() -> None:
    """Method and URL are those of the account's API."""
    call = Call("openai", "asked", None, "So?")
    for account, url in ((RESPONSES, "/v1/responses"), (CHAT, "/v1/chat/completions")):
        line = json.loads(_openai_line("row-1", call, account))
        assert (line["method"], line["url"]) == ("POST", url)


TEXTS = st.text(st.characters(), max_size=300)
PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "temperature": st.just(0.25),
        "top_p": st.just(0.9),
        "max_output_tokens": st.just(100_000),
        "reasoning_effort": st.just("medium"),
        "seed": st.just(2**31),
        "top_logprobs": st.just(20),
        "extra_body": st.just({"generationConfig": {"responseMimeType": "application/json"}, "a": "\ud800" * 9}),
    },
)


@pytest.mark.parametrize("api", list(WRITERS))
@settings(max_examples=60, deadline=None)
@given(system=TEXTS | st.none(), user=TEXTS, parameters=PARAMETERS)
def test_lines_are_ascii_and_never_larger_than_estimated(
    api: str, system: str | None, user: str, parameters: dict[str, JSONValue]
) -> None:
    """Any text makes a line, of one line, that an estimate made without knowing the API is large enough for."""
    call = Call("account", "m" * 60, system, user, parameters)
    (custom_id,) = custom_ids("t" * 57, 1)
    line = WRITERS[api](custom_id, call)
    assert line.isascii()
    assert b"\n" not in line[:-1]
    assert len(line) <= estimated_bytes(BatchLine(custom_id, call))
    assert json.loads(line)[BODIES[api]] == json.loads(json.dumps(REALTIME[api](call)))


def test_ids_are_valid_unique_and_bear_the_tag() -> None:
    """Ids keep the strictest API's rule for any number of lines."""
    ids = custom_ids("run_1-a", 1234)
    assert len(set(ids)) == 1234
    assert all(CUSTOM_ID.fullmatch(name) and name.startswith("run_1-a-") for name in ids)
    assert custom_ids("t", 0) == []


@pytest.mark.parametrize("tag", ["", "a b", "é", "t" * 58, "a\n"])
def test_a_bad_tag_is_a_mistake(tag: str) -> None:
    """A tag that would be refused by a provider is refused here."""
    with pytest.raises(ValueError, match="tag"):
        custom_ids(tag, 2)


NAMES = st.one_of(
    st.sampled_from(["response", "status_code", "body", "error", "code", "message", "result", "type", "status"]),
    st.sampled_from(["metadata", "state", "errors", "data", "done", "output", "responsesFile", "batchStats"]),
    st.sampled_from(["candidates", "content", "parts", "choices", "requestCount", "request_counts"]),
    st.text(max_size=3),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


def _read(line_format: LineFormat, content: bytes) -> list[str]:
    by_id = {"row-1": Call("account", "asked", None, "So?")}
    file = cast("BinaryIO", io.BytesIO(content))
    return [result.custom_id for result in Harvest(by_id, line_format, {}, "key").read(file)]


@pytest.mark.parametrize("api", list(FORMATS))
@settings(max_examples=100, deadline=None)
@given(
    content=st.lists(st.binary(max_size=30) | st.sampled_from([b"\n", b'{"custom_id":"row-1"', b"}", b'{"key":"r']))
)
def test_no_bytes_break_the_reader(api: str, content: list[bytes]) -> None:
    """Whatever a file holds, reading it ends in results or in one of the two documented errors."""
    try:
        found, reaction = _read(FORMATS[api], b"".join(content)), "retry"
    except ProviderError as error:
        found, reaction = [], error.reaction
    except BatchMismatchError:
        return
    assert (found in ([], ["row-1"]), reaction) == (True, "retry")


@pytest.mark.parametrize("api", list(FORMATS))
@settings(max_examples=150, deadline=None)
@given(record=st.dictionaries(NAMES, JSON, max_size=4))
def test_no_line_under_a_known_id_breaks_the_reader(api: str, record: dict[str, Any]) -> None:
    """Any object under a known id is that row's result: a reply or an error, never an exception."""
    line = json.dumps({**record, FORMATS[api].id_field: "row-1"}).encode()
    assert _read(FORMATS[api], line) == ["row-1"]


@pytest.mark.parametrize("depth", [900, 1010, 5000])
def test_deep_nesting_is_no_crash(depth: int) -> None:
    """What cannot be read or kept is asked again, not raised as a recursion error."""
    body = '{"a":' * depth + "1" + "}" * depth
    for api, line in {
        "responses": f'{{"custom_id":"row-1","response":{{"status_code":200,"body":{body}}}}}',
        "anthropic": f'{{"custom_id":"row-1","result":{{"type":"succeeded","message":{body}}}}}',
        "google": f'{{"key":"row-1","response":{body}}}',
    }.items():
        try:
            found = _read(FORMATS[api], line.encode())
        except ProviderError as error:
            found = ["row-1"] if error.reaction == "retry" else []
        assert found == ["row-1"], (api, depth)


def test_a_file_without_line_ends_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that no result can be as long as ends the reading."""
    monkeypatch.setattr(harvest, "MOST_LINE_BYTES", 100)
    with pytest.raises(ProviderError, match="line without end"):
        _read(FORMATS["google"], b"x" * 1000)


@settings(max_examples=150, deadline=None)
@given(batch=st.dictionaries(NAMES, JSON, max_size=4))
def test_no_batch_object_breaks_a_status(batch: dict[str, Any]) -> None:
    """Whatever a provider answers is a status: running, unless it says in its own way that the batch has ended."""
    for status in (
        openai_batch_lines.read_status(batch, "key"),
        anthropic_batch_lines.read_status(batch),
        google_batch_lines.read_status(batch, "key"),
    ):
        assert status.phase in ("running", "ended")
    openai_batch_lines.result_files(batch)
    google_batch_lines.responses_file(batch)
    anthropic_batch_lines.requests_in(batch)


@pytest.mark.parametrize(
    ("error", "lost"),
    [
        (from_status("openai", 400, {"error": {"message": "m", "type": "t"}}), False),
        (from_status("openai", 401, None), False),
        (from_status("openai", 404, None), False),
        (from_status("openai", 413, None), False),
        (from_status("openai", 429, None), False),
        (from_status("openai", 408, None), True),
        (from_status("openai", 500, None), True),
        (from_status("openai", 503, None), True),
        (from_status("anthropic", 529, None), True),
        (ProviderError("retry", "dropped", code="transport:ReadError"), True),
        (ProviderError("retry", "garbled", code="body:not_json"), True),
    ],
)
def test_a_create_is_lost_unless_it_was_refused(error: Any, lost: bool) -> None:
    """Only an answer that says no means that no batch was made."""
    assert isinstance(of_create(error), LostCreateError) == lost
    if lost:
        assert cast("ProviderError", of_create(error)).reaction == "retry"
    else:
        assert of_create(error) is error


def test_404_speaks_of_what_was_asked_for() -> None:
    """Nothing points at the model; a missing batch stops the account, a missing file does not."""
    missing = from_status("openai", 404, {"error": {"message": "No such thing.", "type": "t"}})
    batch, file = (cast("ProviderError", translate(missing)) for translate in (of_batch, of_file))
    assert (batch.reaction, file.reaction) == ("account", "retry")
    for error in (batch, file):
        assert "No such thing." in error.message
        assert "model" not in error.message
        assert error.code.startswith("404")
    mistake = RuntimeError("closed")
    assert [translate(mistake) for translate in (of_batch, of_file, of_create)] == [mistake] * 3


def test_retry_whole_is_for_what_may_work_later() -> None:
    """A batch is submitted again only where nothing ran and the reason may pass."""
    found = [BatchStatus("ended", "x", {}, "p", r).retry_whole for r in ("retry", "busy", "row", "account", None)]
    assert found == [True, True, False, False, False]


def test_the_lexical_judge_has_no_batches() -> None:
    """What is computed here is not sent, and says so to the user."""
    with pytest.raises(BadInputError, match="overlap"):
        connect_batch(Account("overlap", "lexical"))


def test_times_of_all_spellings_are_read() -> None:
    """Unix seconds and RFC 3339 are read in UTC; garbage is no time."""
    moment = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    assert from_epoch(int(moment.timestamp())) == moment
    for text in ("2026-11-30T12:00:00Z", "2026-11-30T14:00:00.000000+02:00", "2026-11-30T12:00:00"):
        assert from_rfc3339(text) == moment
    no_epochs: list[object] = [None, True, "1", [], math.inf, math.nan, 1e300]
    no_texts: list[object] = [None, 5, "yesterday", "0001-01-01T00:00:00+23:00"]
    assert [from_epoch(garbage) for garbage in no_epochs] == [None] * 7
    assert [from_rfc3339(garbage) for garbage in no_texts] == [None] * 4
