"""Laws of diagnostics by the public command: all run offline, share what they can, and are bought once."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from judgeray.studies.diagnostics.registry import DIAGNOSTICS
from tests.run.bench import ROOT, Bench, MakeBench

KINDS = ("verdicts", "pairs", "texts")
SHARED_CONDITIONS = {"full", "cap_128", "cap_256", "cap_512", "reduced_reference", "no_reference", "markdown"}


def bench_of(make_bench: MakeBench, manifest: str) -> Bench:
    """A bench whose manifest is one that ships, answered by the bench's own emulator."""
    bench = make_bench(seed=42)
    text = (ROOT / "manifests" / manifest).read_text(encoding="utf-8").replace("emulator: {seed: 42}\n", "")
    address = f"emulator: {{seed: 42}}\nemulator_url: http://127.0.0.1:{bench.emulator.port}\n"
    bench.manifest.write_text(text + address, encoding="utf-8")
    return bench


def records(run: Path, folder: str) -> pl.DataFrame:
    """All records below a folder of a run."""
    return pl.read_parquet(run / folder / "**" / "*.parquet", hive_partitioning=False)


def test_all_diagnostics_run_offline_and_nothing_is_bought_twice(make_bench: MakeBench) -> None:
    """One run fills every chapter; calls that diagnostics share are sent once, and a second run sends none."""
    bench = bench_of(make_bench, "diagnostics.yaml")
    code, said = bench.run("--limit", "3")
    assert code == 0, said
    verdicts = records(bench.output, "verdicts")
    asked = [row for folder in KINDS for row in records(bench.output, folder)["call_keys"].to_list()]
    keys = {key for row in asked for key in row}
    assert bench.emulator.counts()["executed"] == len(keys)
    assert len(keys) < len(asked), "no two arms shared a call"
    assert set(records(bench.output, "texts")["parameters"]) == {'{"max_output_tokens": 256, "temperature": 0.7}'}
    assert "asqa.generated" in set(verdicts["dataset"])
    assert set(verdicts["condition"]) >= SHARED_CONDITIONS
    report = (bench.output / "report.md").read_text(encoding="utf-8")
    tables = {path.stem for path in (bench.output / "tables").glob("*.csv")}
    for name in set(DIAGNOSTICS) - {"label_standards"}:
        assert name in tables, f"no table of {name}"
    assert {"standard_agreement", "standard_accuracy", "swapped_references"} <= tables
    assert "## Pairwise order" in report
    assert "## Label standards" in report
    before = {path: path.read_bytes() for path in (bench.output / "tables").iterdir()}
    code, said = bench.run("--limit", "3")
    assert code == 0, said
    assert bench.emulator.counts()["executed"] == len(keys)
    assert {path: path.read_bytes() for path in (bench.output / "tables").iterdir()} == before


def test_pairs_alone_make_a_run(make_bench: MakeBench) -> None:
    """A manifest with nothing but pairs is judged, counted and reported like any other."""
    bench = bench_of(make_bench, "diagnostics/pairwise_order.yaml")
    code, said = bench.run("--samples", "--limit", "4")
    assert code == 0, said
    pairs = records(bench.output, "pairs")
    assert pairs.height == 2 * 2 * 2 * 4
    assert set(pairs["verdict"].drop_nulls()) <= {"first", "second", "tie"}
    assert "## Pairwise order" in (bench.output / "report.md").read_text(encoding="utf-8")
