"""Perturbations: another question's reference, a distracting notice, stylistic padding (study 1, Table 5)."""

from __future__ import annotations

from collections.abc import Iterable

from judgeray.report.chapter import Chapter
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.conditional import condition_chapter
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import ConditionSpec

CONDITIONS = ("swapped_reference", "distractor", "padding")


def arms(where: str, spec: ConditionSpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row unchanged and under each perturbation."""
    return cast.arms(cast.choice(where, spec, spec.designs, ("full", *CONDITIONS)))


def chapter(log: StudyLog) -> Chapter | None:
    """Count the verdicts that each perturbation changes, and where scores go."""
    return condition_chapter(
        log,
        "perturbations",
        "Perturbations",
        "study 1 (arXiv 2603.28005), section 5 and Table 5",
        "The same rows with another question's reference, with a notice that has nothing to do with the question, "
        "and with padding that says nothing. A judge that reads should change its verdict under the first alone.",
        CONDITIONS,
        (
            (
                "A flip rate is a sensitivity measured on these rows. It does not say which of the two verdicts is "
                "right."
            ),
            (
                "A repeated call changes some verdicts without any perturbation; replicates of the unchanged rows "
                "show how many."
            ),
        ),
    )


PERTURBATIONS = Diagnostic("perturbations", ConditionSpec, arms, chapter)
