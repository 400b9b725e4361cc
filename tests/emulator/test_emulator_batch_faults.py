"""Faults of batches and of their rows, on all three APIs."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.fault_settings import FaultRule, Faults
from judgeray.emulator.faults import FaultBook
from judgeray.emulator.how import How
from tests.emulator.batch_drivers import DRIVERS, AnthropicDriver, Driver, GeminiDriver, OpenaiDriver

FAST = Batches(batch_seconds=0.1)
MARKED = How(faults=Faults(markers=True), batches=FAST)
PLAIN = {f"row-{i}": f"text {i}" for i in range(8)}
Steps = Callable[[Driver], Awaitable[Any]]
pytestmark = pytest.mark.timeout(60)


@pytest.fixture(params=DRIVERS, ids=[driver.api for driver in DRIVERS])
def drive(request: Any, in_app: Any) -> Callable[..., Any]:
    """Run steps with one API's driver: `drive(steps, how)`."""
    return lambda steps, how=MARKED: in_app(lambda client: steps(request.param(client)), how)


def marked(fault: str) -> dict[str, str]:
    """Eight rows, of which one asks for a fault."""
    return {**PLAIN, "row-3": f"text 3 [[fault:{fault}]]"}


async def counts(driver: Driver) -> Any:
    """The audit's counts."""
    async with driver.client.get("/_judgeray/counts") as response:
        return await response.json()


async def audited(driver: Driver) -> list[Any]:
    """The audit's batches."""
    async with driver.client.get("/_judgeray/batches") as response:
        return list(await response.json())


def failed(line: Any) -> bool:
    """Whether a line tells of a row that was not answered."""
    if "result" in line:
        return bool(line["result"]["type"] != "succeeded")
    return bool(line.get("error") or line["response"].get("status_code", 200) != 200)


def test_row_errors_pass_on_the_next_try(drive: Any) -> None:
    """A row error befalls its row only, is not billed, and the same prompt passes in the next batch."""

    async def steps(driver: Driver) -> Any:
        first = await driver.run(marked("row_error"))
        second = await driver.run({"again": marked("row_error")["row-3"]})
        return driver, first, second, await counts(driver)

    driver, first, second, audit = drive(steps)
    assert sorted(first.keys(driver.key)) == sorted(PLAIN)
    assert [line[driver.key] for line in first.lines if failed(line)] == ["row-3"]
    assert not failed(second.lines[0])
    assert audit["modes"]["batch"] == {"received": 9, "executed": 8, "delivered": 8, "billed": 8}


@pytest.mark.parametrize(
    ("fault", "missing", "extra"),
    [("duplicate_lines", [], ["row-3"]), ("missing_lines", ["row-3"], []), ("foreign_keys", ["row-3"], None)],
)
def test_lines_that_go_astray(drive: Any, fault: str, missing: list[str], extra: list[str] | None) -> None:
    """A line that is doubled, missing or under a foreign key is executed all the same; other rows are spared."""

    async def steps(driver: Driver) -> Any:
        return driver, await driver.run(marked(fault)), await counts(driver)

    driver, read, audit = drive(steps)
    found, sent = Counter(read.keys(driver.key)), Counter(list(PLAIN))
    assert list((sent - found).elements()) == missing
    more = list((found - sent).elements())
    assert more == extra if extra is not None else "-of-nobody" in more[0] and more[0] not in PLAIN
    assert audit["executed"] == 8


def test_wrong_keys_exchange_two_answers(drive: Any) -> None:
    """All keys are there once, but the marked row's answer and a neighbour's are under each other's."""

    async def steps(driver: Driver) -> Any:
        right = await driver.run(PLAIN | {"row-3": "text 3 [[fault:length]]"})
        return driver, right, await driver.run(marked("wrong_keys"))

    driver, right, wrong = drive(steps)

    def answers(read: Any) -> dict[str, str]:
        return {line[driver.key]: _digest(line) for line in read.lines}

    first, second = answers(right), answers(wrong)
    assert sorted(second) == sorted(PLAIN)
    changed = [key for key in PLAIN if first[key] != second[key]]
    assert len(changed) == 2
    assert "row-3" in changed
    other = next(key for key in changed if key != "row-3")
    assert second["row-3"] == first[other]


def _digest(line: Any) -> str:
    """The prompt that an answer names (the twelve digits after `prompt`), or nothing where it was cut."""
    text = json.dumps(line)
    return text.partition("reply to prompt ")[2][:12]


def test_content_faults_befall_rows_too(drive: Any) -> None:
    """A refusal is an answered row, in the same shape as realtime."""

    async def steps(driver: Driver) -> Any:
        return driver, await driver.run(marked("refusal"))

    driver, read = drive(steps)
    line = next(line for line in read.lines if line[driver.key] == "row-3")
    assert not failed(line)
    assert any(word in json.dumps(line) for word in ('"refusal"', "SAFETY"))


def test_expired_in_part(drive: Any) -> None:
    """Half of the rows are executed, the rest expired; the rest passes when it is submitted again."""

    async def steps(driver: Driver) -> Any:
        first = await driver.run(marked("expired"))
        rest = {key: text for key, text in marked("expired").items() if key[-1] in "0137"}
        return driver, first, await driver.run(rest), await counts(driver), await audited(driver)

    driver, first, second, audit, batches = drive(steps)
    assert batches[0]["state"] == "expired"
    assert (batches[0]["executed"], batches[0]["unfinished"], batches[0]["faults"]) == (4, 4, ["expired"])
    assert audit["executed"] == 8
    if driver.api == "gemini":
        assert (driver.state(first.view), first.lines) == ("BATCH_STATE_EXPIRED", [])
    else:
        assert sorted(first.keys(driver.key)) == sorted(PLAIN)
        assert sum(map(failed, first.lines)) == 4
    assert (len(second.lines), any(map(failed, second.lines))) == (4, False)


def test_failed_as_a_whole(drive: Any) -> None:
    """A failed batch executed nothing and says why; at Anthropic, where batches cannot fail, all rows erred."""

    async def steps(driver: Driver) -> Any:
        return driver, await driver.run(marked("failed")), await counts(driver)

    driver, read, audit = drive(steps)
    assert audit["executed"] == 0
    if driver.api == "anthropic":
        assert {line["result"]["type"] for line in read.lines} == {"errored"}
    elif driver.api == "openai":
        assert (read.lines, read.view["errors"]["data"][0]["code"]) == ([], "token_limit_exceeded")
    else:
        assert (read.lines, read.view["error"]["code"]) == ([], 13)


def test_all_rows_failed_while_the_batch_succeeded(drive: Any) -> None:
    """The batch ends well, every row erred, and nothing is billed; OpenAI then has no output file."""

    async def steps(driver: Driver) -> Any:
        return driver, await driver.run(marked("all_rows_failed")), await counts(driver)

    driver, read, audit = drive(steps)
    assert driver.state(read.view) in ("completed", "ended", "BATCH_STATE_SUCCEEDED")
    assert len(read.lines) == 8
    assert all(map(failed, read.lines))
    assert audit["executed"] == 0
    assert driver.api != "openai" or read.view["output_file_id"] is None


def test_stuck_until_cancelled(drive: Any) -> None:
    """A stuck batch runs no row and never ends, until it is cancelled."""

    async def steps(driver: Driver) -> Any:
        path = await driver.create(marked("stuck"))
        await asyncio.sleep(0.4)
        stuck = (await audited(driver))[0]
        await driver.send("POST", f"{path}:cancel" if driver.api == "gemini" else f"{path}/cancel")
        return stuck, await driver.finish(path), (await audited(driver))[0]

    stuck, _, ended = drive(steps)
    assert (stuck["state"], stuck["executed"], stuck["ended_at"]) == ("in_progress", 0, None)
    assert (ended["state"], ended["unfinished"]) == ("cancelled", 8)


def test_an_unknown_state_until_the_end(drive: Any) -> None:
    """While it runs the batch tells a state that no documentation knows; then it ends as ever."""

    async def steps(driver: Driver) -> Any:
        path = await driver.create(marked("unknown_state"))
        seen = driver.state(await driver.send("GET", path))
        return seen, await driver.read(await driver.finish(path))

    seen, read = drive(steps)
    assert "rebalancing" in seen.lower()
    assert len(read.lines) == 8


def test_a_lost_create_leaves_its_batch(drive: Any) -> None:
    """The connection is dropped, yet the batch is listed with its tag and runs; the next try is answered."""

    async def steps(driver: Driver) -> Any:
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await driver.create(marked("lost_create"))
        listed = await driver.listed()
        path = await driver.create(marked("lost_create"))
        await driver.finish(path)
        return driver, listed, await counts(driver), await audited(driver)

    driver, listed, audit, batches = drive(steps)
    assert len(listed) == 1
    tag = {"openai": {"tag": "J"}, "anthropic": None, "gemini": "J"}[driver.api]
    assert [batch["tag"] for batch in batches] == [tag, tag]
    assert (audit["batches"]["created"], audit["executed"], len(audit["repeated"])) == (2, 16, 8)


@pytest.mark.parametrize("fault", ["truncated_results", "cut_download"])
def test_results_that_break_off(drive: Any, fault: str) -> None:
    """The first download breaks off within a line and is not counted as delivered; the next one is whole."""

    async def steps(driver: Driver) -> Any:
        view = await driver.finish(await driver.create(marked(fault)))
        broken = json.JSONDecodeError if fault == "truncated_results" else aiohttp.ClientPayloadError
        with pytest.raises(broken):
            await driver.read(view)
        delivered = (await counts(driver))["modes"]["batch"]["delivered"]
        return delivered, await driver.read(view), await counts(driver)

    delivered, read, audit = drive(steps)
    assert delivered == 0
    assert len(read.lines) == 8
    assert audit["modes"]["batch"]["delivered"] == 8
    assert audit["faults"] == {fault: 1}


def test_lost_metadata_and_empty_file_ids(in_app: Any) -> None:
    """OpenAI's batch shows no metadata although it was sent, and "" where there is no error file."""

    async def steps(client: Any) -> Any:
        driver = OpenaiDriver(client)
        texts = {**PLAIN, "row-1": "1 [[fault:lost_metadata]]", "row-2": "2 [[fault:empty_file_ids]]"}
        return (await driver.run(texts)).view, await audited(driver)

    view, batches = in_app(steps, MARKED)
    assert (view["metadata"], view["error_file_id"]) == (None, "")
    assert batches[0]["tag"] == {"tag": "J"}


def test_inline_results_in_disorder(in_app: Any) -> None:
    """Gemini's inline responses come without metadata, and shuffled, where faults say so."""

    async def steps(client: Any) -> Any:
        driver = GeminiDriver(client)
        found = []
        for fault in ("shuffled_lines", "lost_metadata"):
            requests = [
                {
                    "request": {"contents": [{"role": "user", "parts": [{"text": text}]}]},
                    "metadata": {"key": key},
                }
                for key, text in marked(fault).items()
            ]
            body = {"batch": {"inputConfig": {"requests": {"requests": requests}}}}
            made = await driver.send("POST", "/gemini/v1/models/m:batchGenerateContent", json=body)
            view = await driver.finish(f"/gemini/v1/{made['name']}")
            found.append(view["response"]["inlinedResponses"]["inlinedResponses"])
        return found

    shuffled, bare = in_app(steps, MARKED)
    keys = [line["metadata"]["key"] for line in shuffled]
    assert sorted(keys) == sorted(PLAIN)
    assert keys != list(PLAIN)
    assert all("metadata" not in line and "response" in line for line in bare)


def test_a_broken_stream_of_results_in_the_sdk(serve: Any) -> None:
    """Anthropic's SDK yields the rows before the break, then raises; asked again it yields them all."""
    clients = serve(MARKED)

    async def run() -> Any:
        async with clients.anthropic() as client:
            requests: Any = [
                {
                    "custom_id": key,
                    "params": {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}]},
                }
                for key, text in marked("truncated_results").items()
            ]
            batch = await client.messages.batches.create(requests=requests)
            while batch.processing_status != "ended":
                await asyncio.sleep(0.02)
                batch = await client.messages.batches.retrieve(batch.id)

            first: list[str] = []

            async def read() -> None:
                async for found in await client.messages.batches.results(batch.id):
                    first.append(found.custom_id)  # noqa: PERF401 - what came before the break counts

            with pytest.raises(json.JSONDecodeError):
                await read()
            again = [found.custom_id async for found in await client.messages.batches.results(batch.id)]
            return first, again

    first, again = asyncio.run(run())
    assert 0 < len(first) < 8
    assert sorted(again) == sorted(PLAIN)


def test_a_part_of_a_batch_gets_on() -> None:
    """However a faulty batch is split and sent again, no part of it meets the same fault twice."""
    rules = (FaultRule(fault="expired", probability=1), FaultRule(fault="stuck", probability=0.5))
    book = FaultBook(Faults(rules=rules), lambda _: None)
    digests = [f"{i:064x}" for i in range(20)]
    first = book.of_batch("openai", digests, ())
    assert "expired" in first
    assert "expired" not in book.of_batch("openai", digests[:7], ())
    assert "expired" not in book.of_batch("openai", [*digests[7:], "e" * 64], ())
    assert book.of_batch("openai", [*reversed(digests)], ()).keys() <= {"stuck"}
    assert "expired" in book.of_batch("openai", ["f" * 64], ())


def test_a_rule_for_creations_needs_no_marker(in_app: Any) -> None:
    """A wire fault on the route of creations loses the answer, not the batch."""
    rules = (FaultRule(fault="lost_response", routes=("create",), times=1),)

    async def steps(client: Any) -> Any:
        driver = AnthropicDriver(client)
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await driver.create(PLAIN)
        await driver.run(PLAIN)
        return await audited(driver)

    assert len(in_app(steps, How(faults=Faults(rules=rules), batches=FAST))) == 2
