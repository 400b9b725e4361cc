"""An arm is a design with a judge under a condition; a cell is an arm on a dataset."""

from __future__ import annotations

import polars as pl

from judgeray.core.status import UNSETTLED

CELL = ("dataset", "design", "judge", "condition")

_PAPER_ORDER = ("C", "H", "R", "B")


def settled_rows(log: pl.DataFrame) -> pl.DataFrame:
    """Keep the rows that a reply settled, and mark those whose verdict is the label as `correct`.

    A reply without a verdict (unparsed, refused, truncated) is settled and not correct: the design was asked
    and failed to say the label. Undelivered and pending rows say nothing about a design and are left out.
    Study 1 had neither kind.
    """
    correct = (pl.col("verdict") == pl.col("label")).fill_null(value=False).alias("correct")
    return log.filter(~pl.col("status").is_in(UNSETTLED)).with_columns(correct)


def main_condition(log: pl.DataFrame) -> str:
    """Name the condition that tables without a condition column describe: full, or else the first by name."""
    conditions = sorted(log["condition"].unique().to_list())
    return "full" if "full" in conditions else str(conditions[0])


def design_order(design: str) -> tuple[int, str]:
    """Sort key of designs: C, H, R, B as in study 1, then all others by name."""
    known = _PAPER_ORDER.index(design) if design in _PAPER_ORDER else len(_PAPER_ORDER)
    return known, design
