"""All metrics by name. A new one is one file and one line here."""

from __future__ import annotations

from judgeray.metrics.factual_correctness import FACTUAL_CORRECTNESS
from judgeray.metrics.factual_correctness_nli import FACTUAL_CORRECTNESS_NLI
from judgeray.metrics.judge_score import JUDGE_SCORE
from judgeray.metrics.metric import Metric
from judgeray.metrics.support_score import SUPPORT_SCORE
from judgeray.metrics.support_verdict import SUPPORT_VERDICT

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (JUDGE_SCORE, SUPPORT_VERDICT, SUPPORT_SCORE, FACTUAL_CORRECTNESS, FACTUAL_CORRECTNESS_NLI)
}
