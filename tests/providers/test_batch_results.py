"""Results end to end: whatever a provider's files hold, each row gets its own answer, once, or none."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from judgeray.providers.batch import BatchClient, BatchMismatchError, BatchResult
from judgeray.providers.body import SIMULATED_HEADER
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


def _texts(results: list[BatchResult]) -> dict[str, str | None]:
    return {result.custom_id: result.reply.text if result.reply else None for result in results}


def test_each_row_gets_its_own_answer_in_any_order(batch_api: BatchApi, server: Server) -> None:
    """Results are joined by id and not by position; a reply keeps all that a realtime reply keeps."""
    lines = [batch_api.answered(name) for name in IDS]
    random.Random(1).shuffle(lines)
    batch_api.ended(server, jsonl(lines), b"")
    found = batch_api.harvest(server)
    assert _texts(found) == {name: name for name in IDS}
    for result in found:
        reply, call = result.reply, batch_api.by_id()[result.custom_id]
        assert reply is not None
        assert (reply.key, reply.mode, reply.simulated, reply.outcome) == (call.key, "batch", False, "complete")
        assert (reply.response_id, reply.served_model) == (f"resp_{result.custom_id}", "served")
        assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.total_tokens) == (5, 2, 7)
        assert reply.request_id == (f"req_{result.custom_id}" if batch_api.kind == "openai" else None)
        body = json.dumps(batch_api.read(result.custom_id)).replace("TEXT", result.custom_id)
        assert json.loads(reply.raw) == json.loads(body)


def test_missing_rows_just_do_not_come(batch_api: BatchApi, server: Server) -> None:
    """Nothing is made up for an id that no line names."""
    batch_api.ended(server, jsonl([batch_api.answered(IDS[1])]), b"")
    assert _texts(batch_api.harvest(server)) == {IDS[1]: IDS[1]}


def test_a_line_that_comes_twice_counts_once(batch_api: BatchApi, server: Server) -> None:
    """Identical lines collapse."""
    batch_api.ended(server, jsonl([batch_api.answered(name) for name in (IDS[0], IDS[1], IDS[0])]), b"")
    assert [result.custom_id for result in batch_api.harvest(server)] == IDS[:2]


@pytest.mark.parametrize("second", ["another answer", "an error"])
def test_an_id_with_two_contents_stops_the_harvest(batch_api: BatchApi, server: Server, second: str) -> None:
    """Which of two answers is the row's cannot be known; what came before them stays."""
    other = (
        batch_api.answered(IDS[1], "other") if second == "another answer" else batch_api.refused(IDS[1], 500, "")
    )
    batch_api.ended(server, jsonl([batch_api.answered(IDS[0]), batch_api.answered(IDS[1]), other]), b"")
    found: list[BatchResult] = []
    with pytest.raises(BatchMismatchError, match=f"'{IDS[1]}' again"):
        batch_api.harvest_into(found, server)
    assert [result.custom_id for result in found] == IDS[:2]


def test_one_response_under_two_ids_stops_the_harvest(batch_api: BatchApi, server: Server) -> None:
    """A response bears an id of its own, so that the same one cannot be the answer to two rows."""
    first = batch_api.answered(IDS[0])
    second = json.loads(json.dumps(first).replace(f'"{IDS[0]}"', f'"{IDS[1]}"', 1))
    batch_api.ended(server, jsonl([first, second]), b"")
    with pytest.raises(BatchMismatchError, match=f"the very response of '{IDS[0]}'"):
        batch_api.harvest(server)


@pytest.mark.parametrize("name", ["row-of-another-batch", "", None, 5, ["a"], "\ud800"])
def test_a_line_that_is_nobodys_stops_the_harvest(batch_api: BatchApi, server: Server, name: object) -> None:
    """An unknown id, or no id, is refused by number and by name; what came before stays."""
    stranger = batch_api.answered(IDS[1]) | {"key" if batch_api.kind == "google" else "custom_id": name}
    batch_api.ended(server, jsonl([batch_api.answered(IDS[0]), stranger]), b"")
    found: list[BatchResult] = []
    with pytest.raises(BatchMismatchError, match="line 2 of the results has an id that was not asked for"):
        batch_api.harvest_into(found, server)
    assert [result.custom_id for result in found] == IDS[:1]


def test_a_line_without_an_id_stops_the_harvest(batch_api: BatchApi, server: Server) -> None:
    """No answer is joined by its place, even where all others have come."""
    lines = [batch_api.answered(name) for name in IDS]
    del lines[2]["key" if batch_api.kind == "google" else "custom_id"]
    batch_api.ended(server, jsonl(lines), b"")
    with pytest.raises(BatchMismatchError, match="not asked for: None"):
        batch_api.harvest(server)
    server.on(f"GET {batch_api.results[0]}", b"[1]\n")
    with pytest.raises(BatchMismatchError, match="no JSON object"):
        batch_api.harvest(server)


def test_a_cut_file_gives_its_part_and_asks_again(batch_api: BatchApi, server: Server) -> None:
    """Lines before a cut count; a harvest that starts over gives them again, and the rest."""
    whole = jsonl([batch_api.answered(name) for name in IDS])
    cut = whole[: len(whole) * 5 // 6]
    for broken in (Canned(cut), Canned(cut, act="drop midway")):
        batch_api.ended(server, broken, b"")
        found: list[BatchResult] = []
        with pytest.raises(ProviderError) as caught:
            batch_api.harvest_into(found, server)
        assert (caught.value.reaction, [result.custom_id for result in found]) == ("retry", IDS[:2])
    batch_api.ended(server, whole, b"")
    assert len(batch_api.harvest(server)) == 3


@pytest.mark.parametrize("act", ["drop", "hang"])
def test_a_file_that_does_not_come_asks_again(
    batch_api: BatchApi, server: Server, act: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every download has an end; no more than a stale connection makes aiohttp ask for a file twice."""
    for module in ("batch_wire", "google_batch_wire"):
        monkeypatch.setattr(f"judgeray.providers.{module}.TRANSFER_SECONDS", 0.3)
    batch_api.ended(server, Canned(act=act), b"")
    with pytest.raises(ProviderError) as caught:
        batch_api.harvest(server)
    assert caught.value.reaction == "retry"
    assert server.times(f"GET {batch_api.results[0]}") <= 2


def test_a_garbled_line_costs_no_other_row(batch_api: BatchApi, server: Server) -> None:
    """All readable lines are read before the harvest asks to be repeated."""
    lines = [jsonl([batch_api.answered(name)]) for name in IDS]
    for garbled in (b"{garbled\n", b"\xff\xfe\n"):
        batch_api.ended(server, b"\n" + lines[0] + garbled + b"\r\n" + lines[2], b"")
        found: list[BatchResult] = []
        with pytest.raises(ProviderError, match="line 2 of the results cannot be read") as caught:
            batch_api.harvest_into(found, server)
        assert (caught.value.reaction, [result.custom_id for result in found]) == ("retry", [IDS[0], IDS[2]])


def test_results_that_are_gone_stop_no_account(batch_api: BatchApi, server: Server) -> None:
    """A missing file is no unknown model: it may come, and the engine decides when to stop asking."""
    batch_api.ended(server, Canned({"error": {"message": "gone", "code": 404}}, 404), b"")
    with pytest.raises(ProviderError, match="not yet, or no longer") as caught:
        batch_api.harvest(server)
    assert (caught.value.reaction, caught.value.code[:3]) == ("retry", "404")


def test_a_running_batch_has_no_missing_rows(batch_api: BatchApi, server: Server) -> None:
    """Asking too early is an error and no empty harvest."""
    server.on(
        f"GET {batch_api.batch}", {"status": "in_progress", "processing_status": "in_progress", "metadata": {}}
    )
    with pytest.raises(ProviderError, match="not ended") as caught:
        batch_api.harvest(server)
    assert caught.value.reaction == "retry"


@pytest.mark.parametrize(
    ("status", "message", "reaction"),
    [
        (400, "The row is odd.", "row"),
        (429, "Slow down.", "retry"),
        (500, "Sorry.", "retry"),
    ],
)
def test_a_row_that_failed_says_so(
    batch_api: BatchApi, server: Server, status: int, message: str, reaction: str
) -> None:
    """A row's error is a result with the reaction of the same error in a realtime call, save that none is busy."""
    batch_api.ended(server, jsonl([batch_api.refused(IDS[0], status, message), batch_api.answered(IDS[1])]), b"")
    refused, answered = batch_api.harvest(server)
    assert (refused.reply, refused.reaction, answered.reaction) == (None, reaction, None)
    assert message in (refused.message or "")
    assert refused.error is not None
    assert refused.error.code.startswith(str(status))


@pytest.mark.parametrize(
    ("ids", "asked"),
    [
        ({}, 0),
        ({"output_file_id": None, "error_file_id": None}, 0),
        ({"output_file_id": "", "error_file_id": ""}, 0),
        ({"output_file_id": "out_1", "error_file_id": ""}, 1),
        ({"output_file_id": None, "error_file_id": "err_1"}, 1),
        ({"output_file_id": "out_1", "error_file_id": "err_1"}, 2),
    ],
)
def test_openais_file_ids_may_be_absent_or_empty(server: Server, ids: dict[str, Any], asked: int) -> None:
    """Only files that are named are asked for, for every terminal state, and both of them."""
    api = APIS["openai responses"]
    for route, name in zip(api.results, IDS, strict=False):
        server.on(f"GET {route}", jsonl([api.answered(name)]))
    for status in ("completed", "failed", "expired", "cancelled"):
        server.sent.clear()
        server.on(f"GET {api.batch}", {"status": status, **ids})
        assert (len(api.harvest(server)), len(server.sent) - 1) == (asked, asked)


def test_completed_rows_without_a_file_are_not_missing(server: Server) -> None:
    """Rows that the provider says it completed are paid for and not bought again for want of a file's name."""
    api = APIS["openai responses"]
    server.on(
        f"GET {api.batch}", {"status": "completed", "request_counts": {"total": 3, "completed": 2, "failed": 1}}
    )
    with pytest.raises(ProviderError, match="no file") as caught:
        api.harvest(server)
    assert caught.value.reaction == "retry"
    server.on(
        f"GET {api.batch}", {"status": "completed", "request_counts": {"total": 3, "completed": 0, "failed": 3}}
    )
    assert api.harvest(server) == []


@pytest.mark.parametrize("host", ["http://127.0.0.1:9", "https://elsewhere.example"])
def test_anthropics_key_goes_to_no_other_host(server: Server, host: str) -> None:
    """A results_url on another host is not followed; the results are asked of the account's own."""
    api = APIS["anthropic"]
    api.ended(server, jsonl([api.answered(IDS[0])]))
    server.on(f"GET {api.batch}", api.object() | {"results_url": f"{host}/v1/messages/batches/msgbatch_1/results"})
    assert len(api.harvest(server)) == 1


def test_anthropics_results_url_is_followed_at_home(server: Server) -> None:
    """The path of the results is the provider's to choose."""
    api = APIS["anthropic"]
    server.on("GET /elsewhere", jsonl([api.answered(IDS[0])]))

    async def work(client: BatchClient) -> list[BatchResult]:
        base = str(client._sdk.base_url).rstrip("/")  # type: ignore[attr-defined]
        server.on(f"GET {api.batch}", api.object() | {"results_url": f"{base}/elsewhere"})
        return [result async for result in client.results(api.batch_id, api.by_id())]

    assert len(talk(api, server, work)) == 1


def test_the_emulator_is_recognised(batch_api: BatchApi, server: Server) -> None:
    """Replies are marked as simulated where the emulator served the batch."""
    batch_api.ended(server, jsonl([batch_api.answered(IDS[0])]), b"")
    server.on(f"GET {batch_api.batch}", Canned(batch_api.object(), headers={SIMULATED_HEADER: "1"}))
    (found,) = batch_api.harvest(server)
    assert found.reply is not None
    assert found.reply.simulated


def test_odd_text_survives(batch_api: BatchApi, server: Server) -> None:
    """Lone surrogates, NUL and line separators come back as the model sent them."""
    odd = "lone \\ud800 NUL \\u0000 separators \u2028 \u0085 \\u2028 \\r\\n"
    line = json.dumps(batch_api.answered(IDS[0], "MARK")).replace("MARK", odd)
    batch_api.ended(server, line.encode() + b"\n", b"")
    (found,) = batch_api.harvest(server)
    assert found.reply is not None
    assert found.reply.text == json.loads(f'"{odd}"')
    assert json.loads(found.reply.to_json())["text"] == found.reply.text


def test_no_key_stands_in_an_error(batch_api: BatchApi, server: Server) -> None:
    """Neither a row's error nor a harvest's shows the account's key, even where the provider repeats it."""
    batch_api.ended(server, jsonl([batch_api.refused(IDS[0], 400, f"bad key {KEY}")]), b"")
    (found,) = batch_api.harvest(server)
    assert "[key]" in (found.message or "")
    assert KEY not in (found.message or "")
    batch_api.ended(server, jsonl([batch_api.answered(IDS[0]) | {"custom_id": KEY, "key": KEY}]), b"")
    with pytest.raises(BatchMismatchError) as caught:
        batch_api.harvest(server)
    assert KEY not in str(caught.value)


def test_the_files_can_be_kept_as_they_are(batch_api: BatchApi, server: Server, tmp_path: Path) -> None:
    """What cannot be matched is kept, byte for byte, and a file that came in part is not taken for whole."""
    content = b'{"garbled\n\x00\xff'
    batch_api.ended(server, content, content)

    async def save(client: BatchClient) -> list[Path]:
        return await client.save_results(batch_api.batch_id, tmp_path)

    paths = talk(batch_api, server, save)
    assert len(paths) == len(batch_api.results)
    assert all(path.read_bytes() == content for path in paths)
    for path in paths:
        path.unlink()
    batch_api.ended(server, Canned(content, act="drop midway"), b"")
    with pytest.raises(ProviderError):
        talk(batch_api, server, save)
    assert list(tmp_path.glob("*.jsonl")) == []
