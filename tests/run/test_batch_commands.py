"""Laws of open batches: Ctrl-C leaves them running and named, `status` shows them, `cancel` ends them, a run
takes them up."""

from __future__ import annotations

import signal
import time

import pytest

from judgeray.cli.main import main
from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.fault_settings import FaultRule, Faults
from judgeray.emulator.how import How
from tests.run.bench import MakeBench

DESK = "{mode: batch, batch: {poll_seconds: 0.2, find_seconds: 0.3}}"


def test_open_batches_are_left_shown_cancelled_and_taken_up(
    make_bench: MakeBench, capsys: pytest.CaptureFixture[str]
) -> None:
    """A batch outlives Ctrl-C; cancelled, what it had done is kept and the rest is bought again."""
    how = How(batches=Batches(batch_seconds=30.0, cancel_seconds=0.2))
    judge = "gpt: {provider: openai, model: gpt-4.1}"
    bench = make_bench(judges=judge, extra=f"providers: {{openai: {DESK}}}", how=how).through_ray()
    process = bench.start()
    end = time.monotonic() + 60
    while bench.emulator.counts()["batches"].get("retrieved", 0) < 2:
        assert time.monotonic() < end
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=90)
    assert process.returncode == 130, said
    assert "openai batch batch_" in said
    assert "the next run takes it up" in said
    assert main(["status", str(bench.output)]) == 0
    assert "openai batch batch_" in capsys.readouterr().out
    assert main(["cancel", str(bench.output)]) == 0
    assert "cancelled" in capsys.readouterr().out
    bench.manifest.write_text(bench.manifest.read_text().replace("mode: batch", "mode: realtime"))
    code, said = bench.run()
    assert code == 0, said
    counts = bench.emulator.counts()
    assert counts["prompts"] == counts["executed"] == 160
    assert set(bench.verdicts()["status"]) == {"ok"}


def test_expired_rows_alone_are_bought_again_by_the_planned_mode(make_bench: MakeBench) -> None:
    """40% of a batch expires: mode auto buys exactly those rows again, realtime; the others are kept."""
    faults = Faults(rules=(FaultRule(fault="expired", api="openai"),), expired_share=0.6)
    how = How(batches=Batches(batch_seconds=0.5), faults=faults)
    desk = DESK.replace("mode: batch, batch: {", "mode: auto, batch: {from_calls: 10, ")
    judge = "gpt: {provider: openai, model: gpt-4.1}"
    bench = make_bench(judges=judge, extra=f"providers: {{openai: {desk}}}", how=how)
    code, said = bench.run()
    assert code == 0, said
    counts = bench.emulator.counts()
    assert counts["executed"] == counts["prompts"] == 160
    assert counts["repeated"] == {}
    assert counts["batches"]["created"] == 1
    modes = dict(bench.verdicts().group_by("mode").len().iter_rows())
    assert modes == {"batch": 96, "realtime": 64}
