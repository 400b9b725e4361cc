"""What a reader must know before trusting a number: found in the tables themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from judgeray.report.facts import RunFacts
from judgeray.report.further_caveats import further_caveats

SIMULATED = "simulated: answered by judgeray's emulator, no model gave these verdicts"
ALPHA = 0.05

_LISTED = 10


def caveats(facts: RunFacts, tables: Mapping[str, pl.DataFrame]) -> list[str]:
    """List the caveats that apply, as sentences of plain text."""
    return [*_rows(facts), *_tables(tables), *_contrasts(tables["contrasts"]), *further_caveats(tables)]


def _rows(facts: RunFacts) -> Iterator[str]:
    yield "Accuracy is agreement with the labels in the log; it says as much about a judge as those labels do."
    if facts.simulated:
        yield f"{facts.simulated_rows} of {facts.rows} rows are {SIMULATED}."
    if facts.unsettled:
        yield (
            f"{facts.unsettled} of {facts.rows} rows are undelivered or pending. They are left out of every "
            "accuracy and contrast; a rerun continues with them."
        )
    silent = facts.rows - facts.unsettled - facts.statuses["ok"]
    if silent:
        yield (
            f"{silent} rows were answered without a readable verdict (unparsed, refused or truncated). They "
            "count as not agreeing with the label."
        )
    if facts.replicates > 1:
        yield "Replicates of a row are averaged within its source question; they are no further questions."
    if len(facts.conditions) > 1:
        yield f"Tokens and complexity are those of the condition {facts.main_condition} alone."


def _tables(tables: Mapping[str, pl.DataFrame]) -> Iterator[str]:
    accuracy = tables["accuracy"]
    low, high = pl.col("accuracy_low"), pl.col("accuracy_high")
    without = accuracy.filter(pl.col("accuracy").is_not_null() & low.is_null()).height
    if without:
        yield f"{without} cells rest on fewer than two questions and have no interval."
    flat = accuracy.filter(low == high).height
    if flat:
        yield (
            f"{flat} cells have an interval of width zero: no two of their questions differ. A bootstrap cannot "
            "show doubt that its sample does not hold."
        )
    unreported = accuracy.filter(pl.col("mean_total_tokens").is_null()).height
    if unreported:
        yield f"{unreported} cells report no token counts; they are unknown, not zero."


def _contrasts(table: pl.DataFrame) -> Iterator[str]:
    if table.is_empty():
        yield "One design alone was judged: there is nothing to compare it with."
        return
    tested = table.drop_nulls("p_sign")
    below = {name: tested.filter(pl.col(name) < ALPHA).height for name in ("p_sign", "p_holm", "p_bh")}
    yield (
        f"{tested.height} contrasts were tested. {below['p_sign']} have p < {ALPHA} unadjusted, "
        f"{below['p_bh']} after Benjamini-Hochberg and {below['p_holm']} after Holm over all of them."
    )
    if tested.height < table.height:
        yield f"{table.height - tested.height} pairs have no row in common that both designs settled."
    yield from _disagreements(tested)


def _under(row: Mapping[str, object], table: pl.DataFrame) -> str:
    """Name the condition where there are several."""
    return f" under {row['condition']}" if table["condition"].n_unique() > 1 else ""


def _disagreements(tested: pl.DataFrame) -> Iterator[str]:
    excludes = (pl.col("delta_accuracy_low") > 0) | (pl.col("delta_accuracy_high") < 0)
    differ = tested.filter(excludes != (pl.col("p_sign") < ALPHA))
    if differ.is_empty():
        return
    named = [
        f"{row['dataset']} {row['judge']} {row['a']} - {row['b']}{_under(row, differ)}"
        for row in differ.head(_LISTED).to_dicts()
    ]
    more = f" and {differ.height - _LISTED} more" if differ.height > _LISTED else ""
    yield (
        f"Interval and sign test disagree at {ALPHA} for {differ.height} contrasts ({'; '.join(named)}{more}). "
        "They are different procedures; neither stands in for the other."
    )
