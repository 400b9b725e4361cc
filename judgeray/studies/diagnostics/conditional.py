"""What diagnostics share that judge the same rows under other conditions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from judgeray.analysis.accuracy import accuracy
from judgeray.analysis.diagnostics.changes import with_p_holm
from judgeray.analysis.diagnostics.flips import class_flips, condition_flips
from judgeray.report.chapter import Chapter
from judgeray.report.figures.flips import flip_figure
from judgeray.report.view import View
from judgeray.studies.diagnostics.diagnostic import StudyLog
from judgeray.studies.diagnostics.shapes import by_design, change, listing, pivot, probability, share, text_of

FLIPS_TITLE = "Verdicts that change, against the same rows unchanged"
ARM = ("dataset", "judge", "design")


def conditions_in(log: StudyLog, names: Sequence[str]) -> list[str]:
    """Give the conditions of a diagnostic that the log holds, in the diagnostic's order."""
    held = set(log.verdicts["condition"].unique().cast(pl.String))
    return [name for name in names if name in held]


def accuracies(log: StudyLog, names: Sequence[str]) -> View:
    """Show accuracy with its interval: arms down, conditions across, the unchanged one first (Table 10)."""
    table = accuracy(log.grid).filter(pl.col("condition").is_in(list(names)))
    changed = table.filter(pl.col("condition") != names[0])
    table = table.join(changed, on=ARM, how="semi")
    return pivot(
        "Accuracy against the labels, which stay as they were", table, ARM, "condition", names, share("accuracy")
    )


def flips_of(log: StudyLog, names: Sequence[str], base: str = "full") -> pl.DataFrame:
    """Compare each condition with the base on the same rows; `p_holm` adjusts over these comparisons alone."""
    return with_p_holm(condition_flips(log.grid, base).filter(pl.col("condition").is_in(list(names))))


def flip_rates(table: pl.DataFrame, names: Sequence[str]) -> View:
    """Show the share of verdicts that changed: arms down, conditions across (study 1, Table 5)."""
    return pivot(FLIPS_TITLE, table, ARM, "condition", names, share("flip_rate"))


def shifts(table: pl.DataFrame) -> View:
    """Show where verdicts and scores went."""
    return listing(
        "Where they go",
        by_design(table, "dataset", "judge", "condition"),
        {
            **{name: text_of(name) for name in (*ARM, "condition", "rows", "unread", "softer", "harsher")},
            "score shift": change("score_shift", 2),
            "Δ accuracy": change("delta_accuracy"),
            "p": probability("p_sign"),
            "p Holm": probability("p_holm"),
        },
    )


def condition_chapter(
    log: StudyLog, name: str, title: str, source: str, meaning: str, names: Sequence[str], cautions: tuple[str, ...]
) -> Chapter | None:
    """Compare conditions with the unchanged rows; None where the log holds none of them beside `full`."""
    held = conditions_in(log, names)
    if not held or not conditions_in(log, ["full"]):
        return None
    table = flips_of(log, held)
    views = (accuracies(log, ["full", *held]), flip_rates(table, held), shifts(table))
    tables = {name: table, f"{name}_by_label": class_flips(log.grid).filter(pl.col("condition").is_in(held))}
    return Chapter(
        name, title, source, meaning, tables, views, cautions, (partial(flip_figure, f"{name}-flips", table),)
    )
