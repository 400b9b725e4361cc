"""Label noise: would the order of designs stand if some labels were wrong? Beyond study 1; makes no call."""

from __future__ import annotations

from typing import Annotated

import polars as pl
from pydantic import Field

from judgeray.analysis.diagnostics.label_noise import label_noise
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog, no_arms
from judgeray.studies.diagnostics.shapes import change, listing, number, text_of
from judgeray.studies.spec import LogSpec

Rate = Annotated[float, Field(gt=0, lt=1)]


class LabelNoiseSpec(LogSpec):
    """Shares of labels to make wrong."""

    rates: Annotated[tuple[Rate, ...], Field(min_length=1, strict=False)] = (0.02, 0.05, 0.1, 0.2)


def chapter(log: StudyLog) -> Chapter | None:
    """Show how often contrasts keep their sign under noise; only where the manifest asks for it."""
    if "label_noise" not in log.asked:
        return None
    spec = LabelNoiseSpec.model_validate(log.asked["label_noise"])
    table = label_noise(log.grid, rates=spec.rates)
    return Chapter(
        "label_noise",
        "Label noise",
        "beyond study 1",
        "A share of labels is replaced by another label of the dataset, 1,000 times; how often does the better "
        "design stay ahead?",
        {"label_noise": table},
        (_view(table.filter(pl.col("condition") == log.grid.main)),),
        (
            (
                "This shows what noise of this kind would do. It does not estimate how noisy the labels are, and "
                "real mistakes are not spread evenly."
            ),
        ),
    )


def _view(table: pl.DataFrame) -> View:
    columns = {name: text_of(name) for name in ("dataset", "judge", "condition", "a", "b")}
    measures = {
        "share of labels": number("rate", 2), "Δ as it is": number("delta_accuracy", 3),
        "Δ under noise": change("delta"),
        "same sign": number("share_same_sign", 3),
    }  # fmt: skip
    return listing("Contrasts under noise, main condition", table, columns | measures)


LABEL_NOISE = Diagnostic("label_noise", LabelNoiseSpec, no_arms, chapter)
