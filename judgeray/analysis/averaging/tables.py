"""All tables of study 3 from one log, by name."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from judgeray.analysis.averaging.aggregation import aggregation, mean_against_min
from judgeray.analysis.averaging.annotations import located
from judgeray.analysis.averaging.caching import UncachedCost, caching
from judgeray.analysis.averaging.claim_statistics import claim_statistics
from judgeray.analysis.averaging.comparisons import Comparison, compare
from judgeray.analysis.averaging.composition import composition
from judgeray.analysis.averaging.confirmed import confirmed
from judgeray.analysis.averaging.diagnostic import diagnostic
from judgeray.analysis.averaging.gap_simulation import gap_simulation
from judgeray.analysis.averaging.subsets import subsets
from judgeray.analysis.averaging.suspicious import suspicious, suspicious_sentences
from judgeray.sentence_verdicts import Unit

Tables = dict[str, pl.DataFrame]


def averaging_tables(
    log: pl.DataFrame,
    annotations: pl.DataFrame | None = None,
    reviews: pl.DataFrame | None = None,
    uncached_cost: UncachedCost | None = None,
    *,
    partial: bool = False,
) -> Tables:
    """Compute every table of a log with the columns of `SENTENCE_SCHEMA`; the order of its rows has no effect.

    `annotations` and `reviews` are as `read_annotations` and `read_review_sheet` give them, of sentences. With
    `partial`, the log holds only some of what was annotated. Tables about claims, whose names begin with `claim_`,
    are there where the log has claims. Raises BadInputError for annotations that do not fit the log.
    """
    marks = None if annotations is None else located(annotations, log, partial=partial)
    comparisons = compare(log)
    tables = {
        "subsets": subsets(log),
        **_of_unit(log, "sentence", comparisons),
        "composition": composition(log, marks),
        "diagnostic": diagnostic(log, comparisons, marks),
        "gap_simulation": gap_simulation(log, marks),
    }
    if reviews is not None:
        tables["confirmed"] = confirmed(reviews)
    if (log["unit"].cast(pl.String) == "claim").any():
        of_claims = {**_of_unit(log, "claim", compare(log, "claim")), "composition": composition(log, unit="claim")}
        tables |= {f"claim_{name}": table for name, table in of_claims.items()}
        tables["claim_statistics"] = claim_statistics(log)
    return {**tables, "caching": caching(log, uncached_cost)}


def _of_unit(log: pl.DataFrame, unit: Unit, comparisons: Sequence[Comparison]) -> Tables:
    return {
        "aggregation": aggregation(comparisons, unit),
        "mean_against_min": mean_against_min(comparisons, unit),
        "suspicious": suspicious(log, unit),
        "suspicious_sentences": suspicious_sentences(log, unit),
    }
