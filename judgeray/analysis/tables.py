"""All tables of an analysis, by name."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from judgeray.analysis.accuracy import accuracy
from judgeray.analysis.agreement_table import agreement_table
from judgeray.analysis.calibration_table import calibration_table
from judgeray.analysis.class_accuracy import class_accuracy
from judgeray.analysis.complexity import complexity
from judgeray.analysis.contrasts import contrasts
from judgeray.analysis.costs import costs
from judgeray.analysis.effective_rows import effective_rows
from judgeray.analysis.equivalence_tests import equivalence_tests
from judgeray.analysis.grid import Grid, grid_of
from judgeray.analysis.mcnemar_rows import mcnemar_rows
from judgeray.analysis.missing_bounds import missing_bounds
from judgeray.analysis.parsing import parsing
from judgeray.analysis.permutation_tests import permutation_tests
from judgeray.analysis.power_table import power_table
from judgeray.analysis.reliability import reliability
from judgeray.analysis.standard_errors import standard_errors
from judgeray.analysis.tokens import tokens
from judgeray.analysis.variances import variances

TABLES: dict[str, Callable[[Grid], pl.DataFrame]] = {
    "accuracy": accuracy,
    "class_accuracy": class_accuracy,
    "tokens": tokens,
    "contrasts": contrasts,
    "complexity": complexity,
    "parsing": parsing,
    "standard_errors": standard_errors,
    "effective_rows": effective_rows,
    "mcnemar": mcnemar_rows,
    "permutation": permutation_tests,
    "equivalence": equivalence_tests,
    "power": power_table,
    "missing_bounds": missing_bounds,
    "variance_components": variances,
    "agreement": agreement_table,
    "calibration": calibration_table,
    "reliability": reliability,
    "cost": costs,
}
"""The first six are those of study 1; the others are documented in their modules."""


def analyze(log: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Compute every table from a log as `read_log` returns it. The order of the log's rows has no effect."""
    grid = grid_of(log)
    return {name: table(grid) for name, table in TABLES.items()}
