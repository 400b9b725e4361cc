"""Table `complexity`: differences between designs by how much a reference holds (study 1, Table 19)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import polars as pl

from judgeray.analysis.cell import Numbers
from judgeray.analysis.grid import Grid
from judgeray.analysis.layout import Codes, run_starts
from judgeray.analysis.pairs import Pair
from judgeray.stats.question_means import means

ASQA_EDGES = (0, 2, 3, 4, 5)
QAMPARI_EDGES = (0, 5, 6, 8, 10)
"""Lower edges of the bins; the last bin is open. Bins below the first edge of study 1 are for other data."""

_Counts = tuple[Codes, Numbers]

_SCHEMA = {
    **dict.fromkeys(("dataset", "judge", "a", "b", "bin"), pl.String),
    "rows": pl.Int64,
    "delta_accuracy": pl.Float64,
}


def complexity(grid: Grid) -> pl.DataFrame:
    """Tabulate dataset, judge, a, b, bin, rows and delta_accuracy (a minus b) for the main condition.

    `rows` counts the rows that both designs settled, on questions whose complexity is known. Bins come in
    rising order: those of study 1 for `asqa` and `qampari`; any other dataset has QAMPARI's when all its
    complexities are 5 or more, else ASQA's.
    """
    counts = _counts(grid)
    rows = [
        (pair.dataset, pair.judge, pair.a, pair.b, *cell)
        for pair in grid.pairs
        if pair.condition == grid.main
        for cell in _bins(pair, *counts[pair.dataset])
    ]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def bin_names(edges: tuple[int, ...]) -> list[str]:
    """Name the bins between lower edges: a single count as itself, a range as `6-7`, the last as `10+`."""
    closed = [str(low) if high - low == 1 else f"{low}-{high - 1}" for low, high in pairwise(edges)]
    return [*closed, f"{edges[-1]}+"]


def _counts(grid: Grid) -> dict[str, _Counts]:
    """Find the largest complexity that any row of a question tells, for each dataset."""
    found: dict[str, list[_Counts]] = {}
    for cell in grid.cells:
        if cell.condition == grid.main:
            largest = np.fmax.reduceat(cell.numbers("complexity"), run_starts(cell.layout.question))
            found.setdefault(cell.dataset, []).append((cell.layout.questions, largest))
    return {dataset: _merged(parts) for dataset, parts in found.items()}


def _merged(parts: list[_Counts]) -> _Counts:
    questions = np.concatenate([questions for questions, _ in parts])
    order = np.argsort(questions, kind="stable")
    questions, counts = questions[order], np.concatenate([counts for _, counts in parts])[order]
    starts = run_starts(questions)
    return questions[starts], np.fmax.reduceat(counts, starts)


def _bins(pair: Pair, questions: Codes, counts: Numbers) -> Iterator[tuple[str, int, float | None]]:
    """Yield name, rows and difference of each bin that has questions."""
    edges = _edges(pair.dataset, counts[~np.isnan(counts)])
    found = counts[np.searchsorted(questions, pair.questions)]
    names = bin_names(edges)
    places = np.where(np.isnan(found), -1, np.digitize(found, edges) - 1)
    rows = pair.rows * (places == np.arange(len(names))[:, None])
    deltas = means(np.broadcast_to(pair.differences, rows.shape), rows)
    for name, count, delta in zip(names, rows.sum(axis=1).tolist(), deltas, strict=True):
        if count:
            yield name, count, delta


def _edges(dataset: str, counts: Numbers) -> tuple[int, ...]:
    known = {"asqa": ASQA_EDGES, "qampari": QAMPARI_EDGES}
    return known.get(dataset.casefold(), QAMPARI_EDGES if counts.min(initial=np.inf) >= 5 else ASQA_EDGES)
