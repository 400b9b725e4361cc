"""Laws of a run that is killed, stopped or refused: nothing bought is lost, nothing is bought twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess

import polars as pl
import psutil
import pytest

from judgeray.cli.main import main
from judgeray.emulator.audit import Counts
from tests.run.bench import MakeBench

CALLS = 2 * 40 * 2 * 2  # datasets x rows x designs x judges
CONCURRENCY = 8
HOW = f"""
providers:
  openai: {{concurrency: {CONCURRENCY}}}
  anthropic: {{concurrency: {CONCURRENCY}}}
"""
SLOW = {"latency_seconds": 0.15, "latency_sigma": 0.3}


def repeats(counts: Counts) -> int:
    """Requests beyond one per prompt."""
    return counts["received"] - counts["prompts"]


def test_killed_three_times_loses_and_doubles_nothing(
    make_bench: MakeBench, capsys: pytest.CaptureFixture[str]
) -> None:
    """SIGKILL of the driver at random moments: a rerun repeats at most the calls in flight at each kill."""
    bench = make_bench(extra=HOW, **SLOW).through_ray()
    draw = random.Random(20261130)
    for _ in range(3):
        process = bench.start()
        bench.wait_until_journaled(draw.randrange(5, 60), process)
        bench.kill(process)
    assert main(["status", str(bench.output)]) == 0
    told = capsys.readouterr().out
    assert "died while answering: nobody holds it" in told
    assert "in journals and not in the ledger yet" in told
    code, said = bench.run()
    assert code == 0, said
    assert main(["verify", str(bench.output)]) == 0
    counts = bench.emulator.counts()
    assert counts["prompts"] == CALLS
    assert repeats(counts) <= 3 * 2 * CONCURRENCY
    verdicts = bench.verdicts()
    assert verdicts.height == CALLS
    assert verdicts.select("dataset", "design", "judge", "row_id").n_unique() == CALLS
    assert set(verdicts["status"]) == {"ok"}


def test_killed_actor_is_replaced_within_the_run(make_bench: MakeBench) -> None:
    """SIGKILL of an actor: the same run goes on and repeats at most what that actor had in flight."""
    bench = make_bench(extra=HOW, **SLOW).through_ray()
    process = bench.start()
    bench.wait_until_journaled(30, process)
    family = psutil.Process(process.pid).children(recursive=True)
    actors = [child for child in family if "AnswerPool" in " ".join(child.cmdline())]
    assert len(actors) == 2
    actors[0].kill()
    said, _ = process.communicate(timeout=150)
    assert process.returncode == 0, said
    counts = bench.emulator.counts()
    assert counts["prompts"] == CALLS
    assert repeats(counts) <= CONCURRENCY
    assert bench.verdicts().height == CALLS


@pytest.mark.parametrize("ray", [False, True], ids=["here", "ray"])
def test_ctrl_c_stops_cleanly_and_the_same_command_continues(make_bench: MakeBench, ray: bool) -> None:
    """The first Ctrl-C lets calls in flight finish, keeps everything, says how to continue; nothing repeats."""
    bench = make_bench(extra=HOW, **SLOW)
    bench = bench.through_ray() if ray else bench
    process = bench.start()
    bench.wait_until_journaled(30, process)
    os.killpg(process.pid, signal.SIGINT)  # a terminal's Ctrl-C reaches Ray's processes too
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "The same command continues" in said
    assert bench.progress()["state"] == "interrupted"
    stopped = bench.verdicts()
    assert stopped.height == CALLS
    assert set(stopped["status"]) == {"ok", "pending"}
    assert set(stopped.filter(stopped["status"] == "pending")["verdict"]) == {None}
    code, said = bench.run()
    assert code == 0, said
    assert repeats(bench.emulator.counts()) == 0
    assert set(bench.verdicts()["status"]) == {"ok"}


def test_unknown_model_stops_its_provider_alone(make_bench: MakeBench) -> None:
    """A fatal refusal costs a handful of calls, is said in the provider's words, and stops nobody else."""
    bench = make_bench(extra=HOW, known_models=("claude-opus-4-6",))
    code, said = bench.run()
    assert code == 3
    assert "openai stopped" in said
    assert "404" in said
    counts = bench.emulator.counts()
    assert counts["by_model"] == {"claude-opus-4-6": CALLS // 2}
    assert counts["statuses"]["404"] <= 10
    verdicts = bench.verdicts()
    assert set(verdicts.filter(pl.col("judge") == "opus")["status"]) == {"ok"}
    assert set(verdicts.filter(pl.col("judge") == "gpt")["status"]) == {"undelivered", "pending"}


def test_second_run_in_the_same_folder_is_refused(
    make_bench: MakeBench, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two commands on one run directory would buy twice; the second is told at once. Onlookers disturb nobody."""
    bench = make_bench(extra=HOW, latency_seconds=2.0)
    process: subprocess.Popen[str] = bench.start()
    bench.wait_until_journaled(5, process)
    code, said = bench.run()
    assert code == 2
    assert "another run is using this replies folder" in said
    assert main(["verify", str(bench.output)]) == 2
    assert "a run goes on here" in capsys.readouterr().err
    while main(["status", str(bench.output), "--json"]) == 0:
        found = json.loads(capsys.readouterr().out)
        assert found["state"] == "running"
        if found["doing"] == "answering" and all(facts["eta_seconds"] for facts in found["providers"].values()):
            break
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, said


@pytest.mark.parametrize("options", [("--reanalyze",), ("--dry-run",)])
def test_commands_without_calls_send_nothing(make_bench: MakeBench, options: tuple[str, ...]) -> None:
    """Planning and reading again never reach a provider."""
    bench = make_bench(extra=HOW)
    code, said = bench.run(*options)
    assert code == (3 if "--reanalyze" in options else 0), said
    assert bench.emulator.counts()["requests"] == 0
