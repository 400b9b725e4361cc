"""Laws of the driver's log: it tells how a run began, went on and ended, however it ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judgeray.engine.observe.observed import Observed
from judgeray.engine.observe.run_observer import RunObserver


@pytest.fixture
def observed(tmp_path: Path) -> Observed:
    """A session below a run directory."""
    return Observed.below(tmp_path, "r", "0123456789abcdef")


def lines(observed: Observed) -> list[dict[str, Any]]:
    """The driver's log."""
    return [json.loads(line) for line in (Path(observed.folder) / "driver.jsonl").read_text().splitlines()]


def test_run_that_goes_well_says_so(observed: Observed) -> None:
    """The first line says what runs, the last how it ended and how long it took."""
    observer = RunObserver(observed)
    with observer.run(version="1", arms=3):
        observer.round_planned(1, {"openai": 5}, {"openai": 2}, {})
        observer.compacted(5, 0.25)
        observer.ending = "done"
    started, planned, compacted, ended = lines(observed)
    assert (started["event"], started["run"], started["arms"]) == ("run_started", "r", 3)
    assert (planned["round"], planned["wanted"], planned["known"]) == (1, {"openai": 5}, {"openai": 2})
    assert (compacted["event"], compacted["replies"], compacted["seconds"]) == ("compacted", 5, 0.25)
    assert (ended["event"], ended["state"]) == ("run_ended", "done")
    assert ended["seconds"] >= 0


def test_run_that_breaks_off_is_told_too(observed: Observed) -> None:
    """An exception ends the log with a last line of its own, and goes on its way."""
    with pytest.raises(KeyboardInterrupt), RunObserver(observed).run():
        raise KeyboardInterrupt
    assert (lines(observed)[-1]["event"], lines(observed)[-1]["state"]) == ("run_ended", "broken off")


def test_broken_stream_is_told_by_its_kind(observed: Observed) -> None:
    """Storage's own words are logged; of any other error, which may quote a row, its name alone."""
    observer = RunObserver(observed)
    observer.stream_broke("openai", "OSError: [Errno 28] No space left on device")
    observer.stream_broke("openai", "ValueError: this is not JSON: 'the moon is made of cheese'")
    full, broken = lines(observed)
    assert (full["event"], full["words"]) == ("storage_problem", "OSError: [Errno 28] No space left on device")
    assert (broken["event"], broken["error"], broken["provider"]) == ("account_stopped", "ValueError", "openai")
    assert "cheese" not in str(broken)


def test_driver_that_is_not_observed_is_silent(tmp_path: Path) -> None:
    """Tests and programs that want no log get none, and no metrics."""
    observer = RunObserver()
    with observer.run():
        observer.progress("openai", 5, 3)
        observer.accounts_opened({})
    assert observer.observed is None
    assert list(tmp_path.iterdir()) == []
