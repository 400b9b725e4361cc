"""Same log, same bytes: whatever the order of its rows; and CSV cells that stay data."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.analysis import analyze, read_log, write_tables
from judgeray.analysis.write import csv_text, write_whole


def noisy_log(folder: Path) -> pl.DataFrame:
    """Write and read a log with gaps, replicates, two conditions and unequal questions."""
    rng = np.random.default_rng(5)
    rows = [
        {
            "dataset": dataset, "question_id": f"q{q}", "row_id": f"q{q}:{r}", "label": "supported",
            "design": design, "judge": judge, "condition": condition, "replicate": replicate, "complexity": q % 7,
            "verdict": ("supported", "unsupported", None)[rng.choice(3, p=[0.6, 0.3, 0.1])],
            "total_tokens": int(rng.integers(50, 500)) if rng.random() < 0.9 else None,
            "cost_usd": float(rng.random()), "confidence": float(rng.random()), "score": float(rng.integers(1, 6)),
        }
        for dataset in ("a", "b") for q in range(13) for r in range(1 + q % 3) for design in "CHR"
        for judge in "ij" for condition in ("full", "padding") for replicate in range(2) if rng.random() < 0.9
    ]  # fmt: skip
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(folder / "log.parquet")
    return read_log(folder / "log.parquet")


def _texts(log: pl.DataFrame) -> dict[str, str]:
    return {name: csv_text(table) for name, table in analyze(log).items()}


def test_the_order_of_rows_changes_no_byte(tmp_path: Path) -> None:
    """Shuffled rows, chunked rows and a second run give the same CSV files."""
    log = noisy_log(tmp_path)
    texts = _texts(log)
    assert all(text.count("\n") > 1 for text in texts.values())
    assert _texts(log) == texts
    for seed in range(4):
        shuffled = log.sample(fraction=1, shuffle=True, seed=seed)
        assert _texts(pl.concat([shuffled.head(50), shuffled.slice(50)], rechunk=False)) == texts


def test_files_hold_what_the_tables_say(tmp_path: Path) -> None:
    """`tables/NAME.csv` reads back to the table within 12 significant digits, and nothing else is left there."""
    tables = analyze(noisy_log(tmp_path))
    paths = write_tables(tables, tmp_path / "out")
    assert sorted((tmp_path / "out" / "tables").iterdir()) == sorted(paths)
    for path, table in zip(paths, tables.values(), strict=True):
        back = pl.read_csv(path, schema=table.schema)
        for name, kind in table.schema.items():
            if kind == pl.Float64:
                assert back[name].is_null().to_list() == table[name].is_null().to_list()
                assert ((back[name] - table[name]).abs().fill_null(0) < 1e-9).all()
            else:
                assert back[name].to_list() == table[name].to_list()


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (0.1 + 0.2, "0.3"),
        (-0.0, "0"),
        (1.0, "1"),
        (1 / 3, "0.333333333333"),
        (4.4460957924725e-24, "4.44609579247e-24"),
    ],
)
def test_floats_have_one_spelling(value: float, cell: str) -> None:
    """Twelve significant digits, no negative zero."""
    assert csv_text(pl.DataFrame({"x": [value]})) == f"x\n{cell}\n"


def test_unknown_is_an_empty_cell() -> None:
    """Null and NaN are empty, zero is 0."""
    assert csv_text(pl.DataFrame({"x": [None, float("nan"), 0.0], "n": [None, 1, 0]})) == "x,n\n,\n,1\n0,0\n"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_text_cell_is_a_formula(start: str) -> None:
    """A spreadsheet shows text that starts like a formula as text; negative numbers stay numbers."""
    text = csv_text(pl.DataFrame({"judge": [f"{start}cmd|' /C calc'!A0"], "delta": [-0.5]}))
    ((judge, delta),) = list(csv.reader(StringIO(text, newline="")))[1:]
    assert judge.startswith(f"'{start}")
    assert delta == "-0.5"


@settings(max_examples=100, deadline=None)
@given(text=st.text(min_size=1))
def test_any_text_reads_back(text: str) -> None:
    """Quotes, line breaks, NUL and any script survive CSV; only a formula's start gains an apostrophe."""
    written = csv_text(pl.DataFrame({"judge": [text], "n": [1]}))
    ((cell, _),) = list(csv.reader(StringIO(written, newline="")))[1:]
    assert cell.removeprefix("'") == text.removeprefix("'")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is replaced whole or not at all, and no temporary file stays."""
    path = tmp_path / "t.csv"
    write_whole(path, "old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
