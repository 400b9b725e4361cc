"""Columns of tables by what they hold, and the columns that every estimate has."""

from __future__ import annotations

import polars as pl

from judgeray.stats.estimate import Estimate

Schema = dict[str, pl.DataType]
Fields = tuple[float | None, float | None, float | None, int, int, str, str]


def texts(*names: str) -> Schema:
    """Name columns of text."""
    return dict.fromkeys(names, pl.String())


def counts(*names: str) -> Schema:
    """Name columns of whole numbers."""
    return dict.fromkeys(names, pl.Int64())


def numbers(*names: str) -> Schema:
    """Name columns of numbers."""
    return dict.fromkeys(names, pl.Float64())


def flags(*names: str) -> Schema:
    """Name columns of true and false."""
    return dict.fromkeys(names, pl.Boolean())


ESTIMATE: Schema = numbers("value", "low", "high") | counts("n", "missing") | texts("unit", "method")
"""The estimate in `unit` with its interval; `n` questions carry a value, `missing` questions none."""


def fields(estimate: Estimate) -> Fields:
    """List an estimate's columns in the order of `ESTIMATE`."""
    e = estimate
    return e.value, e.low, e.high, e.n, e.missing, e.unit, e.method
