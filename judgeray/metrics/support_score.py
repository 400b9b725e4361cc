"""`support_score`: the score from 1 to 5 that a pointwise design gives beside its label."""

from __future__ import annotations

from judgeray.core.call import Judge
from judgeray.core.procedure import Procedure
from judgeray.metrics.metric import Metric, Score, Scored
from judgeray.metrics.settings import Settings
from judgeray.metrics.support import SOURCE, support, support_prompts


def score(item: Scored, judge: Judge, settings: Settings) -> Procedure[Score]:
    """Score by one call of the design that the settings name; a missing score, or one out of range, is unparsed."""
    return support(item, judge, settings, lambda judgment: judgment.score)


SUPPORT_SCORE = Metric(
    name="support_score",
    title="score beside the support label (1 to 5)",
    version="v1",
    source=SOURCE,
    low=1.0,
    high=5.0,
    calls=1,
    output_tokens=200,
    reads=frozenset({"design", "replicate"}),
    prompts=support_prompts,
    score=score,
)
