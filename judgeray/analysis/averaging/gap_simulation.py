"""Table `gap_simulation`: how small a gap between mean and minimum many averaging raters can hide behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from judgeray.analysis.averaging.annotations import LOCATED
from judgeray.analysis.averaging.error_rates import faithful_shares, judge_errors
from judgeray.analysis.averaging.thresholds import dataset_lengths
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.sentence_verdicts import Unit
from judgeray.stats.averaging_moments import Lengths
from judgeray.stats.draws import SEED
from judgeray.stats.rater_simulation import SUMMARIES, gap_curve

FRACTIONS = tuple(tenth / 10 for tenth in range(11))

PERFECT, MEASURED = JUDGES = ("perfect", "measured")

_GUESSING = 0.5

_SCHEMA = (
    texts("dataset", "judge_kind")
    | counts("judges")
    | numbers("p", "eps", "fraction", "pearson_min", "pearson_mean", "gap", "simulated_gap", "simulated_error")
)


def gap_simulation(
    log: pl.DataFrame,
    located: pl.DataFrame | None = None,
    unit: Unit = "sentence",
    fractions: Sequence[float] = FRACTIONS,
    summaries: int = SUMMARIES,
    seed: int = SEED,
) -> pl.DataFrame:
    """Tabulate simulated raters of whom a fraction averages, by annotated dataset (study 3, section 6, Figure 3).

    Columns: dataset, judge_kind (perfect, or measured: with the mean of the judges' measured error rates), judges,
    p, eps, fraction, pearson_min, pearson_mean, gap (mean minus minimum), simulated_gap, simulated_error.

    p is the measured share of faithful sentences, lengths are those of the dataset. Correlations and gap are
    exact; `simulated_gap` is that of `summaries` drawn ones and should be within a few of its standard errors.
    Datasets whose annotated sentences are all alike have no rows, and those without a judge better than guessing
    no measured ones.
    """
    annotated = pl.DataFrame(schema=LOCATED) if located is None else located
    errors = judge_errors(annotated, log, unit).group_by("dataset", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("judges"), pl.col("eps").sort().mean()
    )  # fmt: skip
    table = faithful_shares(annotated).join(errors, on="dataset", how="left", maintain_order="left")
    lengths = dataset_lengths(log, unit)
    rows = [
        (*key, *point)
        for row in table.to_dicts()
        for key, p, eps in _cases(row, lengths)
        for point in _curve(lengths[row["dataset"]], p, eps, fractions, summaries, seed)
    ]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _cases(
    row: Mapping[str, float], lengths: Mapping[str, Lengths]
) -> Iterator[tuple[tuple[object, ...], float, float]]:
    """Yield what a dataset's curves are made of: key columns, p and error rate."""
    dataset, p, eps = str(row["dataset"]), row["p"], row["eps"]
    if p is None or dataset not in lengths or not 0 < p < 1:
        return
    yield (dataset, PERFECT, None, p, 0.0), p, 0.0
    if eps is not None and eps < _GUESSING:
        yield (dataset, MEASURED, row["judges"], p, eps), p, eps


def _curve(
    lengths: Lengths, p: float, eps: float, fractions: Sequence[float], summaries: int, seed: int
) -> Iterator[tuple[float | None, ...]]:
    for point in gap_curve(p, lengths, eps, fractions, summaries, seed):
        yield (
            *(point.fraction, point.pearson_min, point.pearson_mean, point.gap),
            *(point.simulated_gap, point.simulated_error),
        )
