"""Laws of logs: one JSON object a line, whatever is in it, and never more than a disk can take."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from judgeray.engine.observe.cap import BURST_LINES, LINES_PER_SECOND
from judgeray.engine.observe.event_log import MOST_CHARACTERS, EventLog
from judgeray.engine.observe.lines import open_lines
from tests.engine.observe.recorded import Clock, Kept


def test_line_says_when_how_grave_what_and_whose(tmp_path: Path) -> None:
    """Every line has time, level, event and context; facts that are not known are left out."""
    log = EventLog(open_lines(str(tmp_path / "logs"), "openai/a"), {"run": "r", "session": "s"})
    log.warning("retry", key="k", code="500", attempt=2, seconds=0.12345678, retry_after_seconds=None)
    log.close()
    (path,) = (tmp_path / "logs").iterdir()
    assert path.name == "openai%2Fa.jsonl"
    line = json.loads(path.read_text())
    assert line.pop("at").endswith("+00:00")
    whose = {"run": "r", "session": "s"}
    facts = {"key": "k", "code": "500", "attempt": 2, "seconds": 0.123457}
    assert line == {"level": "warning", "event": "retry"} | whose | facts


def test_any_text_stays_on_one_short_line() -> None:
    """Line breaks, lone surrogates, NUL and a megabyte neither break a line nor fill the log."""
    kept = Kept()
    log = EventLog(kept)
    log.error("account_stopped", words="\n\x00\ud800 é" + "x" * 1_000_000)
    log.info("round_planned", wanted={"openai": 3}, in_batches={})
    first, second = kept.events()
    assert first["words"].startswith("\n\x00\ud800 é")
    assert len(first["words"]) == MOST_CHARACTERS + 3
    assert (second["wanted"], second["in_batches"]) == ({"openai": 3}, {})
    assert all(line.isascii() and "\n" not in line for line in kept.lines)


def test_lines_that_come_with_calls_are_bounded_by_time() -> None:
    """A hundred thousand faults write a burst and then a trickle, and the lines say how many were left out."""
    kept, clock = Kept(), Clock()
    log = EventLog(kept, clock=clock)
    for _ in range(100_000):
        log.warning("busy", code="429")
    assert len(kept.lines) == BURST_LINES
    clock.now += 10
    for _ in range(100):
        log.warning("busy", code="429")
    later = kept.events()[BURST_LINES:]
    assert len(later) == int(10 * LINES_PER_SECOND)
    assert [line.get("left_out", 0) for line in later] == [100_000 - BURST_LINES, 0, 0, 0, 0]
    log.close()
    assert kept.events()[-1]["event"] == "left_out"
    assert kept.events()[-1]["lines"] == {"busy": 95}
    written = [line for line in kept.events() if line["event"] == "busy"]
    assert len(written) + sum(line.get("left_out", 0) for line in kept.events()) + 95 == 100_100


def test_one_event_does_not_silence_another() -> None:
    """Each event has its own allowance, and those that do not come with calls have no bound."""
    kept = Kept()
    log = EventLog(kept, clock=Clock())
    for _ in range(2 * BURST_LINES):
        log.warning("busy")
        log.info("batch_changed")
    log.error("call_failed")
    events = [line["event"] for line in kept.events()]
    assert events.count("batch_changed") == 2 * BURST_LINES
    assert events.count("busy") == BURST_LINES
    assert events[-1] == "call_failed"


def test_full_disk_stops_no_run() -> None:
    """Lines that storage does not take are lost, and the first that it takes again says how many."""
    kept = Kept()
    log = EventLog(kept)
    kept.full = True
    log.info("a")
    log.info("b")
    kept.full = False
    log.info("c")
    log.info("d")
    assert [(line["event"], line.get("lost")) for line in kept.events()] == [("c", 2), ("d", None)]


def test_nothing_is_written_before_the_first_event(tmp_path: Path) -> None:
    """A process that has nothing to tell leaves no file."""
    EventLog(open_lines(str(tmp_path / "logs"), "a")).close()
    assert list(tmp_path.iterdir()) == []


def test_no_other_handler_gets_the_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """A root handler, such as a Ray worker's, prints nothing of them."""
    handler = logging.StreamHandler()
    logging.getLogger().addHandler(handler)
    try:
        EventLog(Kept()).error("account_stopped", words="w")
        EventLog().error("account_stopped", words="w")
    finally:
        logging.getLogger().removeHandler(handler)
    told = capsys.readouterr()
    assert told.out + told.err == ""
