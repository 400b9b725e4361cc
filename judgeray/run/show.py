"""Everything about one row: what was asked of whom, what came back, and how it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.analysis.arms import design_order
from judgeray.core.errors import BadInputError, bad_value
from judgeray.report.evidence import CaseKey, Evidence
from judgeray.report.text import visible
from judgeray.run.evidence import run_evidence
from judgeray.run.verdict_log import scan_judged, scan_scores

_NAMED = 5


@dataclass(frozen=True)
class ShownRow:
    """The verdict rows of one row, with what texts there are; `lacking` says why there are none."""

    verdicts: list[dict[str, Any]]
    evidence: Mapping[CaseKey, Evidence]
    lacking: str | None


def show_row(run: Path, row_id: str, design: str | None = None, judge: str | None = None) -> ShownRow:
    """Collect one row of a run, under all arms or those of one design (or metric) or judge.

    Raises BadInputError for a folder that is no run, and for a row, design or judge that it does not hold.
    """
    verdicts = scan_scores(run) if any((run / "scores").rglob("*.parquet")) else scan_judged(run)
    rows = verdicts.filter(pl.col("row_id") == row_id).collect().to_dicts()
    if not rows:
        raise _unknown_row(run, row_id, verdicts)
    rows = _only(rows, "design", design, row_id)
    rows = _only(rows, "judge", judge, row_id)
    rows.sort(key=lambda row: (row["judge"], design_order(row["design"]), row["condition"], row["replicate"]))
    source = run_evidence(run)
    if source is None:
        return ShownRow(rows, {}, "No manifest.yaml is here, so prompts cannot be rebuilt.")
    return ShownRow(rows, source.find([key_of(row) for row in rows]), source.lacking)


def key_of(row: Mapping[str, Any]) -> CaseKey:
    """Name a verdict row."""
    names = ("dataset", "row_id", "design", "judge", "condition", "replicate")
    return CaseKey(**{name: row[name] for name in names})


def _only(rows: list[dict[str, Any]], column: str, wanted: str | None, row_id: str) -> list[dict[str, Any]]:
    if wanted is None:
        return rows
    kept = [row for row in rows if row[column] == wanted]
    if not kept:
        raise bad_value(f"row {row_id}", f"--{column}", wanted, {row[column] for row in rows})
    return kept


def _unknown_row(run: Path, row_id: str, verdicts: pl.LazyFrame) -> BadInputError:
    """Name rows of the question, or rows whose id holds the text given."""
    near = pl.col("row_id").str.contains(row_id, literal=True) | (pl.col("question_id") == row_id)
    found = verdicts.filter(near).select(pl.col("row_id").unique().sort()).head(_NAMED).collect()["row_id"]
    hint = f" Did you mean: {', '.join(found)}?" if len(found) else ""
    return BadInputError(visible(f"{run}: no row '{row_id}'.{hint}"))
