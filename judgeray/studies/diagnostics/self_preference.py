"""Self-preference: does a judge favour answers of its own family? Beyond study 1."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.diagnostics.self_preference import self_preference
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.diagnostics.generated_answers import GeneratedAnswersSpec, arms
from judgeray.studies.diagnostics.shapes import by_design, change, listing, number, probability, text_of


def chapter(log: StudyLog) -> Chapter | None:
    """Compare each judge on answers of its own family with answers of others."""
    if log.texts is None or log.texts.is_empty() or len(set(log.families.values())) < 2:
        return None
    table = self_preference(log.verdicts, log.families)
    if table.is_empty():
        return None
    return Chapter(
        "self_preference",
        "Self-preference",
        "beyond study 1",
        "Share of whole answers called supported: those of the judge's own family minus those of others, on the "
        "same questions. The adjusted figure takes off what judges of other families make of the same answers, so "
        "that better answers are not mistaken for preference.",
        {"self_preference": table},
        (_view(table),),
        (
            (
                "Families are as the manifest names them, or the provider. A judge may favour its family's style, "
                "length or facts; this does not tell which."
            ),
        ),
    )


def _view(table: pl.DataFrame) -> View:
    columns = {name: text_of(name) for name in ("dataset", "judge", "design", "questions")}
    measures = {
        "own": number("own_supported", 3), "others": number("others_supported", 3),
        "own - others": change("preference"), "adjusted": change("adjusted"), "p": probability("p_sign"),
        "caution": text_of("caution"),
    }  # fmt: skip
    return listing("Own family against others", by_design(table, "dataset", "judge"), columns | measures)


SELF_PREFERENCE = Diagnostic("self_preference", GeneratedAnswersSpec, arms, chapter)
