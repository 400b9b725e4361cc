"""Laws of runs with many rows, at a smaller size: nothing settled is read again, memory and files are bounded."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from rich.console import Console

import judgeray.run.session as session_module
from judgeray.datasets import table as table_module
from judgeray.engine import ledger as ledger_module
from judgeray.engine import spool as spool_module
from judgeray.engine.rounds import Rounds
from judgeray.run import survey as survey_module
from judgeray.run.grid import RunOptions, run_grid
from judgeray.studies import parts as parts_module
from tests.benchmarks.big_run import write_table
from tests.benchmarks.made_replies import MadeAnswerer

SLICE, ROWS = 50, 300


class BigBench:
    """A run over a table whose replies are made here; counts what is asked and which rows are read."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.output = folder, folder / "run"
        self.asked: list[int] = []
        self.rows_read = 0
        bench = self

        class Counting(MadeAnswerer):
            def __exit__(self, *_: object) -> None:
                bench.asked.append(self.asked)

        read = table_module._item

        def counted(*given: object) -> object:
            bench.rows_read += 1
            return read(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(session_module, "Answerer", Counting)
        monkeypatch.setattr(table_module, "_item", counted)
        for module in (parts_module, survey_module):
            monkeypatch.setattr(module, "SLICE_ROWS", SLICE)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")

    def run(self, rows: int = ROWS, judge: str = "model: gpt-4.1") -> str:
        """Run to the end; returns what was said."""
        table = self.folder / f"rows-{rows}.parquet"
        if not table.exists():
            write_table(table, rows)
        manifest = self.folder / "big.yaml"
        manifest.write_text(
            f"name: big\ndatasets: {{big: {{layout: table, path: '{table}'}}}}\n"
            f"judges: {{judge: {{provider: openai, {judge}}}}}\ngrid: [{{designs: [C, H], judges: [judge]}}]\n",
            encoding="utf-8",
        )
        said, self.rows_read = StringIO(), 0
        assert run_grid(RunOptions(manifest, self.output), Console(file=said, width=200)) == 0
        return said.getvalue()

    def ledger(self) -> list[Path]:
        """Files of the ledger."""
        return sorted((self.output / "replies" / "ledger").rglob("*.parquet"))

    def derived(self) -> dict[str, bytes]:
        """Everything that is made from replies, by name."""
        files = (path for path in self.output.rglob("*") if path.is_file())
        kept = ("replies", "logs", "progress.json")
        return {
            name: path.read_bytes()
            for path in files
            if not (name := path.relative_to(self.output).as_posix()).startswith(kept)
        }


@pytest.fixture
def big(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BigBench:
    """A bench in a folder of its own."""
    return BigBench(tmp_path, monkeypatch)


def test_a_rerun_with_nothing_to_do_reads_no_row_and_changes_no_byte(big: BigBench) -> None:
    """A settled run is known by its records: no dataset row is read, no call asked, no file another."""
    big.run()
    before = big.derived()
    said = big.run()
    assert big.asked == [2 * ROWS, 0]
    assert big.rows_read <= 1  # the manifest's check that the file is a table
    assert "Nothing has changed" in said
    assert big.derived() == before


def test_what_is_lost_from_the_ledger_is_bought_again_and_nothing_else(big: BigBench) -> None:
    """Rows whose reply is gone are open again, wherever they stand; all others stay settled."""
    big.run()
    before = big.derived()
    lost = 0
    for path in big.ledger():
        frame = pl.read_parquet(path, hive_partitioning=False)
        kept = frame.sample(fraction=0.9, seed=1)
        lost += frame.height - kept.height
        kept.write_parquet(path)
    big.run()
    assert big.asked == [2 * ROWS, lost]
    after = big.derived()
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} <= {
        "derived.json",
        "report.html",
    }  # tells times


def test_another_judge_or_program_trusts_no_record(big: BigBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record counts only for the very making that its fingerprint tells: else rows are replayed."""
    big.run()
    big.run(judge="model: gpt-4.1, max_output_tokens: 77")
    assert big.asked == [2 * ROWS, 2 * ROWS]
    monkeypatch.setattr("judgeray.run.fingerprints.program_digest", lambda: "another")
    big.run(judge="model: gpt-4.1, max_output_tokens: 77")
    assert big.asked[-1] == 0
    assert big.rows_read > ROWS


def test_a_removed_or_changed_table_is_made_again(big: BigBench) -> None:
    """What is derived can be deleted: a rerun with nothing else to do rebuilds it, the same."""
    big.run()
    before = big.derived()
    (big.output / "tables" / "tokens.csv").unlink()
    (big.output / "report.md").write_text("mine", encoding="utf-8")
    said = big.run()
    assert "Nothing has changed" not in said
    assert big.derived() == before


def test_a_record_of_a_dataset_that_lacks_something_is_not_trusted(big: BigBench) -> None:
    """Facts that somebody cut out of provenance.json are found again by reading."""
    big.run()
    path = big.output / "provenance.json"
    document = json.loads(path.read_text())
    for facts in document["datasets"].values():
        del facts["rows"]
    path.write_text(json.dumps(document))
    big.run()
    assert big.asked == [2 * ROWS, 0]
    assert all(facts["rows"] == ROWS for facts in json.loads(path.read_text())["datasets"].values())


@pytest.mark.parametrize("left", [0, 100])
def test_a_damaged_verdict_file_is_made_again(big: BigBench, left: int) -> None:
    """What is derived is never in the way: a broken file is replaced from the replies, byte for byte."""
    big.run()
    before = big.derived()
    path = sorted((big.output / "verdicts").rglob("*.parquet"))[0]
    path.write_bytes(path.read_bytes()[:left])
    big.run()
    assert big.asked == [2 * ROWS, 0]
    assert big.derived() == before


def test_a_changed_data_file_is_read_again(big: BigBench) -> None:
    """Facts of a dataset hold for the file that they were read from and no other."""
    big.run()
    write_table(big.folder / f"rows-{ROWS}.parquet", ROWS + 20)
    said = big.run()
    assert f"{ROWS + 20} rows" in said
    assert big.asked == [2 * ROWS, 2 * 20]


def test_compaction_leaves_few_files_and_no_small_ones(big: BigBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many rounds a partition has no more files than its replies need, and at most one that is not full."""
    monkeypatch.setattr(ledger_module, "PART_REPLIES", 400)
    monkeypatch.setattr(session_module, "Rounds", partial(Rounds, window_calls=60))
    big.run()
    sizes = [pq.read_metadata(path).num_rows for path in big.ledger()]
    assert sum(sizes) == 2 * ROWS
    assert len(sizes) <= 2
    assert min(sizes) >= 100
    verdicts = [path.parent for path in (big.output / "verdicts").rglob("*.parquet")]
    assert max(map(verdicts.count, verdicts)) == ROWS // SLICE


def peak_bytes(work: Callable[[], object]) -> int:
    """Most memory that Python objects took while something was done.

    What earlier tests left is put out of the collector's sight: it collects the more seldom the more it sees.
    """
    gc.collect()
    gc.freeze()
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()


def test_memory_does_not_grow_with_the_rows(big: BigBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many rows take no more memory than a bounded window of calls does, but for what a report shows."""
    monkeypatch.setattr(session_module, "Rounds", partial(Rounds, window_calls=200))
    monkeypatch.setattr(ledger_module, "PART_REPLIES", 200)
    monkeypatch.setattr(spool_module, "FILE_CALLS", 100)
    monkeypatch.setattr(session_module, "finish_run", lambda *_: None)
    big.run(100)  # what is imported and cached once
    for rows in (600, 1_200):
        write_table(tmp_path / f"rows-{rows}.parquet", rows)
    big.output = tmp_path / "small"
    small = peak_bytes(lambda: big.run(600))
    big.output = tmp_path / "large"
    large = peak_bytes(lambda: big.run(1_200))
    assert large <= 1.15 * small
