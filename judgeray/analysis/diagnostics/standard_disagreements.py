"""Table `standard_disagreements`: the rows on which label standards differ (study 1, Table 14)."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.diagnostics.estimates import fitted
from judgeray.analysis.diagnostics.standards import ROW, standard_names
from judgeray.analysis.schema import texts


def standard_disagreements(standards: pl.DataFrame) -> pl.DataFrame:
    """Tabulate row_id, dataset, question_id, variant, and each standard's label, construction first.

    `standards` is as `read_standards` gives it. Only rows whose labels differ between any two standards; null where
    a standard has no label. Sorted by dataset, question and row.
    """
    names = standard_names(standards)
    labels = [pl.col("label").filter(pl.col("standard") == name).first().alias(name) for name in names]
    differing = standards.filter(pl.col("label").n_unique().over(ROW) > 1)
    return fitted(differing.group_by(ROW).agg(labels), texts(*ROW, *names)).sort("dataset", "question_id", "row_id")
