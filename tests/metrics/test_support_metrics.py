"""Laws of the support metrics: the grid's own calls, read as numbers."""

from __future__ import annotations

import pytest

from judgeray.core.call import Judge
from judgeray.core.reply import Outcome
from judgeray.designs.registry import DESIGNS
from judgeray.metrics.metric import Metric
from judgeray.metrics.registry import METRICS
from judgeray.metrics.settings import Settings
from judgeray.providers.lexical import answer as lexical_answer
from judgeray.rows import Row
from tests.metrics.metric_script import ITEM, JUDGE, settle

VERDICT, SCORE = METRICS["support_verdict"], METRICS["support_score"]
ROW = Row("asqa", "q", "asqa:q:v", "v", "supported", ITEM.question, ITEM.reference, ITEM.answer)


@pytest.mark.parametrize("metric", [VERDICT, SCORE])
@pytest.mark.parametrize("design", sorted(DESIGNS))
def test_the_call_is_the_designs_own(metric: Metric, design: str) -> None:
    """A call bought for a row of a grid serves the metric, and the other way round; replicates too."""
    for replicate in range(2):
        wanted = next(metric.score(ITEM, JUDGE, Settings(design=design, replicate=replicate)))
        assert wanted == (DESIGNS[design].call(ROW, JUDGE, replicate),)


@pytest.mark.parametrize(
    ("label", "value"), [("supported", 1.0), ("partially_supported", 0.5), ("unsupported", 0.0)]
)
def test_labels_are_mapped_as_stated(label: str, value: float) -> None:
    """Supported is 1, partially supported 0.5, unsupported 0; what else was read is kept."""
    text = f'{{"verdict": "{label}", "score": 9, "confidence": 0.8}}'
    found, waves = settle(lambda: VERDICT.score(ITEM, JUDGE, Settings()), lambda call: text)
    assert (found.status, found.value, len(waves)) == ("ok", value, 1)
    assert found.detail == {"verdict": label, "score": None, "confidence": 0.8, "parse_branch": "whole"}


@pytest.mark.parametrize(
    ("reply", "status", "value"),
    [
        ('{"verdict": "supported", "score": 4}', "ok", 4.0),
        ('{"verdict": "supported", "score": 2.5}', "ok", 2.5),
        ('{"verdict": "supported", "score": 0}', "unparsed", None),
        ('{"verdict": "supported", "score": 6}', "unparsed", None),
        ('{"verdict": "supported"}', "unparsed", None),
        ('{"score": 4}', "unparsed", None),
        (('{"verdict": "supported", "score": 4}', "refused"), "refused", None),
        (('{"verdict"', "truncated"), "truncated", None),
    ],
)
def test_a_score_is_read_beside_its_label(
    reply: str | tuple[str, Outcome], status: str, value: float | None
) -> None:
    """A score out of range or missing is unparsed, never clipped; one without a label is not read."""
    found, _ = settle(lambda: SCORE.score(ITEM, JUDGE, Settings()), lambda call: reply)
    assert (found.status, found.value, found.parts[0].status) == (status, value, status)


def test_the_lexical_judge_scores_for_free() -> None:
    """The in-process baseline knows the designs, and so these metrics."""
    overlap = Judge("overlap", "lexical", "coverage-v1", in_process=True)
    for metric, value in ((VERDICT, 0.5), (SCORE, 2.0)):
        found, _ = settle(
            lambda metric=metric: metric.score(ITEM, overlap, Settings(design="R")),  # type: ignore[misc]
            lambda call: lexical_answer(call).text,
        )
        assert (found.status, found.value) == ("ok", value)
