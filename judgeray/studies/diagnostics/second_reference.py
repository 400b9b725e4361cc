"""The reference of a second annotator in place of the first one's, beyond study 1."""

from __future__ import annotations

from collections.abc import Iterable

from judgeray.report.chapter import Chapter
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.conditional import condition_chapter
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import ConditionSpec

CONDITIONS = ("second_reference",)


def arms(where: str, spec: ConditionSpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row against the first reference and against the second."""
    return cast.arms(cast.choice(where, spec, spec.designs, ("full", *CONDITIONS)))


def chapter(log: StudyLog) -> Chapter | None:
    """Count the verdicts that depend on whose reference it is."""
    return condition_chapter(
        log,
        "second_reference",
        "A second annotator's reference",
        "beyond study 1",
        "Supported candidates are copies of the first reference. Judged against another annotator's answer to the "
        "same question, they show how far a verdict is about the question and how far about one wording.",
        CONDITIONS,
        ("Labels are those of the first reference; the second may hold more, less or other facts.",),
    )


SECOND_REFERENCE = Diagnostic("second_reference", ConditionSpec, arms, chapter)
