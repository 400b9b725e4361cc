"""What holds for every diagnostic table of a grid: order of rows, names of judges, types without rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from judgeray.analysis.diagnostics.flips import class_flips, condition_flips
from judgeray.analysis.diagnostics.label_noise import label_noise
from judgeray.analysis.diagnostics.retest import retest
from judgeray.analysis.diagnostics.waves import waves
from judgeray.analysis.diagnostics.wordings import wording_contrasts, wordings
from judgeray.analysis.grid import grid_of
from judgeray.analysis.write import csv_text
from judgeray.rows import LABELS
from tests.analysis.diagnostics.made_verdicts import Rows
from tests.analysis.made_logs import make_log


def family(design: str) -> str:
    """C.v2 is of family C."""
    return design.partition(".")[0]


TABLES: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "condition_flips": lambda log: condition_flips(grid_of(log)),
    "class_flips": lambda log: class_flips(grid_of(log)),
    "wordings": lambda log: wordings(grid_of(log), family),
    "wording_contrasts": lambda log: wording_contrasts(grid_of(log), family),
    "retest": lambda log: retest(grid_of(log)),
    "waves": lambda log: waves(grid_of(log), log),
    "label_noise": lambda log: label_noise(grid_of(log), draws=50),
}


def noisy(judges: str = "ij") -> Rows:
    """Rows with gaps, silent replies, unequal questions, replicates, conditions, scores and served models."""
    rng = np.random.default_rng(8)
    rows: Rows = [
        {
            "dataset": dataset, "question_id": f"q{q}", "row_id": f"q{q}:{r}", "label": LABELS[(q + r) % kinds],
            "design": design, "judge": judge, "condition": condition, "replicate": replicate,
            "verdict": (LABELS[(q + r) % kinds], *LABELS, None)[rng.choice(5, p=[0.5, 0.1, 0.1, 0.2, 0.1])],
            "score": float(rng.integers(1, 6)) if rng.random() < 0.8 else None,
            "total_tokens": int(rng.integers(50, 500)), "served_model": ("m1", "m2", None)[rng.integers(3)],
        }
        for dataset, kinds in (("a", 2), ("b", 3)) for q in range(11) for r in range(1 + q % 3)
        for design in ("C", "C.v2", "H") for judge in judges for condition in ("full", "padding", "distractor")
        for replicate in range(2) if rng.random() < 0.9
    ]  # fmt: skip
    return [row | {"status": "ok" if row["verdict"] else "refused"} for row in rows]


@pytest.fixture(scope="module")
def log() -> pl.DataFrame:
    """A noisy log."""
    return make_log(noisy())


@pytest.mark.parametrize("name", TABLES)
def test_the_order_of_a_log_changes_no_byte(name: str, log: pl.DataFrame) -> None:
    """Shuffled, reversed or read again: the same CSV, and not an empty one."""
    text = csv_text(TABLES[name](log))
    assert text.count("\n") > 2
    for seed in range(2):
        assert csv_text(TABLES[name](log.sample(fraction=1, shuffle=True, seed=seed))) == text
    assert csv_text(TABLES[name](log.reverse())) == text


@pytest.mark.parametrize("name", TABLES)
def test_other_names_of_judges_only_rename(name: str, log: pl.DataFrame) -> None:
    """Judges i and j called z and a: the same lines under the new names."""
    names = {"i": "z", "j": "a"}
    table = TABLES[name](log).with_columns(pl.col("judge").replace_strict(names))
    renamed = TABLES[name](make_log(noisy("za")))
    assert sorted(map(str, renamed.rows())) == sorted(map(str, table.rows()))


@pytest.mark.parametrize("name", TABLES)
def test_lines_are_sorted_and_stand_once(name: str, log: pl.DataFrame) -> None:
    """Keys rise strictly, so that no line stands twice."""
    table = TABLES[name](log)
    keys = {
        "wordings": "dataset judge condition family design",
        "wording_contrasts": "dataset judge condition family_a family_b",
        "class_flips": "dataset judge design condition label",
        "waves": "dataset judge design condition wave",
        "label_noise": "dataset judge condition a b rate",
    }.get(name, "dataset judge design condition")
    found = table.select(keys.split()).rows()
    assert found == sorted(set(found))


@pytest.mark.parametrize("name", TABLES)
def test_types_do_not_depend_on_what_is_found(name: str, log: pl.DataFrame) -> None:
    """A log of one row without a verdict has every table, with the same types."""
    bare = make_log([{"verdict": None, "status": "pending"}])
    assert TABLES[name](bare).schema == TABLES[name](log).schema


@pytest.mark.parametrize("name", TABLES)
def test_intervals_hold_their_values(name: str, log: pl.DataFrame) -> None:
    """Wherever all three are known, low <= value <= high; ends are known together."""
    table = TABLES[name](log)
    for low in (column for column in table.columns if column.endswith("_low")):
        value, high = low.removesuffix("_low"), low.removesuffix("_low") + "_high"
        assert table[low].is_null().to_list() == table[high].is_null().to_list()
        known = table.drop_nulls([value, low, high])
        assert ((known[low] <= known[value] + 1e-12) & (known[value] <= known[high] + 1e-12)).all()
