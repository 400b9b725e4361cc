"""`support_verdict`: the support label of a pointwise design, mapped to 1, 0.5 or 0."""

from __future__ import annotations

from judgeray.core.call import Judge
from judgeray.core.procedure import Procedure
from judgeray.designs.reading import Judgment
from judgeray.metrics.metric import Metric, Score, Scored
from judgeray.metrics.settings import Settings
from judgeray.metrics.support import SOURCE, support, support_prompts

VALUES = {"supported": 1.0, "partially_supported": 0.5, "unsupported": 0.0}


def score(item: Scored, judge: Judge, settings: Settings) -> Procedure[Score]:
    """Score by one call of the design that the settings name; in-process judges that know designs may answer."""
    return support(item, judge, settings, _value)


def _value(judgment: Judgment) -> float | None:
    return VALUES[judgment.verdict] if judgment.verdict is not None else None


SUPPORT_VERDICT = Metric(
    name="support_verdict",
    title="support label (1, 0.5 or 0)",
    version="v1",
    source=SOURCE,
    low=0.0,
    high=1.0,
    calls=1,
    output_tokens=200,
    reads=frozenset({"design", "replicate"}),
    prompts=support_prompts,
    score=score,
)
