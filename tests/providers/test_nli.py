"""Laws of the in-process NLI judge: replies, batches, what stops it, and its account."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from judgeray.core.call import Call
from judgeray.core.canonical import canonical_json
from judgeray.core.reply import Reply, Usage
from judgeray.engine.journal import read_replies, reply_journals
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import run_lock
from judgeray.engine.pool import AnswerPool, PoolSetup
from judgeray.engine.spool import SCHEMA
from judgeray.providers import nli_desk
from judgeray.providers.connect import connect
from judgeray.providers.errors import ProviderError
from judgeray.providers.nli_model import Judged, NliModel, Pair
from judgeray.providers.prices import Prices
from tests.providers.nli_checkpoint import ACCOUNT, ODD_ORDER, TEXT, WORDS, answers, asked, build_checkpoint


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny checkpoint whose labels stand in an unusual order."""
    return build_checkpoint(tmp_path_factory.mktemp("nli") / "tiny", ODD_ORDER)


def test_replies_are_canonical_json_and_cost_nothing(checkpoint: str) -> None:
    """The text is the three probabilities; tokens are unknown, the price is known to be nothing."""
    call = asked(checkpoint, "the song was written by starr .", "starr")
    (reply,) = answers([call])
    assert isinstance(reply, Reply)
    (found,) = NliModel(checkpoint).judge([Pair("the song was written by starr .", "starr")], 1)
    assert isinstance(found, Judged)
    assert reply == Reply(
        call.key, "nli", checkpoint, "complete", canonical_json(found.best), Usage(), "stop", checkpoint
    )
    prices = Prices({"nli": "nli"}, {})
    assert prices(reply) == prices.cost("nli", checkpoint, 10, 0) == 0.0


def test_windows_are_kept_with_the_reply(checkpoint: str) -> None:
    """Where several windows were judged the raw reply holds them all, the text one of them."""
    (reply,) = answers([asked(checkpoint, "it came out of london . " * 12, "starr")])
    assert isinstance(reply, Reply)
    kept = json.loads(reply.raw)["windows"]
    assert len(kept) > 1
    assert json.loads(reply.text or "") in kept


@pytest.mark.parametrize("text", ["\ud800 song \udfff", "\x00", "", "\u6a4b\U0001f600", "song " * 5000])
def test_any_text_is_a_premise(checkpoint: str, text: str) -> None:
    """Lone surrogates, NUL, nothing, unknown letters and very long texts are judged like others."""
    (reply,) = answers([asked(checkpoint, text, "starr")])
    assert isinstance(reply, Reply)


def test_a_hypothesis_that_leaves_no_room_is_the_rows_own_fault(checkpoint: str) -> None:
    """A claim that fills the model ends its row with the reason, and the rows beside it are answered."""
    long, usual = answers([asked(checkpoint, "starr", "song " * 60), asked(checkpoint, "starr", "song")])
    assert isinstance(long, ProviderError)
    assert (long.reaction, long.blames_row) == ("row", True)
    assert long.message == "nli: the hypothesis leaves 0 of 48 tokens for the premise"
    assert isinstance(usual, Reply)


def test_calls_in_flight_form_batches(checkpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that waits is judged at once, at most `concurrency` pairs; each caller gets the reply to its own pair."""
    sizes: list[int] = []
    judge_pairs = NliModel.judge

    def counted(self: NliModel, pairs: Sequence[Pair], batch_size: int) -> list[Judged | str]:
        sizes.append(len(pairs))
        return judge_pairs(self, pairs, batch_size)

    monkeypatch.setattr(NliModel, "judge", counted)
    calls = [asked(checkpoint, " ".join(WORDS[: n + 1]), "starr") for n in range(10)]
    found = answers(calls, replace(ACCOUNT, concurrency=4))
    assert sizes == [4, 4, 2]
    assert [reply.key for reply in found if isinstance(reply, Reply)] == [call.key for call in calls]
    alone = [answers([call])[0] for call in calls]
    assert found == alone


def test_a_checkpoint_is_loaded_once(checkpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks while a checkpoint is loaded waits for that one; another checkpoint is loaded beside it."""
    loaded: list[str] = []

    def load(name: str) -> NliModel:
        loaded.append(name)
        return NliModel(name)

    monkeypatch.setattr(nli_desk, "NliModel", load)
    found = answers([asked(checkpoint, "starr", word) for word in WORDS] + [asked("/none/such", "a", "b")])
    assert sorted(loaded) == ["/none/such", checkpoint]
    assert sum(isinstance(reply, Reply) for reply in found) == len(WORDS)


@pytest.mark.parametrize("name", ["/none/such", "not a name!"])
def test_a_missing_checkpoint_stops_the_account(checkpoint: str, name: str) -> None:
    """Fatal once, in the library's words, and naming the checkpoint; so is one that is no model."""
    (error,) = answers([asked(name, "a", "b")])
    assert isinstance(error, ProviderError)
    assert error.reaction == "account"
    assert error.message.startswith(f"nli: checkpoint '{name}': cannot be loaded: ")


@pytest.mark.parametrize("spoiled", ["config.json", "model.safetensors"])
def test_a_broken_checkpoint_stops_the_account(tmp_path: Path, spoiled: str) -> None:
    """A file that is there but is not what it should be is said, not raised through."""
    path = build_checkpoint(tmp_path / "broken", ODD_ORDER)
    (tmp_path / "broken" / spoiled).write_bytes(b"\x00" * 100)
    (error,) = answers([asked(path, "a", "b")])
    assert isinstance(error, ProviderError)
    assert error.reaction == "account"
    assert f"checkpoint '{path}': cannot be loaded" in error.message


def test_loading_has_a_deadline(checkpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint that does not come ends the account, with words on what to do, before the attempt runs out."""

    def load(name: str) -> NliModel:
        time.sleep(1.0)
        return NliModel(name)

    monkeypatch.setattr(nli_desk, "NliModel", load)
    (error,) = answers([asked(checkpoint, "a", "b")], replace(ACCOUNT, timeout_seconds=0.2))
    assert isinstance(error, ProviderError)
    assert error.reaction == "account"
    assert error.message == (
        f"nli: checkpoint '{checkpoint}': not loaded within 0.18 s; download it beforehand or raise "
        "providers.nli.timeout_seconds"
    )


@pytest.mark.parametrize(
    ("raised", "expected"), [(RuntimeError("out of memory"), ProviderError), (KeyError("bug"), KeyError)]
)
def test_a_batch_that_fails_leaves_nobody_waiting(
    checkpoint: str, monkeypatch: pytest.MonkeyPatch, raised: Exception, expected: type[Exception]
) -> None:
    """PyTorch's own failures may pass and are tried again; a mistake of this program surfaces, in every caller."""

    def fail(self: NliModel, pairs: Sequence[Pair], batch_size: int) -> list[Judged | str]:
        raise raised

    monkeypatch.setattr(NliModel, "judge", fail)
    found = answers([asked(checkpoint, "a", word) for word in WORDS[:3]])
    assert [type(error) for error in found] == [expected] * 3
    assert all(not isinstance(error, ProviderError) or error.reaction == "retry" for error in found)


def test_a_caller_that_leaves_takes_nothing_from_the_others(
    checkpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an attempt ran out of time while its batch was judged, the rest of the batch gets its replies."""
    begun, left = threading.Event(), threading.Event()
    judge_pairs = NliModel.judge

    def slow(self: NliModel, pairs: Sequence[Pair], batch_size: int) -> list[Judged | str]:
        begun.set()
        left.wait(timeout=30)
        return judge_pairs(self, pairs, batch_size)

    async def run() -> list[Reply | BaseException]:
        client = connect(ACCOUNT)
        waiting = [asyncio.create_task(client.answer(asked(checkpoint, "starr", word))) for word in WORDS[:3]]
        await asyncio.to_thread(begun.wait, 30)
        waiting[0].cancel()
        await asyncio.sleep(0)
        left.set()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        await client.close()
        return found

    monkeypatch.setattr(NliModel, "judge", slow)
    found = asyncio.run(run())
    assert [type(reply) for reply in found] == [asyncio.CancelledError, Reply, Reply]


@pytest.mark.parametrize("user", ["Question: so?", "[]", '{"premise": "a"}', '{"premise": "a", "hypothesis": 1}'])
def test_calls_of_designs_stop_the_account(checkpoint: str, user: str) -> None:
    """An NLI judge that was given to a design says at once what it is for."""
    (error,) = answers([Call("nli", checkpoint, "C", user)])
    assert isinstance(error, ProviderError)
    assert error.reaction == "account"
    assert "expected a JSON object with the texts premise, hypothesis" in error.message


def test_the_engines_actor_answers_pairs(checkpoint: str, tmp_path: Path) -> None:
    """The road of paid calls is that of pairs: an actor opens the client, answers a block and journals replies."""
    folder = RepliesFolder(tmp_path / "replies")
    folder.make()
    calls = [asked(checkpoint, TEXT, word) for word in WORDS]
    block = pa.table({"key": [c.key for c in calls], "call": [c.to_json().encode() for c in calls]}, schema=SCHEMA)

    async def go() -> list[dict[str, list[int]]]:
        pool = AnswerPool(PoolSetup(replace(ACCOUNT, concurrency=8), str(folder.path), "session"))
        counts = [table.to_pydict() async for table in pool(block)]
        await pool.close()
        return counts

    with run_lock(folder.run_lock, "session"):
        (counts,) = asyncio.run(go())
    assert counts["answered"] == [len(calls)]
    kept = {reply.key: reply.text for path in reply_journals(folder.journal) for reply in read_replies(path)}
    assert set(kept) == {call.key for call in calls}
    assert kept == {reply.key: reply.text for reply in answers(calls) if isinstance(reply, Reply)}
