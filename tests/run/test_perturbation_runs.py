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
  metrics:
    - {{metric: judge_score, judges: [gpt]}}
    - {{metric: factual_correctness, judges: [gpt]}}
    - {{metric: support_verdict, name: support.H, design: H, judges: [gpt]}}
"""
STEPS = 2 + 4
"""Calls of a ladder that one after the other wait for each other: paraphrase, ranking, four levels."""

IN_FLIGHT = 64


def study_bench(make_bench: MakeBench, questions: int, extra: str = "", how: How | None = None) -> Bench:
    """A bench with a perturbation study in the place of its grid."""
    bench = make_bench(judges="gpt: {provider: openai, model: gpt-4.1}", extra=extra, how=how, latency_seconds=0.02)
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


@pytest.mark.parametrize("job", ["run_perturbation.py"])
def test_a_study_ends_with_its_tables_and_a_second_run_buys_nothing(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch, job: str
) -> None:
    """Every variant of every question under every metric has its row; all calls are recorded and sent once."""
    bench = study_bench(make_bench, questions=4)
    monkeypatch.setattr(bench, "command", lambda *options: command(bench, *options))
    code, said = bench.run()
    assert code == 0, said
    frame = scores(bench)
    assert frame.height == 4 * 8 * 3
    executed = bench.emulator.counts()["executed"]
    assert executed == len(asked(bench))
    tables = {path.stem for path in (bench.output / "tables").glob("*.csv")}
    assert {"tracking", "level_means", "steps", "metric_contrasts", "controls", "ladder_losses"} <= tables
    before = (bench.output / "report.html").read_bytes()
    code, said = bench.run()
    assert code == 0, said
    assert bench.emulator.counts()["executed"] == executed
    assert (bench.output / "report.html").read_bytes() == before
    assert main(["analyze", str(bench.output)]) == 0
    assert job in bench.command()[1]


def test_a_killed_study_repeats_at_most_what_was_in_flight(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After SIGKILL the same command goes on; nothing that was kept is asked again."""
    bench = study_bench(make_bench, questions=5)
    monkeypatch.setattr(bench, "command", lambda *options: command(bench, *options))
    process: subprocess.Popen[str] = bench.start()
    bench.wait_until_journaled(3, process)
    bench.kill(process)
    code, said = bench.run()
    assert code == 0, said
    counts = bench.emulator.counts()
    assert counts["executed"] <= len(asked(bench)) + IN_FLIGHT
    assert scores(bench).height == 5 * 8 * 3


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
