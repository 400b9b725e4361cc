"""Grounding: how much a verdict rests on the reference that is supplied (study 1, Table 10)."""

from __future__ import annotations

from collections.abc import Iterable

from judgeray.report.chapter import Chapter
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.conditional import condition_chapter
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import ConditionSpec

CONDITIONS = ("reduced_reference", "no_reference")


def arms(where: str, spec: ConditionSpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row with the whole reference, its beginning, and none."""
    return cast.arms(cast.choice(where, spec, spec.designs, ("full", *CONDITIONS)))


def chapter(log: StudyLog) -> Chapter | None:
    """Compare accuracies and verdicts under the three references."""
    return condition_chapter(
        log,
        "grounding",
        "Grounding: whole, reduced and no reference",
        "study 1 (arXiv 2603.28005), Table 10",
        "The reference is cut after its first sentence, or left out. Labels stay those of the whole reference.",
        CONDITIONS,
        (
            (
                "Labels are held fixed when references change: accuracy is agreement with the original labels, not "
                "correctness relative to the altered evidence."
            ),
            (
                "This shows how much verdicts depend on the reference; it is no causal account of a difference "
                "between designs."
            ),
        ),
    )


GROUNDING = Diagnostic("grounding", ConditionSpec, arms, chapter)
