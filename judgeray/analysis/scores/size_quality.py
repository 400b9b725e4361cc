"""Table `size_quality`: whether larger models follow degradation more closely (study 2, Figure 3(b))."""

from __future__ import annotations

import re

import polars as pl

from judgeray.analysis.diagnostics.estimates import fitted, interval
from judgeray.analysis.schema import numbers, texts
from judgeray.analysis.scores.sheets import KEY

_SCHEMA = texts(*KEY, "models") | numbers("size_billions", *interval("pearson"), *interval("kendall"))
_SIZE = re.compile(r"(?<![a-z0-9.])(?:([0-9]+(?:\.[0-9]+)?)b|([0-9]{2,})m)(?![a-z0-9])", re.IGNORECASE)
"""Billions or millions; of these at least ten, for `1M` is how long a context may be."""


def size_quality(tracking: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, metric, judge, models, size_billions, pearson and kendall with 95 % intervals.

    `tracking` is the table of that name. The size is read off the model's name (off the judge's where no model is
    told), such as `llama3.3:70b` or `Qwen3-30B-A3B`; null where it tells none, or several.
    """
    sizes = [size_billions(models or judge) for models, judge in tracking.select("models", "judge").rows()]
    return fitted(tracking.with_columns(pl.Series("size_billions", sizes, pl.Float64)), _SCHEMA)


def size_billions(name: str) -> float | None:
    """Read a model's size in billions of parameters off its name: a number before a b or m that stands alone.

    Sizes of experts (`8x7b`, `A3B`) are none of the model's. None where the name tells no size, or two.
    """
    found = {float(billions) if billions else int(millions) / 1000 for billions, millions in _SIZE.findall(name)}
    return found.pop() if len(found) == 1 else None
