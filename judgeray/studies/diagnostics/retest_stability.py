"""Test and retest: how often the same call, made again, gives another verdict; beyond study 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import polars as pl
from pydantic import Field

from judgeray.analysis.diagnostics.retest import retest
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.diagnostics.shapes import by_design, listing, number, share, text_of
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import DesignSpec


class TestRetestSpec(DesignSpec):
    """How often every row is judged."""

    __test__ = False

    replicates: Annotated[int, Field(ge=2)] = 3


def arms(where: str, spec: TestRetestSpec, cast: Cast) -> Iterable[GridArm]:
    """Judge every row so many times; the first time is the unperturbed arm of all diagnostics."""
    return cast.arms(cast.choice(where, spec, spec.designs, replicates=spec.replicates))


def chapter(log: StudyLog) -> Chapter | None:
    """Show how stable verdicts are; None where every row was judged once."""
    table = retest(log.grid)
    if table.is_empty():
        return None
    return Chapter(
        "test_retest",
        "Test and retest",
        "beyond study 1",
        "The same rows, judged again by the same prompt. A row is stable where all its verdicts are the same.",
        {"test_retest": table},
        (_view(table),),
        ("A stable verdict may be stably wrong. Providers may answer repeated calls from a cache.",),
    )


def _view(table: pl.DataFrame) -> View:
    names = ("dataset", "judge", "design", "condition", "rows", "replicates", "stable_rows")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    measures = {
        "stable": share("stable_share"), "pairs that agree": share("pair_agreement"),
        "accuracy": number("accuracy_mean", 3), "share of variance within rows": number("share_within", 3),
    }  # fmt: skip
    return listing("Stability of verdicts", by_design(table, "dataset", "judge", "condition"), columns | measures)


TEST_RETEST = Diagnostic("test_retest", TestRetestSpec, arms, chapter)
