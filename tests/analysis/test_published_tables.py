"""A verdict log with the marginals that study 1 published must give its tables, digit for digit.

The log's rows are arranged freely within those marginals. Tables 2, 3, 15, 16, 17, 19 and 20 do not depend on
the arrangement; Table 18 does, and its seeds in `published_tables.json` name one arrangement that gives it.
"""

from __future__ import annotations

import json
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from statsmodels.stats.multitest import multipletests

from judgeray.analysis import analyze
from judgeray.report.contrast_views import contrast_views
from judgeray.report.cost_views import token_views
from judgeray.report.numbers import fixed, signed
from judgeray.stats.draws import half_sample_weights

PUBLISHED: dict[str, Any] = json.loads(Path(__file__).with_name("published_tables.json").read_text("utf-8"))
JUDGES: list[str] = PUBLISHED["judges"]
DATASETS = ("truthfulqa", "asqa", "qampari")
QUESTIONS = 200
OTHER_LABEL = {"truthfulqa": "unsupported", "asqa": "partially_supported", "qampari": "partially_supported"}

Right = NDArray[np.bool_]
Table = pl.DataFrame


def right_answers(dataset: str, judge: int) -> dict[str, Right]:
    """Arrange which rows each design gets right: arrays (question, [supported row, other row])."""
    rng = np.random.default_rng(PUBLISHED["arrangement"][dataset]["accuracy"][judge])
    counts = {design: _class_counts(dataset, design, judge) for design in _designs(dataset, judge)}
    wins = _parsed(PUBLISHED["contrasts"][dataset]["H - C"][judge][2])
    steps = _steps(counts["H"] - counts["C"], wins)
    changed = _place_in_bins(steps, dataset, judge, rng)
    holistic = _holistic(counts["H"], changed, rng)
    right = {"H": holistic, "C": (holistic - changed).astype(bool)}
    for design in counts.keys() - {"C", "H"}:
        steps = _steps(counts[design] - counts["H"], _wins(dataset, f"{design} - H", judge))
        right[design] = _moved(holistic, steps, rng)
    return {design: answers.astype(bool) for design, answers in right.items()}


def _designs(dataset: str, judge: int) -> list[str]:
    return [design for design, values in PUBLISHED["accuracy"][dataset].items() if judge < len(values)]


def _class_counts(dataset: str, design: str, judge: int) -> NDArray[np.int64]:
    total = round(float(PUBLISHED["accuracy"][dataset][design][judge]) * 2 * QUESTIONS)
    other = round(float(PUBLISHED["class_accuracy"][dataset][design][judge]) * QUESTIONS)
    return np.array([total - other, other])


def _parsed(wins: str) -> tuple[int, int]:
    a, b = wins.split(":")
    return int(a), int(b)


def _wins(dataset: str, pair: str, judge: int) -> tuple[int, int] | None:
    cells = PUBLISHED["contrasts"][dataset].get(pair)
    text = cells[judge][2] if cells else PUBLISHED["wins_in_text"][dataset].get(pair, [None] * 4)[judge]
    return _parsed(text) if text else None


def _steps(net: NDArray[np.int64], wins: tuple[int, int] | None) -> list[tuple[int, int]]:
    """List one change (supported row, other row) a question, with these net changes and questions won."""
    least = np.maximum(-net, 0).tolist()
    for more, more_other, both, both_lost in product(range(9), range(9), range(9), range(3)):
        lost, lost_other = least[0] + more, least[1] + more_other
        gain, gain_other = int(net[0]) + lost, int(net[1]) + lost_other
        fits = wins in (None, (gain + gain_other - both, lost + lost_other - both_lost))
        if fits and both <= min(gain, gain_other) and both_lost <= min(lost, lost_other):
            return (
                [(1, 1)] * both + [(1, 0)] * (gain - both) + [(0, 1)] * (gain_other - both)
                + [(-1, -1)] * both_lost + [(-1, 0)] * (lost - both_lost) + [(0, -1)] * (lost_other - both_lost)
            )  # fmt: skip
    raise AssertionError((net, wins))


def bin_sizes(dataset: str) -> list[int]:
    """Count the questions of each complexity bin; questions of a bin stand together."""
    return [rows // 2 for rows in PUBLISHED["complexity"].get(dataset, {}).get("rows", [2 * QUESTIONS])]


def _place_in_bins(
    steps: list[tuple[int, int]], dataset: str, judge: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    sizes = bin_sizes(dataset)
    need = [sum(map(sum, steps))]
    if len(sizes) > 1 and judge < 3:
        deltas = PUBLISHED["complexity"][dataset]["H - C"][judge]
        need = [round(float(delta) * 2 * size) for delta, size in zip(deltas, sizes, strict=True)]
    starts = np.cumsum([0, *sizes])
    free = [list(rng.permutation(np.arange(a, b))) for a, b in pairwise(starts.tolist())]
    if len(need) == 1:
        free = [list(rng.permutation(QUESTIONS))]
    changed = np.zeros((QUESTIONS, 2), dtype=np.int64)
    for step in sorted(steps, key=lambda step: (sum(step) > 0, -sum(step))):
        chosen = int(np.argmax([len(f) for f in free])) if sum(step) < 0 else int(np.argmax(need))
        need[chosen] -= sum(step)
        changed[free[chosen].pop()] = step
    assert not any(need)
    return changed


def _holistic(counts: NDArray[np.int64], changed: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Arrange H: right where it gained on C, wrong where it lost; wrong supported rows beside wrong others."""
    right = np.ones((QUESTIONS, 2), dtype=np.int64)
    right[changed < 0] = 0
    for column in (1, 0):
        free = rng.permutation(np.flatnonzero(changed[:, column] == 0))
        free = free[np.argsort(right[free, 1], kind="stable")]
        right[free[: right[:, column].sum() - counts[column]], column] = 0
    assert (right.sum(axis=0) == counts).all()
    return right


def _moved(base: NDArray[np.int64], steps: list[tuple[int, int]], rng: np.random.Generator) -> NDArray[np.int64]:
    moved, free = base.copy(), set(range(QUESTIONS))
    for step in sorted(steps, key=lambda step: (-abs(step[0]) - abs(step[1]), -abs(step[0]))):
        able = [q for q in rng.permutation(sorted(free)) if set((base[q] + step).tolist()) <= {0, 1}]
        free.remove(int(able[0]))
        moved[able[0]] += step
    return moved


def token_sums(dataset: str, judge: int) -> dict[str, int]:
    """Choose whole token sums over 400 rows whose means and differences print as published."""
    means = {design: PUBLISHED["tokens"][dataset][design][judge] for design in _designs(dataset, judge)}
    near = {
        design: [t for t in range(round(float(m) * 400) - 2, round(float(m) * 400) + 3) if fixed(t / 400, 2) == m]
        for design, m in means.items()
    }
    pairs = PUBLISHED["contrasts"][dataset]
    wanted = {pair: cells[judge][1] for pair, cells in pairs.items() if judge < len(cells)}
    for sums in product(*near.values()):
        chosen = dict(zip(near, sums, strict=True))
        printed = {pair: signed((chosen[pair[0]] - chosen[pair[-1]]) / 400, 2) for pair in wanted}
        if printed == wanted:
            return chosen
    raise AssertionError(wanted)


def total_tokens(dataset: str, judge: int) -> dict[str, NDArray[np.int64]]:
    """Arrange total tokens (question, row): C varies around an even H as its published interval asks."""
    sums = token_sums(dataset, judge)
    tokens = {design: _even(total, 2 * QUESTIONS).reshape(QUESTIONS, 2) for design, total in sums.items()}
    seeds = PUBLISHED["arrangement"][dataset]["tokens"]
    seed, spread, skew = seeds[judge] if judge < len(seeds) else (judge, 20.0, 0.01)
    difference = sums["H"] - sums["C"]
    shape = np.expm1(skew * np.random.default_rng(seed).normal(size=QUESTIONS)) / skew
    around = np.sign(difference) * spread * (shape - shape.mean()) / shape.std()
    whole = np.rint(difference / QUESTIONS + around).astype(np.int64)
    whole += _even(difference - int(whole.sum()), QUESTIONS)
    tokens["C"] = tokens["H"] - np.stack([whole // 2, whole - whole // 2], axis=1)
    return tokens


def _even(total: int, places: int) -> NDArray[np.int64]:
    shares = np.full(places, abs(total) // places)
    shares[: abs(total) % places] += 1
    return shares if total >= 0 else -shares


def output_tokens(dataset: str, design: str, judge: int, totals: NDArray[np.int64]) -> list[int | None]:
    """Arrange 400 output counts with the published quartiles, in the order of the rows' totals."""
    printed = PUBLISHED["output_tokens"][dataset].get(design, [None] * 4)[judge]
    if printed is None:
        return [None] * totals.size
    middle, first, third = (float(number.strip("[],")) for number in printed.split())
    levels = [np.floor(first), np.ceil(first), np.floor(middle), np.ceil(middle), np.floor(third), np.ceil(third)]
    outputs = np.empty(totals.size)
    outputs[np.argsort(totals.ravel(), kind="stable")] = np.repeat(levels, [100, 50, 50, 50, 50, 100])
    assert (outputs < totals.ravel()).all()
    return [int(count) for count in outputs]


def _cell(dataset: str, judge: int, design: str, right: Right, totals: NDArray[np.int64]) -> Table:
    questions = [f"{dataset}-{q:03d}" for q in range(QUESTIONS) for _ in range(2)]
    labels = ["supported", OTHER_LABEL[dataset]] * QUESTIONS
    wrong = {"supported": "partially_supported", OTHER_LABEL[dataset]: "supported"}
    verdicts = [label if good else wrong[label] for label, good in zip(labels, right.ravel(), strict=True)]
    bins = PUBLISHED["complexity"].get(dataset, {}).get("bins", [])
    lowest: list[int | None] = [int(name.split("-")[0].rstrip("+")) for name in bins]
    complexity = [
        low for low, size in zip(lowest or [None], bin_sizes(dataset), strict=True) for _ in range(2 * size)
    ]
    return pl.DataFrame(
        {
            "dataset": dataset, "question_id": questions,
            "row_id": [f"{q}:{label}" for q, label in zip(questions, labels, strict=True)],
            "label": labels, "design": design, "judge": JUDGES[judge], "condition": "full", "replicate": 0,
            "status": "ok", "verdict": verdicts, "total_tokens": totals.ravel(),
            "output_tokens": pl.Series(output_tokens(dataset, design, judge, totals), dtype=pl.Int64),
            "complexity": pl.Series(complexity, dtype=pl.Int64),
        }
    ).with_columns(
        *(pl.lit(None, dtype=pl.Int64).alias(f"{kind}_tokens") for kind in ("input", "reasoning", "cached"))
    )  # fmt: skip


def _with_branches(log: Table) -> Table:
    parts = []
    marked = log.with_columns((pl.col("judge") != "sonnet").alias("primary"))
    for (design, primary), rows in marked.partition_by("design", "primary", as_dict=True).items():
        counts = PUBLISHED["parsing"][design] if primary else {"whole": rows.height}
        branches = [branch for branch, count in counts.items() for _ in range(count)]
        parts.append(rows.with_columns(pl.Series("parse_branch", branches)))
    return pl.concat(parts)


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    """All tables of the 16,800-row log."""
    cells = []
    for dataset, judge in product(DATASETS, range(4)):
        right, totals = right_answers(dataset, judge), total_tokens(dataset, judge)
        cells += [_cell(dataset, judge, design, right[design], totals[design]) for design in sorted(right)]
    log = _with_branches(pl.concat(cells))
    assert log.height == 16_800
    return analyze(log)


def _published(name: str) -> dict[tuple[str, str, str], str]:
    cells = PUBLISHED[name].items()
    return {
        (dataset, design, judge): value
        for dataset, designs in cells
        for design, values in designs.items()
        for judge, value in zip(JUDGES, values, strict=False)
        if value
    }


def _printed(table: Table, column: str, digits: int) -> dict[tuple[str, str, str], str]:
    return {(d, g, j): fixed(v, digits) for d, g, j, v in table.select("dataset", "design", "judge", column).rows()}


def test_table_2_accuracy_and_tokens(tables: dict[str, Table]) -> None:
    """All 42 accuracies and 42 mean totals print as published."""
    assert _printed(tables["accuracy"], "accuracy", 4) == _published("accuracy")
    assert _printed(tables["accuracy"], "mean_total_tokens", 2) == _published("tokens")
    assert set(tables["accuracy"]["rows"]) == {400}
    assert set(tables["accuracy"]["questions"]) == {200}


def test_table_15_accuracy_on_the_discriminating_class(tables: dict[str, Table]) -> None:
    """All 42 class accuracies print as published, and supported rows stay within .94 and 1."""
    others = tables["class_accuracy"].filter(pl.col("label") != "supported")
    printed = {key: value.removeprefix("0") for key, value in _printed(others, "accuracy", 3).items()}
    assert printed == _published("class_accuracy")
    supported = tables["class_accuracy"].filter(pl.col("label") == "supported")["accuracy"]
    assert supported.is_between(0.94, 1.0).all()


def _contrast_cells(tables: dict[str, Table], dataset: str) -> dict[tuple[str, str], dict[str, str]]:
    (view,) = (view for view in contrast_views(tables["contrasts"]) if view.title == dataset)
    cells = (dict(zip(view.header, row, strict=True)) for row in view.rows)
    return {(cell["pair"], cell["judge"]): cell for cell in cells}


@pytest.mark.parametrize("dataset", DATASETS)
def test_tables_3_and_17_contrasts(tables: dict[str, Table], dataset: str) -> None:
    """Differences, questions won and sign tests print as published, for H - C and for R - H on ASQA."""
    cells = _contrast_cells(tables, dataset)
    for pair, values in PUBLISHED["contrasts"][dataset].items():
        for judge, published in zip(JUDGES, values, strict=False):
            cell = cells[pair, judge]
            accuracy, tokens = cell["Δ accuracy"].split()[0], cell["Δ tokens"].split()[0]
            p = cell["p"].replace("e-4", "e-04")
            assert [accuracy, tokens, cell["wins"], p] == published, (pair, judge)


@pytest.mark.parametrize("dataset", DATASETS)
def test_questions_won_as_the_text_tells(tables: dict[str, Table], dataset: str) -> None:
    """Section 4.2's counts of questions won come out."""
    cells = _contrast_cells(tables, dataset)
    for pair, values in PUBLISHED["wins_in_text"][dataset].items():
        for judge, wins in zip(JUDGES, values, strict=False):
            assert wins is None or cells[pair, judge]["wins"] == wins


def test_table_16_output_tokens(tables: dict[str, Table]) -> None:
    """Medians and quartiles of output tokens print as published; Gemini's are not known."""
    published = _published("output_tokens")
    for view in token_views(tables["tokens"]):
        column = view.header.index("output")
        for row in view.rows:
            assert row[column] == published.get((view.title, row[1], row[0]), "—")


@pytest.mark.parametrize("dataset", DATASETS)
def test_table_18_intervals_and_stability(tables: dict[str, Table], dataset: str) -> None:
    """In the arrangement that the seeds name, intervals and stability print as published."""
    for judge, published in zip(JUDGES, PUBLISHED["bootstrap"][dataset], strict=False):
        cell = _contrast_cells(tables, dataset)["H - C", judge]
        assert cell["Δ accuracy"] == published["accuracy"]
        assert cell["Δ tokens"] == published["tokens"]
        assert cell["stability"] == published["stability"]


@pytest.mark.parametrize("dataset", DATASETS)
def test_table_18_half_samples_without_a_difference(dataset: str) -> None:
    """The half-samples with a difference of exactly zero are as many as the appendix counts."""
    (halves,) = half_sample_weights(QUESTIONS, 1_000)
    for judge, published in enumerate(PUBLISHED["bootstrap"][dataset]):
        right = right_answers(dataset, judge)
        difference = right["H"].sum(axis=1) - right["C"].sum(axis=1)
        assert (halves @ difference == 0).sum() == published["zero"]


def test_table_19_complexity(tables: dict[str, Table]) -> None:
    """All 24 differences by complexity print as published: 21 favour H, 3 are ties."""
    table = tables["complexity"].filter(pl.col("a") == "H", pl.col("b") == "C", pl.col("judge") != "sonnet")
    for dataset, published in PUBLISHED["complexity"].items():
        for judge, deltas in zip(JUDGES, published["H - C"], strict=False):
            cells = table.filter(pl.col("dataset") == dataset, pl.col("judge") == judge)
            assert cells["bin"].to_list() == published["bins"]
            assert cells["rows"].to_list() == published["rows"]
            assert [signed(delta, 3) for delta in cells["delta_accuracy"]] == deltas
    assert (table["delta_accuracy"] > 0).sum() == 21
    assert (table["delta_accuracy"] == 0).sum() == 3


def test_table_20_parse_branches(tables: dict[str, Table]) -> None:
    """Branch counts of the three primary judges add up as published, 5,686 whole objects under C and H."""
    counts = tables["parsing"].filter(pl.col("judge") != "sonnet").group_by("design", "parse_branch")
    found = {(design, branch): rows for design, branch, rows in counts.agg(pl.col("rows").sum()).rows()}
    published = PUBLISHED["parsing"].items()
    assert found == {(design, branch): n for design, counted in published for branch, n in counted.items()}
    assert found["C", "whole"] + found["H", "whole"] == 5686
    assert sum(found.values()) == 4 * 3600


def test_the_family_of_tests_is_the_whole_table(tables: dict[str, Table]) -> None:
    """Adjusting all 57 sign tests at once with statsmodels gives p_holm and p_bh."""
    table = tables["contrasts"]
    assert table.height == 57
    for column, method in (("p_holm", "holm"), ("p_bh", "fdr_bh")):
        expected = multipletests(table["p_sign"].to_numpy(), method=method)[1]
        assert table[column].to_list() == pytest.approx(expected.tolist(), rel=1e-9)
