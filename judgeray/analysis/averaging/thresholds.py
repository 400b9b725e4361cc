"""The threshold of each annotated dataset: from its share of faithful sentences and its summaries' lengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from judgeray.analysis.averaging.parts import parts_of, several, wholes_of
from judgeray.analysis.schema import flags, numbers, texts
from judgeray.sentence_verdicts import Unit
from judgeray.stats.averaging_moments import Lengths, lengths_of
from judgeray.stats.averaging_threshold import Threshold, error_threshold

_STEPS = 33
"""Values of p at which the threshold is looked at between both ends of its interval."""

_SCHEMA = texts("dataset") | numbers("epsilon_0", "epsilon_0_low", "epsilon_0_high") | flags("unconditional")


def dataset_lengths(log: pl.DataFrame, unit: Unit = "sentence") -> Mapping[str, Lengths]:
    """Tabulate the lengths of all wholes of several parts, by dataset, whoever judged them."""
    wholes = wholes_of(several(parts_of(log, unit)))
    return {str(name): lengths_of(part["parts"].to_numpy()) for (name,), part in
            wholes.partition_by("dataset", as_dict=True).items()}  # fmt: skip


def thresholds(shares: pl.DataFrame, lengths: Mapping[str, Lengths]) -> pl.DataFrame:
    """Compute epsilon_0 for each dataset of `faithful_shares` (study 3, appendix A.4).

    Columns: dataset, epsilon_0, epsilon_0_low, epsilon_0_high, unconditional. epsilon_0 is null where there is
    none (`unconditional`: any judge better than guessing will do), and both are null where p is not known or all
    sentences are alike. The other two are the least and the largest threshold while p goes through its interval,
    1/2 standing for none; they are not the ends of a confidence interval of their own.
    """
    rows = [(row["dataset"], *_threshold(row, lengths)) for row in shares.to_dicts()]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _threshold(row: Mapping[str, float], lengths: Mapping[str, Lengths]) -> Sequence[float | None]:
    of_dataset = lengths.get(str(row["dataset"]))
    found = _at(row["p"], of_dataset)
    if found is None:
        return (None, None, None, None)
    low, high = _over(row["p_low"], row["p_high"], of_dataset)
    return (found.error_rate, low, high, found.unconditional)


def _at(p: float | None, lengths: Lengths | None) -> Threshold | None:
    if p is None or lengths is None or not 0 < p < 1:
        return None
    return error_threshold(lengths, p)


def _over(low: float | None, high: float | None, lengths: Lengths | None) -> tuple[float | None, float | None]:
    if low is None or high is None:
        return None, None
    found = [_at(float(p), lengths) for p in np.linspace(low, high, _STEPS)]
    limits = [threshold.limit for threshold in found if threshold is not None]
    return (min(limits), max(limits)) if limits else (None, None)
