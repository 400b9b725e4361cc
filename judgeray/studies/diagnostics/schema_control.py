"""Schema control: the keys of C without its instruction to decompose (study 1, Table 8 and appendix G.10)."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from judgeray.analysis.accuracy import accuracy
from judgeray.analysis.contrasts import contrasts
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.diagnostics.shapes import by_design, change, listing, number, probability, share, text_of
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import DesignSpec, Names

CONTROL = "S"
_BESIDE = ("C", "H")


class SchemaControlSpec(DesignSpec):
    """The control and the designs beside it."""

    designs: Names = (CONTROL, *_BESIDE)


def arms(where: str, spec: SchemaControlSpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row with the control and with the designs beside it."""
    return cast.arms(cast.choice(where, spec, spec.designs))


def chapter(log: StudyLog) -> Chapter | None:
    """Set the control beside C and H on the same rows."""
    held = accuracy(log.grid)
    where = held.filter(pl.col("design") == CONTROL)
    if where.is_empty():
        return None
    place = ["dataset", "judge", "condition"]
    table = held.filter(pl.col("design").is_in([CONTROL, *_BESIDE])).join(where, on=place, how="semi")
    pairs = contrasts(log.grid).filter(_against_control())
    return Chapter(
        "schema_control",
        "Schema-matched control",
        "study 1 (arXiv 2603.28005), Table 8",
        "The control must fill the claim lists of C but is told not to decompose the answer. Where it falls short "
        "of H as C does, the output format is part of the reason.",
        {"schema_control": table, "schema_control_contrasts": pairs},
        (_table(table), _contrasts(pairs)),
        ("Matching the keys does not match what the judge computes: this tests the format, not the mechanism.",),
    )


def _against_control() -> pl.Expr:
    a, b = pl.col("a"), pl.col("b")
    return ((a == CONTROL) & b.is_in(_BESIDE)) | ((b == CONTROL) & a.is_in(_BESIDE))


def _table(table: pl.DataFrame) -> View:
    columns = {name: text_of(name) for name in ("dataset", "judge", "condition", "design", "rows")}
    measures = {"accuracy": share("accuracy"), "tokens a row": number("mean_total_tokens", 2)}
    return listing("Control beside C and H", by_design(table, "dataset", "judge", "condition"), columns | measures)


def _contrasts(table: pl.DataFrame) -> View:
    columns = {name: text_of(name) for name in ("dataset", "judge", "condition", "a", "b", "questions")}
    measures = {
        "Δ accuracy": change("delta_accuracy"), "Δ tokens": change("delta_tokens", 1), "won": text_of("wins_a"),
        "lost": text_of("wins_b"), "p": probability("p_sign"), "p Holm": probability("p_holm"),
    }  # fmt: skip
    return listing("Contrasts, a minus b", table, columns | measures)


SCHEMA_CONTROL = Diagnostic("schema_control", SchemaControlSpec, arms, chapter)
