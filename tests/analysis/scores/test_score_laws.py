"""What holds for every table of a scores log: order of rows, order of lines, types without rows, intervals."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from judgeray.analysis.scores import analyze_scores
from judgeray.analysis.write import csv_text
from tests.analysis.scores.made_scores import Rows, ladder, make_log

KEYS = {
    "tracking": "dataset metric judge",
    "level_means": "dataset metric judge level",
    "steps": "dataset metric judge from_level",
    "metric_contrasts": "dataset metric_a judge_a metric_b judge_b",
    "controls": "dataset metric judge control",
    "size_quality": "dataset metric judge",
}


def noisy() -> Rows:
    """Two datasets, metrics with gaps, ties and replicates, judges with and without sizes, controls."""
    rng = np.random.default_rng(9)
    rows: Rows = []
    for dataset, metric, judge in ((d, m, j) for d in "ab" for m in ("fc", "grade") for j in ("x:7b", "y")):
        for question in range(13):
            for replicate in range(1 + (metric == "grade")):
                scores = [float(round(9 - 2 * level + rng.normal(0, 2))) if rng.random() < 0.9 else None
                          for level in range(5)]  # fmt: skip
                controls = {f"control.{name}": 8 + float(rng.normal()) for name in ("padded", "restyled")}
                rows += ladder(f"q{question}", scores, controls, dataset=dataset, metric=metric, judge=judge,
                               replicate=replicate, cost_usd=float(rng.random()), total_tokens=5)  # fmt: skip
    return rows


@pytest.fixture(scope="module")
def log() -> pl.DataFrame:
    """A noisy log."""
    return make_log(noisy())


@pytest.fixture(scope="module")
def tables(log: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Its tables."""
    return analyze_scores(log)


def test_the_order_of_a_log_changes_no_byte(log: pl.DataFrame, tables: dict[str, pl.DataFrame]) -> None:
    """Shuffled, reversed or read again: the same CSV, and not an empty one."""
    texts = {name: csv_text(table) for name, table in tables.items()}
    assert set(texts) == set(KEYS)
    assert all(text.count("\n") > 2 for text in texts.values())
    for other in (log, log.reverse(), log.sample(fraction=1, shuffle=True, seed=3)):
        assert {name: csv_text(table) for name, table in analyze_scores(other).items()} == texts


def test_other_names_of_questions_change_no_value(log: pl.DataFrame, tables: dict[str, pl.DataFrame]) -> None:
    """Question ids only say what belongs together: renamed in the same order, every cell stays."""
    renamed = log.with_columns(pl.lit("p") + pl.col("question_id"))
    for name, table in analyze_scores(renamed).items():
        assert table.equals(tables[name])


@pytest.mark.parametrize("name", KEYS)
def test_lines_are_sorted_and_stand_once(name: str, tables: dict[str, pl.DataFrame]) -> None:
    """Keys rise strictly, so that no line stands twice."""
    found = tables[name].select(KEYS[name].split()).rows()
    assert found == sorted(set(found))


@pytest.mark.parametrize("name", KEYS)
def test_intervals_hold_their_values(name: str, tables: dict[str, pl.DataFrame]) -> None:
    """Wherever all three are known, low <= value <= high; ends are known together."""
    table = tables[name]
    for low in (column for column in table.columns if column.endswith("_low")):
        value, high = low.removesuffix("_low"), low.removesuffix("_low") + "_high"
        assert table[low].is_null().to_list() == table[high].is_null().to_list()
        assert ((table[low] <= table[value] + 1e-12) & (table[value] <= table[high] + 1e-12)).all()
        assert table[low].is_not_null().any()


@pytest.mark.parametrize("name", KEYS)
def test_types_do_not_depend_on_what_is_found(name: str, tables: dict[str, pl.DataFrame]) -> None:
    """A log of one pending answer has every table, with the same types."""
    bare = make_log([{"level": 0, "status": "pending"}])
    assert analyze_scores(bare)[name].schema == tables[name].schema


def test_a_dataset_stands_for_itself(log: pl.DataFrame, tables: dict[str, pl.DataFrame]) -> None:
    """But for p-values adjusted over the whole table, a dataset's lines are those it has alone."""
    alone = analyze_scores(log.filter(pl.col("dataset") == "a"))
    for name, table in tables.items():
        part = table.filter(pl.col("dataset") == "a").drop("p_holm", strict=False)
        assert part.equals(alone[name].drop("p_holm", strict=False))


def test_shifted_and_stretched_scores_keep_their_order() -> None:
    """Tau, shares, signs and p-values do not know the scale; changes grow with it."""
    rows = noisy()
    stretched = [row | {"value": None if row["value"] is None else 2 * row["value"] + 1} for row in rows]
    before, after = analyze_scores(make_log(rows)), analyze_scores(make_log(stretched))
    for name in ("kendall", "falling_pair_share", "strict_order_share", "questions_undefined"):
        assert before["tracking"][name].equals(after["tracking"][name])
    assert before["steps"]["p_holm"].equals(after["steps"]["p_holm"])
    assert after["steps"]["change"].to_list() == pytest.approx((2 * before["steps"]["change"]).to_list())
    assert after["tracking"]["pearson"].to_list() == pytest.approx(before["tracking"]["pearson"].to_list())
