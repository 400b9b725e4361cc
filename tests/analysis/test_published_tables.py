"""A verdict log with the marginals that study 1 published must give its tables, digit for digit.

The log's rows are arranged freely within those marginals. Tables 2, 3, 15, 16, 17, 19 and 20 do not depend on
the arrangement; Table 18 does, and its seeds in `published_tables.json` name one arrangement that gives it.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from judgeray.analysis import analyze
from judgeray.report.contrast_views import contrast_views
from judgeray.report.cost_views import token_views
from judgeray.report.numbers import fixed, signed
from judgeray.stats.draws import half_sample_weights
from judgeray.stats.multiplicity import holm

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
    for lost, lost_other, both, both_lost in product(range(9), range(9), range(9), range(3)):
        gain, gain_other = net[0] + lost, net[1] + lost_other
        if wins is None:
            fits = (lost, lost_other) == tuple(np.maximum(-net, 0)) and not both and not both_lost
        else:
            fits = (gain + gain_other - both, lost + lost_other - both_lost) == wins
        if fits and both <= min(gain, gain_other) and both_lost <= min(lost, lost_other):
            return (
                [(1, 1)] * both + [(1, 0)] * int(gain - both) + [(0, 1)] * int(gain_other - both)
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
    free = [list(rng.permutation(np.arange(a, b))) for a, b in zip(starts, starts[1:], strict=False)]
    if len(need) == 1:
        free = [list(rng.permutation(QUESTIONS))]
    changed = np.zeros((QUESTIONS, 2), dtype=np.int64)
    for step in sorted(steps, key=lambda step: (sum(step) > 0, -sum(step))):
        chosen = int(np.argmax([len(f) for f in free])) if sum(step) < 0 else int(np.argmax(need))
        need[chosen] -= sum(step)
        changed[free[chosen].pop()] = step
    assert not any(need)
    return changed


def _holistic(
    counts: NDArray[np.int64], changed: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
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
