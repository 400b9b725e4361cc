"""Table `diagnostic`: whether a judge is good enough to tell averaging raters, and what it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from judgeray.analysis.averaging.aggregation import mean_against_min
from judgeray.analysis.averaging.annotations import LOCATED
from judgeray.analysis.averaging.comparisons import Comparison
from judgeray.analysis.averaging.error_rates import faithful_shares, judge_errors
from judgeray.analysis.averaging.thresholds import dataset_lengths, thresholds
from judgeray.analysis.diagnostics.estimates import interval
from judgeray.analysis.schema import counts, flags, numbers, texts
from judgeray.sentence_verdicts import Unit
from judgeray.stats.averaging_moments import Lengths, unbiased_correlations

BIASED = "averaging bias"
NO_EVIDENCE = "no evidence"
TOO_WRONG = "does not apply: judge error not below threshold"
NO_ANNOTATIONS = "unknown: no annotations"
ALIKE = "unknown: all annotated sentences are alike"
NO_INTERVAL = "unknown: judge error without interval"
NO_CORRELATION = "unknown: no correlation"
NOT_TOLD_APART = "unknown: minimum and mean order summaries alike"

_GUESSING = 0.5

_SCHEMA = (
    texts("dataset", "judge")
    | counts("annotated", "unclear")
    | numbers(*interval("p"))
    | counts("compared")
    | numbers(*interval("eps"), "epsilon_0", "epsilon_0_low", "epsilon_0_high")
    | flags("unconditional", "valid")
    | numbers(*interval("difference"), "unbiased_difference")
    | flags("mean_at_least_min", "beyond_chance")
    | texts("conclusion")
)


def diagnostic(
    log: pl.DataFrame,
    comparisons: Sequence[Comparison],
    located: pl.DataFrame | None = None,
    unit: Unit = "sentence",
) -> pl.DataFrame:
    """Tabulate each dataset and judge, hard labels (study 3, section 3.2, corollary 3 and Figure 3).

    Columns: dataset, judge, annotated, unclear, p, p_low, p_high (share of faithful sentences), compared, eps,
    eps_low, eps_high (the judge's error rate), epsilon_0, epsilon_0_low, epsilon_0_high, unconditional, valid,
    difference (of the correlations with the human label, mean minus minimum) with interval, unbiased_difference,
    mean_at_least_min, beyond_chance, conclusion. See `faithful_shares`, `judge_errors` and `thresholds`.

    `valid` says that eps_high is below epsilon_0, or below 1/2 where the diagnostic is unconditional: the theorem
    is about judges better than guessing. A valid judge concludes "averaging bias" where the mean correlates with
    the human label at least as well as the minimum, else "no evidence"; any other says that it does not apply, or
    what is unknown. The model behind it has independent sentences and a judge that errs on both kinds alike.

    The theorem is about all summaries, the conclusion about a sample. Of 200 simulated studies each of 300
    summaries and unbiased raters (epsilon_0 0.18), it was "averaging bias" in 0 % with eps 0.05, 4 % with 0.10,
    30 % with 0.15 and 45 % with 0.17; with an interval of the difference above 0 in 2.5 % or fewer.
    `beyond_chance` says that this interval leaves out 0. `unbiased_difference` is what the model expects of
    unbiased raters at p and eps.
    """
    hard = [comparison for comparison in comparisons if comparison.score == "hard"]
    table = mean_against_min(hard).drop("summaries", "documents", "reason")
    annotated = pl.DataFrame(schema=LOCATED) if located is None else located
    shares, lengths = faithful_shares(annotated), dataset_lengths(log, unit)
    found = (
        table.join(shares, on="dataset", how="left", maintain_order="left")
        .join(judge_errors(annotated, log, unit), on=["dataset", "judge"], how="left", maintain_order="left")
        .join(thresholds(shares, lengths), on="dataset", how="left", maintain_order="left")
        .with_columns(pl.col("annotated", "unclear", "compared").fill_null(0))
    )
    rows = [_concluded(row, lengths.get(row["dataset"])) for row in found.to_dicts()]
    cells = [tuple(row[name] for name in _SCHEMA) for row in rows]
    return pl.DataFrame(cells, schema=_SCHEMA, orient="row")


def _concluded(row: Mapping[str, Any], lengths: Lengths | None) -> Mapping[str, Any]:
    low, high = row["difference_low"], row["difference_high"]
    judged = {
        **row,
        "valid": _is_valid(row),
        "unbiased_difference": _unbiased_difference(row, lengths),
        "beyond_chance": None if low is None or high is None else not low <= 0 <= high,
    }
    return {**judged, "conclusion": _conclusion(judged)}


def _unbiased_difference(row: Mapping[str, Any], lengths: Lengths | None) -> float | None:
    """What the model expects where p and the error rate are such that it says anything."""
    if lengths is None or row["unconditional"] is None or row["eps"] is None or row["eps"] >= _GUESSING:
        return None
    with_min, with_mean = unbiased_correlations(lengths, row["p"], row["eps"])
    return float(with_mean[0] - with_min[0])


def _is_valid(row: Mapping[str, Any]) -> bool | None:
    if row["eps_high"] is None or row["unconditional"] is None:
        return None
    return bool(row["eps_high"] < (_GUESSING if row["unconditional"] else row["epsilon_0"]))


def _conclusion(row: Mapping[str, Any]) -> str:
    unknown = _unknown(row)
    if unknown is not None:
        return unknown
    if not row["valid"]:
        return TOO_WRONG
    if row["mean_at_least_min"] is None:
        return NO_CORRELATION
    if not row["told_apart"]:
        return NOT_TOLD_APART
    return BIASED if row["mean_at_least_min"] else NO_EVIDENCE


def _unknown(row: Mapping[str, Any]) -> str | None:
    """Say what is not known of the judge's validity."""
    if row["p"] is None or row["eps"] is None:
        return NO_ANNOTATIONS
    if row["unconditional"] is None:
        return ALIKE
    return NO_INTERVAL if row["eps_high"] is None else None
