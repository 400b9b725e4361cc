"""Laws of the progress display: it counts journals and the ledger, nothing else."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from judgeray.core.call import Call
from judgeray.core.reply import Failure, Reply
from judgeray.engine.display import Display, progress_line, progress_table, write_progress
from judgeray.engine.journal import JournalWriter
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.meter import Gauge, Meter
from judgeray.engine.rounds import Wanted

MakeCall = Callable[[str], Call]
MakeReply = Callable[..., Reply]


def metered(folder: RepliesFolder, known: int, wanted: int, price: float | None = 0.5) -> Meter:
    """A meter at the start of a round."""
    meter = Meter(folder.journal, lambda _: price)
    meter.begin(Wanted({}, {"openai": wanted}, {"openai": known}))
    return meter


def test_counts_after_a_resume_include_what_was_known(
    folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """A resumed run starts at what the ledger holds, not at zero, and ends at its total."""
    meter = metered(folder, known=7, wanted=3)
    writer = JournalWriter(folder.journal, "openai-1")
    meter.read()
    gauge = meter.gauges["openai"]
    assert (gauge.done, gauge.total) == (7, 10)
    for text in ("a", "b"):
        writer.append(make_reply(make_call(text)))
    writer.append(Failure(make_call("c").key, "openai", "too long", 1))
    meter.read()
    meter.read()
    assert (gauge.done, gauge.failed, gauge.total) == (9, 1, 10)
    assert (gauge.input_tokens, gauge.output_tokens, gauge.cost_usd) == (20, 10, 1.0)
    writer.close()


def test_unknown_cost_is_said_as_such(
    tmp_path: Path, folder: RepliesFolder, make_call: MakeCall, make_reply: MakeReply
) -> None:
    """A sum with an unknown part is not shown as a number."""
    meter = metered(folder, 0, 1, price=None)
    writer = JournalWriter(folder.journal, "openai-1")
    writer.append(make_reply(make_call("a")))
    writer.close()
    meter.read()
    assert "$?" in progress_line("openai", meter.gauges["openai"])
    write_progress(tmp_path / "progress.json", meter.gauges, "answering")
    assert json.loads((tmp_path / "progress.json").read_text())["providers"]["openai"]["cost_usd"] is None


def test_rate_and_time_left_come_from_marks() -> None:
    """Rate is calls per second between marks; time left follows from it; none is made up without marks."""
    gauge = Gauge(total=100, done=40)
    assert gauge.rate_per_second() is None
    assert gauge.eta_seconds() is None
    gauge.marks = [(10.0, 20), (12.0, 40)]
    assert gauge.rate_per_second() == 10.0
    assert gauge.eta_seconds() == 6.0
    assert "0:00:06" in progress_line("openai", gauge)


def test_display_is_quiet_off_a_terminal(tmp_path: Path) -> None:
    """Not on a terminal, no control character is written and lines come only now and then."""
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=False)
    with Display(console, tmp_path / "progress.json") as display:
        for _ in range(5):
            display.show({"openai": Gauge(total=3)}, "answering")
    assert "\x1b" not in screen.getvalue()
    assert screen.getvalue().count("openai") <= 1
    assert json.loads((tmp_path / "progress.json").read_text())["state"] == "answering"


def test_table_has_a_line_per_account() -> None:
    """Every provider account is shown."""
    assert progress_table({"b": Gauge(), "a": Gauge()}).row_count == 2
