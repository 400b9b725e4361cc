"""Format: the same words as Markdown, in another case, with other whitespace; beyond study 1."""

from __future__ import annotations

from collections.abc import Iterable

from judgeray.report.chapter import Chapter
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.conditional import condition_chapter
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import ConditionSpec

CONDITIONS = ("markdown", "upper_case", "lower_case", "whitespace")


def arms(where: str, spec: ConditionSpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row unchanged and in each format."""
    return cast.arms(cast.choice(where, spec, spec.designs, ("full", *CONDITIONS)))


def chapter(log: StudyLog) -> Chapter | None:
    """Count the verdicts that a change of format moves."""
    return condition_chapter(
        log,
        "formats",
        "Format of the candidate",
        "beyond study 1",
        "The candidate's words stay; how they are set changes. Verdicts should not.",
        CONDITIONS,
        ("Casing can carry meaning (US and us, a proper name): a few flips may be right.",),
    )


FORMATS = Diagnostic("formats", ConditionSpec, arms, chapter)
