"""Prompt variants: does a contrast between designs hang on one wording? (study 1, section 4.4 and Table 7)"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from judgeray.analysis.diagnostics.wordings import wording_contrasts, wordings
from judgeray.designs.registry import DESIGNS
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.diagnostics.shapes import by_design, change, listing, number, probability, share, text_of
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import DesignSpec, Names


class PromptVariantsSpec(DesignSpec):
    """Wordings to compare; a version of a design is named DESIGN.VERSION, version 1 by the design alone."""

    designs: Names = ("C", "C.v2", "C.v3", "H", "H.v2", "H.v3")


def arms(where: str, spec: PromptVariantsSpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row under each wording."""
    return cast.arms(cast.choice(where, spec, spec.designs))


def chapter(log: StudyLog) -> Chapter | None:
    """Show each wording and, for two designs, whether all wordings of one beat all of the other."""
    table = wordings(log.grid, family_of)
    several = table.group_by("dataset", "judge", "condition", "family").len().filter(pl.col("len") > 1)
    place = ["dataset", "judge", "condition"]
    table = table.join(several, on=[*place, "family"], how="semi")
    if table.is_empty():
        return None
    contrasts = wording_contrasts(log.grid, family_of)
    for side in ("family_a", "family_b"):
        contrasts = contrasts.join(several, left_on=[*place, side], right_on=[*place, "family"], how="semi")
    return Chapter(
        "prompt_variants",
        "Prompt variants",
        "study 1 (arXiv 2603.28005), section 4.4 and Table 7",
        "Each design in several wordings that keep its structure and change framing, order of steps and emphasis.",
        {"prompt_variants": table, "prompt_variant_contrasts": contrasts},
        (_table(table), _contrasts(contrasts)),
        (
            (
                "On a small slice this is evidence for a consistent ordering under these wordings, not a stable "
                "effect size."
            ),
            (
                "Wordings are not symmetric in what they name: C v1 does not mention completeness, C v2 and all of "
                "H do."
            ),
        ),
    )


def family_of(design: str) -> str:
    """Name the design without its version."""
    return DESIGNS[design].family if design in DESIGNS else design.partition(".")[0] or design


def _table(table: pl.DataFrame) -> View:
    columns = {name: text_of(name) for name in ("dataset", "judge", "condition", "design", "rows")}
    measures = {"accuracy": share("accuracy"), "tokens a row": number("mean_total_tokens", 1)}
    return listing("Every wording", by_design(table, "dataset", "judge", "condition"), columns | measures)


def _contrasts(table: pl.DataFrame) -> View:
    names = ("dataset", "judge", "condition", "family_a", "family_b", "pairs", "pairs_a_ahead", "pairs_b_ahead")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    measures = {
        "lowest a": number("lowest_a", 3),
        "highest b": number("highest_b", 3),
        "mean a - mean b": change("delta"),
        "p": probability("p_sign"),
    }
    return listing("All wordings of one design against all of another", table, columns | measures)


PROMPT_VARIANTS = Diagnostic("prompt_variants", PromptVariantsSpec, arms, chapter)
