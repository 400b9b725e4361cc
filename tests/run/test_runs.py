"""Laws of a run that goes well: nothing is paid twice, and the same replies give the same bytes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.run.bench import JUDGES, Bench, MakeBench, running_bench

RAY_SESSIONS = Path("/tmp/ray")
CALLS = 2 * 40 * 2 * 2  # datasets x rows x designs x judges


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A bench whose run settled, made once; not to be changed."""
    with running_bench(tmp_path_factory.mktemp("settled"), JUDGES) as bench:
        code, said = bench.run()
        assert code == 0, said
        assert f"{CALLS} rows: {CALLS} ok" in said
        yield bench


@pytest.fixture
def finished(settled: Bench, tmp_path: Path) -> Bench:
    """A copy of the settled run, to do anything to."""
    shutil.copytree(settled.output, tmp_path / "out")
    shutil.copy(settled.manifest, tmp_path / "bench.yaml")
    return replace(settled, manifest=tmp_path / "bench.yaml", output=tmp_path / "out")


def derived(output: Path) -> dict[str, bytes]:
    """All derived files of a run."""
    files = [
        *output.glob("tables/*.csv"),
        output / "report.md",
        output / "report.html",
        *output.glob("verdicts/**/*.parquet"),
    ]
    return {str(path.relative_to(output)): path.read_bytes() for path in files}


def test_run_again_sends_nothing_and_changes_no_byte(finished: Bench) -> None:
    """The same command on a finished run makes no call; settings of how, and a deleted report, change nothing."""
    before = derived(finished.output)
    (finished.output / "report.md").unlink()
    text = finished.manifest.read_text() + "\nproviders: {openai: {concurrency: 3, max_attempts: 2}}\n"
    finished.manifest.write_text(text)
    code, said = finished.run()
    assert code == 0, said
    assert derived(finished.output) == before
    assert finished.emulator.counts()["received"] == CALLS


def test_reading_again_needs_no_provider(finished: Bench) -> None:
    """`--reanalyze` rebuilds verdicts from kept replies, and says how many moved."""
    before = derived(finished.output)
    path = sorted(finished.output.glob("verdicts/**/*.parquet"))[0]
    table = pq.read_table(path, partitioning=None)
    wrong = [{**row, "status": "unparsed", "verdict": None} for row in table.to_pylist()]
    pq.write_table(pa.Table.from_pylist(wrong, schema=table.schema), path)
    received = finished.emulator.counts()["received"]
    code, said = finished.run("--reanalyze")
    assert finished.emulator.counts()["received"] == received
    assert code == 0, said
    assert f"{table.num_rows} of {CALLS} verdicts moved" in said
    assert derived(finished.output) == before


def test_every_output_says_simulated(finished: Bench) -> None:
    """Emulated verdicts are marked on screen, in the log, the tables' folder, the report and the provenance."""
    _, said = finished.run()
    assert "SIMULATED" in said
    assert set(finished.verdicts()["simulated"]) == {True}
    assert "simulated" in (finished.output / "report.md").read_text()
    assert (finished.output / "tables" / "SIMULATED.txt").exists()
    provenance = json.loads((finished.output / "provenance.json").read_text())
    assert provenance["simulated"] is True
    assert all(model.startswith("simulated/") for names in provenance["served_models"].values() for model in names)


def test_verdicts_are_joined_to_their_rows_by_key(finished: Bench) -> None:
    """Each verdict row's call key is that of the row's own prompt, and its tokens are that reply's."""
    verdicts = finished.verdicts()
    keys = verdicts["call_keys"].list.get(0)
    assert keys.n_unique() == CALLS
    ledger = pl.read_parquet(finished.output / "replies" / "ledger" / "**" / "*.parquet", hive_partitioning=False)
    joined = verdicts.with_columns(key=keys).join(ledger, on="key", suffix="_kept")
    assert joined.height == CALLS
    assert joined["output_tokens"].equals(joined["output_tokens_kept"].alias("output_tokens"))
    whole = verdicts.filter((pl.col("label") == "supported") & (pl.col("design") == "C"))
    assert (whole["verdict"] == "supported").sum() > 0.9 * whole.height


def test_files_are_few(finished: Bench) -> None:
    """At most one verdict file per arm and one ledger file per model; no temporary file is left."""
    assert len(list(finished.output.glob("verdicts/**/*.parquet"))) == 2 * 2 * 2
    assert len(list(finished.output.glob("replies/ledger/**/*.parquet"))) == 2
    assert not list(finished.output.rglob("*.tmp"))


def test_no_key_in_anything_a_run_leaves(make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys in the environment are in no file, no line of output and no log of Ray's."""
    before = set(RAY_SESSIONS.glob("session_*"))
    secret = "sk-test-0123456789abcdefghij"
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, secret)
    bench = make_bench().through_ray()
    code, said = bench.run()
    assert code == 0, said
    assert secret not in said
    left = [folder for folder in RAY_SESSIONS.glob("session_*") if folder not in before and not folder.is_symlink()]
    assert left
    for path in (path for folder in (bench.output, *left) for path in folder.rglob("*")):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path


def test_limit_costs_so_many_questions_per_dataset(make_bench: MakeBench) -> None:
    """`--limit 2` judges two questions of each dataset; running without it later buys only the rest."""
    bench = make_bench()
    assert bench.run("--limit", "2")[0] == 0
    assert bench.verdicts().height == 2 * 2 * 2 * 2 * 2
    assert bench.emulator.counts()["received"] == 32
    assert bench.run()[0] == 0
    assert bench.emulator.counts()["received"] == CALLS
    assert bench.verdicts().height == CALLS


def test_dry_run_prints_calls_tokens_and_cost(make_bench: MakeBench) -> None:
    """The plan has a line per judge and design and a sum, and after a run nothing is wanted."""
    bench = make_bench()
    code, said = bench.run("--dry-run")
    assert code == 0
    for judge in ("gpt", "opus"):
        for design in ("C", "H"):
            assert re.search(rf"{judge}\s+{design}\s+0\s+80\s+[\d,]+\s+[\d,]+\s+\$\d", said), said
    assert re.search(r"all\s+0\s+320\s", said)


def test_dropped_arm_leaves_no_verdict_behind(finished: Bench) -> None:
    """Verdicts are those of the manifest as it is now; its kept replies stay for later."""
    finished.manifest.write_text(finished.manifest.read_text().replace("designs: [C, H]", "designs: [H]"))
    assert finished.run()[0] == 0
    assert set(finished.verdicts()["design"]) == {"H"}
    assert finished.emulator.counts()["received"] == CALLS


def test_emulator_at_base_url_is_never_taken_for_a_model(make_bench: MakeBench, tmp_path: Path) -> None:
    """A real run whose base_url leads to an emulator stops at once, and keeps no verdict."""
    bench = make_bench()
    text = bench.manifest.read_text()
    without = "\n".join(line for line in text.splitlines() if not line.startswith("emulator"))
    url = bench.emulator.openai_url
    accounts = f"providers: {{openai: {{base_url: '{url}', api_key_file: {tmp_path / 'key'}}}}}"
    (tmp_path / "key").write_text("any")
    one_judge = without.replace("judges: [gpt, opus]", "judges: [gpt]")
    bench.manifest.write_text(f"{one_judge}\n{accounts}\n")
    code, said = bench.run()
    assert code == 3, said
    assert "is judgeray's emulator, not a model" in said
    assert set(bench.verdicts()["verdict"]) == {None}


def test_missing_key_is_said_before_anything_starts(make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key a real run ends with exit 2 and names the variable."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    bench = make_bench()
    text = bench.manifest.read_text()
    bench.manifest.write_text("\n".join(line for line in text.splitlines() if not line.startswith("emulator")))
    code, said = bench.run()
    assert code == 2
    assert "no API key: set the environment variable" in said


@pytest.mark.parametrize("ray", [False, True], ids=["here", "ray"])
def test_budget_stops_before_it_is_passed_and_a_larger_one_continues(make_bench: MakeBench, ray: bool) -> None:
    """The run ends below its budget with the rest pending; with more money the same command buys only the rest."""
    bench = make_bench(extra="budget_usd: 0.20", judges="opus: {provider: anthropic, model: claude-opus-4-6}")
    bench = bench.through_ray() if ray else bench
    code, said = bench.run()
    assert code == 3, said
    assert "budget_usd is used up" in said
    verdicts = bench.verdicts()
    spent = verdicts["cost_usd"].sum()
    assert 0.10 < spent <= 0.20
    assert set(verdicts["status"]) == {"ok", "pending"}
    bought = bench.emulator.counts()["received"]
    assert bought == verdicts.filter(pl.col("status") == "ok").height
    bench.manifest.write_text(bench.manifest.read_text().replace("budget_usd: 0.20", "budget_usd: 20"))
    code, said = bench.run()
    assert code == 0, said
    assert f"of which ${spent:.2f} is spent" in said
    assert bench.emulator.counts()["received"] == CALLS // 2


def test_budget_needs_prices(make_bench: MakeBench) -> None:
    """A budget over a model whose price nobody knows is refused before anything is sent."""
    bench = make_bench(extra="budget_usd: 1", judges="x: {provider: openai, model: unheard-of}")
    code, said = bench.run()
    assert code == 2
    assert "budget_usd: the price of model 'unheard-of' is not known" in said
    assert bench.emulator.counts()["requests"] == 0
