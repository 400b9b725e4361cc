"""Laws of perturbation studies by the public command: waves of calls, realtime or batched, never bought twice."""

from __future__ import annotations

import subprocess
import sys

import polars as pl
import pytest

from judgeray.cli.main import main
from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.how import How
from tests.run.bench import ROOT, Bench, MakeBench
from tests.run.test_shipped_manifests import TEST_PARSER

STUDY = f"""
perturbation:
  parser: {TEST_PARSER}
  writer: gpt
  levels: 2
  metrics:
    - {{metric: judge_score, judges: [gpt]}}
    - {{metric: factual_correctness, judges: [gpt]}}
"""
STEPS = 2 + 2
"""Calls of a ladder that one after the other wait for each other: paraphrase, ranking, two levels."""

VARIANTS = 3 + 3
"""A0 to A2, and three controls."""

METRICS = 2

IN_FLIGHT = 64


def study_bench(make_bench: MakeBench, questions: int, extra: str = "", how: How | None = None) -> Bench:
    """A bench with a perturbation study in the place of its grid."""
    bench = make_bench(judges="gpt: {provider: openai, model: gpt-4.1}", extra=extra, how=how, latency_seconds=0.01)
    lines = bench.manifest.read_text().splitlines()
    start, end = lines.index("datasets:"), next(n for n, line in enumerate(lines) if line.startswith("judges:"))
    kept = [*lines[:start], *lines[end:]]
    grid = kept.index("grid:")
    source = f"datasets: {{questions: {{layout: table, path: 'sample:questions', questions: {questions}}}}}"
    bench.manifest.write_text("\n".join([*kept[:grid], source, STUDY, *kept[grid + 2 :]]), encoding="utf-8")
    return bench


def command(bench: Bench, *options: str) -> list[str]:
    """The study's own job."""
    job = str(ROOT / "jobs" / "run_perturbation.py")
    return [sys.executable, job, str(bench.manifest), "--output", str(bench.output), *options]


def scores(bench: Bench) -> pl.DataFrame:
    """All scores of a run."""
    return pl.read_parquet(bench.output / "scores" / "**" / "*.parquet", hive_partitioning=False)


def asked(bench: Bench) -> set[str]:
    """Keys of all calls that the records of a run name."""
    folders = ("scores", "ladders")
    files = [path for folder in folders for path in (bench.output / folder).rglob("*.parquet")]
    return {key for path in files for row in pl.read_parquet(path)["call_keys"].to_list() for key in row}


def test_a_killed_study_goes_on_and_a_finished_one_buys_nothing(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After SIGKILL the same command repeats at most what was in flight; once more, it sends nothing."""
    bench = study_bench(make_bench, questions=4)
    monkeypatch.setattr(bench, "command", lambda *options: command(bench, *options))
    process: subprocess.Popen[str] = bench.start()
    bench.wait_until_journaled(3, process)
    bench.kill(process)
    code, said = bench.run()
    assert code == 0, said
    assert scores(bench).height == 4 * VARIANTS * METRICS
    executed = bench.emulator.counts()["executed"]
    assert len(asked(bench)) <= executed <= len(asked(bench)) + IN_FLIGHT
    tables = {path.stem for path in (bench.output / "tables").glob("*.csv")}
    assert {"tracking", "level_means", "steps", "metric_contrasts", "controls", "ladder_losses"} <= tables
    before = (bench.output / "report.html").read_bytes()
    code, said = bench.run()
    assert code == 0, said
    assert bench.emulator.counts()["executed"] == executed
    assert (bench.output / "report.html").read_bytes() == before
    assert main(["verify", str(bench.output)]) == 0
    assert main(["analyze", str(bench.output)]) == 0


def test_each_step_is_one_wave_of_batches(make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """In batch mode all questions take a step together: no more batches than steps, draws and metric waves."""
    desk = "providers: {openai: {mode: batch, batch: {poll_seconds: 0.2, find_seconds: 0.3}}}"
    bench = study_bench(make_bench, questions=3, extra=desk, how=How(batches=Batches(batch_seconds=0.2)))
    monkeypatch.setattr(bench, "command", lambda *options: command(bench, *options))
    code, said = bench.run()
    assert code == 0, said
    counts = bench.emulator.counts()
    assert counts["executed"] == len(asked(bench))
    most_draws, metric_waves = 2, 2
    assert STEPS <= counts["batches"]["created"] <= STEPS * (1 + most_draws) + metric_waves * (1 + most_draws)
    assert set(scores(bench)["mode"].drop_nulls()) == {"batch"}
