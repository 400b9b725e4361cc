"""Laws of averaging studies by the public command: sentences and claims, realtime or batched, bought once."""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl
import pytest

from judgeray.cli.main import main
from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.how import How
from tests.run.bench import ROOT, Bench, MakeBench

JUDGES = (
    "gpt: {provider: openai, model: gpt-4.1, temperature: 0, top_logprobs: 20}, "
    "haiku: {provider: anthropic, model: claude-haiku-4-5}"
)
STUDY = """
datasets: {{summaries: {{layout: table, path: "sample:summaries"{documents}}}}}
averaging: {{annotations: "sample:summary_sentences", claims: {{writer: haiku, judges: [gpt]}}}}
"""
SENTENCES = 94


def study_bench(
    make_bench: MakeBench, documents: int | None = None, extra: str = "", how: How | None = None
) -> Bench:
    """A bench with an averaging study in the place of its datasets and grid."""
    bench = make_bench(judges=JUDGES, extra=extra, how=how, latency_seconds=0.02)
    lines = bench.manifest.read_text(encoding="utf-8").splitlines()
    start, end = lines.index("datasets:"), next(n for n, line in enumerate(lines) if line.startswith("judges:"))
    kept = [*lines[:start], *lines[end:]]
    grid = kept.index("grid:")
    study = STUDY.format(documents="" if documents is None else f", questions: {documents}")
    bench.manifest.write_text("\n".join([*kept[:grid], study, *kept[grid + 2 :]]), encoding="utf-8")
    return bench


def command(bench: Bench, *options: str) -> list[str]:
    """The study's own job."""
    job = str(ROOT / "jobs" / "run_averaging.py")
    return [sys.executable, job, str(bench.manifest), "--output", str(bench.output), *options]


def rows(bench: Bench) -> pl.DataFrame:
    """All judged sentences and claims of a run."""
    return pl.read_parquet(bench.output / "sentences" / "**" / "*.parquet", hive_partitioning=False)


def asked(bench: Bench) -> set[str]:
    """Keys of all calls that the records of a run name."""
    files = [path for folder in ("sentences", "texts") for path in (bench.output / folder).rglob("*.parquet")]
    return {key for path in files for row in pl.read_parquet(path)["call_keys"].to_list() for key in row}


def derived(run: Path) -> dict[str, bytes]:
    """What is made of a run's records."""
    files = [run / "report.md", run / "report.html", *(run / "tables").glob("*.csv"), *(run / "review").iterdir()]
    return {path.name: path.read_bytes() for path in files}


def test_a_study_ends_with_its_report_and_a_second_run_buys_nothing(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every sentence has its row under both judges, with soft labels where the provider tells them, for good."""
    bench = study_bench(make_bench)
    monkeypatch.setattr(bench, "command", lambda *options: command(bench, *options))
    code, said = bench.run()
    assert code == 0, said
    found = rows(bench)
    sentences = found.filter(pl.col("unit") == "sentence")
    assert sentences.height == 2 * SENTENCES
    soft = dict(sentences.group_by("judge").agg(pl.col("soft").count()).rows())
    assert soft["haiku"] == 0
    assert soft["gpt"] == sentences.filter((pl.col("judge") == "gpt") & (pl.col("status") == "ok")).height > 80
    assert set(found.filter(pl.col("unit") == "claim")["judge"]) == {"gpt"}
    executed = bench.emulator.counts()["executed"]
    assert executed == len(asked(bench))
    tables = {path.stem for path in (bench.output / "tables").glob("*.csv")}
    assert {"mean_against_min", "diagnostic", "suspicious", "claim_lists", "caching"} <= tables
    before = derived(bench.output)
    code, said = bench.run()
    assert code == 0, said
    assert bench.emulator.counts()["executed"] == executed
    assert derived(bench.output) == before
    assert main(["verify", str(bench.output)]) == 0
    assert main(["analyze", str(bench.output)]) == 0
    assert derived(bench.output) == before


def test_sentences_and_claims_are_waves_of_batches(make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """In batch mode sentences and lists of claims go together, claims when their lists are there."""
    batch = "{mode: batch, batch: {poll_seconds: 0.2, find_seconds: 0.3}}"
    desks = f"providers: {{openai: {batch}, anthropic: {batch}}}"
    bench = study_bench(make_bench, 6, desks, How(batches=Batches(batch_seconds=0.2)))
    monkeypatch.setattr(bench, "command", lambda *options: command(bench, *options))
    code, said = bench.run()
    assert code == 0, said
    counts = bench.emulator.counts()
    assert counts["executed"] == len(asked(bench))
    assert counts["batches"]["created"] == 3
    found = rows(bench)
    assert set(found["mode"].drop_nulls()) == {"batch"}
    assert set(found["unit"]) == {"sentence", "claim"}
    caching = pl.read_csv(bench.output / "tables" / "caching.csv")
    assert (caching["saving_share"].abs() < 1).all()
