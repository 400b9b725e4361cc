"""Laws of `judgeray status`: running, ended and dead are told apart, and nobody is disturbed by the question."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from judgeray.cli.main import main
from judgeray.core.call import Call
from judgeray.engine.batches.record import BatchRecords
from judgeray.engine.display import write_progress
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.lock import run_lock
from judgeray.engine.meter import Gauge
from tests.run.kept_run import contents, journaled, kept_run
from tests.studies.scripted import GPT, GRID, manifest_of, written
from tests.studies.scripted_judges import data_rows, honest, write_rows

Told = pytest.CaptureFixture[str]
CALLS = 8


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """Two questions, two designs, one judge."""
    write_rows(tmp_path, data_rows(2))
    return written(tmp_path, manifest_of("", GPT, GRID))


@pytest.fixture
def run(tmp_path: Path, manifest: Path) -> Path:
    """A run whose replies are in a journal still, and which said last that it was answering."""
    journaled(tmp_path / "run", manifest, honest)
    (tmp_path / "run" / "manifest.yaml").write_bytes(manifest.read_bytes())
    progress(tmp_path / "run", "answering")
    return tmp_path / "run"


def progress(run: Path, state: str, age_seconds: float = 0) -> None:
    """Write progress.json as a session does, some time ago."""
    gauge = Gauge(total=10, done=4, failed=1, in_flight=2, marks=[(0.0, 0), (2.0, 4)])
    write_progress(run / "progress.json", {"openai": gauge}, state)
    os.utime(run / "progress.json", (time.time() - age_seconds,) * 2)


def told(run: Path, told: Told) -> str:
    """What people are told."""
    assert main(["status", str(run)]) == 0
    return told.readouterr().out


def facts(run: Path, told: Told) -> Mapping[str, Any]:
    """What programs are told."""
    assert main(["status", str(run), "--json"]) == 0
    document: Mapping[str, Any] = json.loads(told.readouterr().out)
    return document


def test_a_live_run_has_a_rate_and_time_left(run: Path, capsys: Told) -> None:
    """While somebody holds the lock the run is running, and goes on holding it while others look."""
    lock = RepliesFolder(run / "replies").run_lock
    with run_lock(lock, "live"):
        before = contents(run)
        said, found = told(run, capsys), facts(run, capsys)
        assert contents(run) == before
        assert lock.read_text() == "live"
    assert "run: running: answering" in said
    assert "openai: 4 of 10 calls, 1 failed, 2.0 calls/s, 0:00:02 left" in said
    assert (found["state"], found["doing"]) == ("running", "answering")
    assert found["providers"]["openai"]["calls_per_second"] == 2.0
    assert found["providers"]["openai"]["in_flight"] == 2


@pytest.mark.parametrize("doing", ["planning", "answering", "stopping", "finishing"])
def test_a_dead_run_is_said_to_be_dead_and_how_to_go_on(doing: str, run: Path, capsys: Told) -> None:
    """Nobody holds the lock though progress.json says otherwise: since when, and what continues it."""
    progress(run, doing, age_seconds=3_700)
    said, found = told(run, capsys), facts(run, capsys)
    assert f"run: died while {doing}: nobody holds it, last sign 20" in said
    assert "1:01:4" in said
    assert "The same command continues." in said
    assert "/s" not in said
    assert (found["state"], found["doing"]) == ("died", doing)
    assert 3_700 <= found["age_seconds"] < 3_800
    assert found["providers"]["openai"]["eta_seconds"] is None


@pytest.mark.parametrize("state", ["done", "interrupted"])
def test_an_ended_run_is_as_it_ended(state: str, run: Path, capsys: Told) -> None:
    """Without a lock, the last word of the session counts; a lock taken since makes it a running one."""
    progress(run, state)
    assert f"run: {state} (20" in told(run, capsys)
    assert facts(run, capsys)["state"] == state
    with run_lock(RepliesFolder(run / "replies").run_lock, "next"):
        assert "run: running: a command holds it and has not written down any progress yet" in told(run, capsys)


def test_a_run_without_progress_has_not_begun(run: Path, capsys: Told) -> None:
    """A run directory of which nothing was written down is neither dead nor done."""
    (run / "progress.json").unlink()
    assert "run: nobody holds it, and no progress was written down" in told(run, capsys)
    found = facts(run, capsys)
    assert (found["state"], found["since"], found["age_seconds"]) == ("unknown", None, None)


def test_replies_in_journals_are_counted(run: Path, manifest: Path, capsys: Told) -> None:
    """What a dead run left in journals is kept: it is counted until a run takes it into the ledger."""
    progress(run, "stopping")
    assert f"{CALLS} replies are in journals and not in the ledger yet; the next run takes them in" in told(
        run, capsys
    )
    assert facts(run, capsys)["replies_in_journals"] == CALLS
    kept_run(run, manifest, honest)
    assert "journals" not in told(run, capsys)


def test_stops_are_told_with_their_reasons(run: Path, capsys: Told) -> None:
    """Each account that was stopped is named with the provider's words, and so is the run as a whole."""
    folder = RepliesFolder(run / "replies")
    folder.stop_flag("my account/eu").write_text("HTTP 401: \x1b[31mno such key")
    folder.stop_flag().touch()
    said, found = told(run, capsys), facts(run, capsys)
    assert "my account/eu stopped: HTTP 401: \\x1b[31mno such key" in said
    assert "all providers stopped: the run was told to stop" in said
    assert found["stops"] == [
        {"provider": None, "reason": ""},
        {"provider": "my account/eu", "reason": "HTTP 401: \x1b[31mno such key"},
    ]


def test_open_batches_and_costs_are_told(run: Path, manifest: Path, capsys: Told) -> None:
    """Batches still at a provider are named; kept replies have their cost, the rest an estimate."""
    BatchRecords(run / "batches").begin("openai", [Call("openai", "gpt-4.1", None, "x")])
    said, found = told(run, capsys), facts(run, capsys)
    assert "openai batch (not sent yet): 1 calls, intent, tag jr" in said
    assert "cost: $0.00 for kept replies, $0.0" in said
    assert [batch["calls"] for batch in found["open_batches"]] == [1]
    assert found["costs"]["left"]["value_usd"] > 0
    kept_run(run, manifest, honest)
    found = facts(run, capsys)
    assert found["costs"]["spent_usd"] > 0
    assert found["costs"]["left"]["value_usd"] == 0
    (run.parent / "rows.jsonl").unlink()
    assert "costs are not shown: " in told(run, capsys)
    assert facts(run, capsys)["costs"] is None


def test_replies_elsewhere_are_found_and_said_to_be_shared(run: Path, capsys: Told) -> None:
    """With `replies:` the lock and the batches are those of that folder, which another run may be using."""
    shared = run.parent / "shared" / "replies"
    RepliesFolder(shared).make()
    with (run / "manifest.yaml").open("a") as file:
        file.write(f"replies: '{shared}'\n")
    BatchRecords(run.parent / "shared" / "batches").begin("openai", [Call("openai", "gpt-4.1", None, "x")])
    assert facts(run, capsys)["state"] == "died"
    with run_lock(RepliesFolder(shared).run_lock, "live"):
        said, found = told(run, capsys), facts(run, capsys)
    assert f"its replies folder {shared} is shared: it may be another run that uses it now" in said
    assert (found["state"], found["shared_replies"]) == ("running", str(shared))
    assert len(found["open_batches"]) == 1


@pytest.mark.parametrize("text", ["{", "[]", '{"state": "done", "providers": 3}'])
def test_a_broken_progress_file_is_one_message(text: str, run: Path, capsys: Told) -> None:
    """A file of another program ends with exit code 2, without a traceback."""
    (run / "progress.json").write_text(text)
    assert main(["status", str(run)]) == 2
    said = capsys.readouterr().err
    assert "progress.json: " in said
    assert "Traceback" not in said
