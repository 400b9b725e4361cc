"""Canary rows: the same rows judged again over time, to see whether a served model has changed; beyond study 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import polars as pl
from pydantic import Field

from judgeray.analysis.cell import Cell
from judgeray.analysis.diagnostics.waves import waves
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.diagnostics.shapes import by_design, change, listing, probability, share, text_of
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import DesignSpec, Positive


class CanarySpec(DesignSpec):
    """How often the rows have been judged by now; raise `waves` by one and run again to judge them once more."""

    waves: Positive = Field(default=1, description="Waves so far; a run buys the waves that are not there yet.")


def arms(where: str, spec: CanarySpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row once a wave; a wave is a replicate."""
    return cast.arms(cast.choice(where, spec, spec.designs, replicates=spec.waves))


def chapter(log: StudyLog) -> Chapter | None:
    """Compare each wave with the first."""
    if "canary" not in log.asked:
        return None
    cells = _cells(log.grid.cells, CanarySpec.model_validate(log.asked["canary"]))
    table = waves(replace(log.grid, cells=cells), log.verdicts)
    return Chapter(
        "canary",
        "Canary rows over time",
        "beyond study 1",
        "The same rows, judged again in later waves, each against the first, with the model that the provider "
        "said it served.",
        {"canary": table},
        (_view(table),),
        (
            (
                "Some verdicts change between any two calls: a drift shows as a flip rate above that of replicates "
                "bought together."
            ),
            "A provider may change a model without changing the name it reports.",
        ),
    )


def _cells(cells: Iterable[Cell], spec: CanarySpec) -> tuple[Cell, ...]:
    """Keep the cells that the diagnostic asks for; others are judged for other reasons."""
    condition = "full" if spec.max_output_tokens is None else f"cap_{spec.max_output_tokens}"
    return tuple(
        cell
        for cell in cells
        if cell.condition == condition
        and cell.design in spec.designs
        and (spec.judges is None or cell.judge in spec.judges)
        and (spec.datasets is None or cell.dataset in spec.datasets)
    )


def _view(table: pl.DataFrame) -> View:
    names = ("dataset", "judge", "design", "condition", "wave", "served_models", "new_model", "rows", "flips")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    measures = {
        "accuracy": share("accuracy"), "flip rate": share("flip_rate"), "Δ accuracy": change("delta_accuracy"),
        "p": probability("p_sign"), "p Holm": probability("p_holm"),
    }  # fmt: skip
    return listing(
        "Waves against the first", by_design(table, "dataset", "judge", "condition", "wave"), columns | measures
    )


CANARY = Diagnostic("canary", CanarySpec, arms, chapter)
