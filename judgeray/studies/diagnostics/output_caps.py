"""Output caps as a treatment: does a design only need more room to write? (study 1, Table 9)"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import polars as pl
from pydantic import Field

from judgeray.analysis.accuracy import accuracy
from judgeray.conditions.cap import cap
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.conditional import flips_of
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.diagnostics.shapes import by_design, listing, number, pivot, share, text_of
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import DesignSpec, Positive


class OutputCapsSpec(DesignSpec):
    """Caps to judge under, each in output tokens a call; `max_output_tokens` has no place here."""

    caps: Annotated[tuple[Positive, ...], Field(min_length=1, strict=False)] = (128, 256, 512)
    max_output_tokens: None = None


def arms(where: str, spec: OutputCapsSpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row under each cap."""
    return cast.arms(cast.choice(where, spec, spec.designs, [f"cap_{cap}" for cap in spec.caps]))


def chapter(log: StudyLog) -> Chapter | None:
    """Show accuracy by cap, and what truncation cost; None with fewer than two caps."""
    held = accuracy(log.grid)
    table = held.filter(pl.col("condition").is_in([name for name in set(held["condition"]) if cap(name)]))
    arm = ["dataset", "judge", "design"]
    several = table.group_by(arm).len().filter(pl.col("len") > 1)
    table = table.join(several, on=arm, how="semi")
    if table.is_empty():
        return None
    caps = sorted(set(table["condition"]), key=_tokens)
    table = table.with_columns(pl.col("condition").str.slice(4).cast(pl.Int64).alias("cap"))
    widest = flips_of(log, caps[:-1], base=caps[-1])
    views = (_accuracies(table), _truncated(table))
    return Chapter(
        "output_caps",
        "Output caps",
        "study 1 (arXiv 2603.28005), Table 9",
        "The cap on output tokens is a treatment. A reply that is cut off but states its verdict is read; one "
        "that does not is truncated, and counts as not agreeing with the label.",
        {"output_caps": table.drop("condition"), "output_caps_flips": widest},
        views,
        ("Runs under different caps are different calls: part of their difference is noise between calls.",),
    )


def _tokens(condition: str) -> int:
    return int(condition.removeprefix("cap_"))


def _accuracies(table: pl.DataFrame) -> View:
    judges = sorted(set(table["judge"]))
    return pivot("Accuracy by cap", table, ("dataset", "design", "cap"), "judge", judges, share("accuracy"))


def _truncated(table: pl.DataFrame) -> View:
    """List the cells in which a reply was cut off before its verdict."""
    cut = by_design(table.filter(pl.col("truncated") > 0), "dataset", "judge", "cap")
    names = ("dataset", "judge", "design", "cap", "rows", "truncated")
    columns = {name: text_of(name) for name in names}
    return listing(
        "Replies cut off before a verdict", cut, {**columns, "tokens a row": number("mean_total_tokens", 1)}
    )


OUTPUT_CAPS = Diagnostic("output_caps", OutputCapsSpec, arms, chapter)
