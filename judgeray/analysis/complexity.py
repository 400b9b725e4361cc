"""Table `complexity`: differences between designs by how much a reference holds (study 1, Table 19)."""

from __future__ import annotations

from itertools import pairwise

import polars as pl

from judgeray.analysis.arms import main_condition
from judgeray.analysis.cells import per_cell
from judgeray.analysis.pairs import paired_questions
from judgeray.stats.question_means import means

ASQA_EDGES = (0, 2, 3, 4, 5)
QAMPARI_EDGES = (0, 5, 6, 8, 10)
"""Lower edges of the bins; the last bin is open. Bins below the first edge of study 1 are for other data."""

_KEYS = ("dataset", "judge", "a", "b", "lower")
_SCHEMA = {
    **dict.fromkeys(("dataset", "judge", "a", "b", "bin"), pl.String),
    "rows": pl.Int64,
    "delta_accuracy": pl.Float64,
}


def complexity(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, judge, a, b, bin, rows and delta_accuracy (a minus b) for the main condition.

    `rows` counts the rows that both designs settled, on questions whose complexity is known. Bins come in
    rising order: those of study 1 for `asqa` and `qampari`; any other dataset has QAMPARI's when all its
    complexities are 5 or more, else ASQA's.
    """
    main = log.filter(pl.col("condition") == main_condition(log))
    bins = _bins(main)
    questions = paired_questions(main).join(bins, on=["dataset", "question_id"])
    questions = questions.sort(*_KEYS, "question_id")
    cells = questions.group_by(*_KEYS, "bin", maintain_order=True).agg(pl.col("rows").sum())
    deltas = per_cell(questions, _KEYS, ["correct_difference", "rows"], means)
    return cells.with_columns(pl.Series("delta_accuracy", deltas, dtype=pl.Float64)).select(
        pl.col(name).cast(kind) for name, kind in _SCHEMA.items()
    )


def bin_names(edges: tuple[int, ...]) -> list[str]:
    """Name the bins between lower edges: a single count as itself, a range as `6-7`, the last as `10+`."""
    closed = [str(low) if high - low == 1 else f"{low}-{high - 1}" for low, high in pairwise(edges)]
    return [*closed, f"{edges[-1]}+"]


def _bins(log: pl.DataFrame) -> pl.DataFrame:
    """Give each question of known complexity its bin: dataset, question_id, lower (edge), bin (name)."""
    counts = log.group_by("dataset", "question_id").agg(pl.col("complexity").max()).drop_nulls("complexity")
    found = []
    for (dataset,), questions in counts.partition_by("dataset", as_dict=True).items():
        edges = _edges(str(dataset), questions["complexity"].to_list())
        names = dict(zip(edges, bin_names(edges), strict=True))
        for question_id, count in questions.select("question_id", "complexity").rows():
            lower = max(edge for edge in edges if edge <= count)
            found.append((dataset, question_id, lower, names[lower]))
    schema = {"dataset": pl.String, "question_id": pl.String, "lower": pl.Int64, "bin": pl.String}
    return pl.DataFrame(found, schema=schema, orient="row")


def _edges(dataset: str, counts: list[int]) -> tuple[int, ...]:
    known = {"asqa": ASQA_EDGES, "qampari": QAMPARI_EDGES}
    return known.get(dataset.casefold(), QAMPARI_EDGES if min(counts) >= 5 else ASQA_EDGES)
