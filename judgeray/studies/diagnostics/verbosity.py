"""Verbosity: the same candidate made longer by true or by false statements, beyond study 1."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.conditional import condition_chapter
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.diagnostics.shapes import by_design, change, listing, share, text_of
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import ConditionSpec

CONDITIONS = ("padding_true", "padding_false")


def arms(where: str, spec: ConditionSpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row unchanged and made longer in both ways."""
    return cast.arms(cast.choice(where, spec, spec.designs, ("full", *CONDITIONS)))


def chapter(log: StudyLog) -> Chapter | None:
    """Compare both paddings with the unchanged rows, label by label."""
    found = condition_chapter(
        log,
        "verbosity",
        "Verbosity: longer candidates",
        "beyond study 1",
        "Statements of equal length that have nothing to do with the question are appended: true ones, or the "
        "same with one word made wrong. A judge that prefers long answers gets softer under both; one that checks "
        "facts gets harsher under the false ones alone.",
        CONDITIONS,
        (
            (
                "Appended statements are not in the reference, so a strict judge may count true ones as "
                "unsupported detail."
            ),
        ),
    )
    if found is None:
        return None
    by_label = found.tables["verbosity_by_label"]
    return Chapter(**{**vars(found), "views": (*found.views, _by_label(by_label))})


def _by_label(table: pl.DataFrame) -> View:
    names = ("dataset", "judge", "design", "condition", "label", "rows", "softer", "harsher")
    columns = {name: text_of(name) for name in names}
    return listing(
        "By label",
        by_design(table, "dataset", "judge", "condition", "label"),
        {**columns, "flip rate": share("flip_rate"), "score shift": change("score_shift", 2)},
    )


VERBOSITY = Diagnostic("verbosity", ConditionSpec, arms, chapter)
