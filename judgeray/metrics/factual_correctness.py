"""`factual_correctness`: claims of answer and reference, checked against each other by a prompted judge."""

from __future__ import annotations

from judgeray.core.call import Judge
from judgeray.core.procedure import Procedure
from judgeray.metrics import claims as splitting
from judgeray.metrics import entailment as checking
from judgeray.metrics.claim_score import claim_score
from judgeray.metrics.metric import Metric, Score, Scored, require_prompts
from judgeray.metrics.settings import Level, Settings

NAME = "factual_correctness"
DEFAULT: Level = "low"
"""Atomicity and coverage where none is set: RAGAS's defaults, with which study 2 ran it."""


def score(item: Scored, judge: Judge, settings: Settings) -> Procedure[Score]:
    """Score by claims, with two waves of two calls. Raises BadInputError for a judge that reads no prompts."""
    require_prompts(NAME, judge)
    atomicity, coverage = settings.atomicity or DEFAULT, settings.coverage or DEFAULT
    return claim_score(
        item,
        settings,
        lambda text: splitting.claims(text, judge, atomicity, coverage, settings.replicate),
        lambda claims, text: checking.entailed(claims, text, judge, settings.replicate),
    )


def prompts(settings: Settings) -> tuple[str, ...]:
    """Give system and user templates of both prompts."""
    system = splitting.system_text(settings.atomicity or DEFAULT, settings.coverage or DEFAULT)
    return system, splitting.USER, checking.SYSTEM, checking.USER


FACTUAL_CORRECTNESS = Metric(
    name=NAME,
    title="factual correctness (claims and entailment by the judge)",
    version=f"claims {splitting.VERSION}, entailment {checking.VERSION}",
    source="RAGAS (Es et al. 2024), as study 2 (arXiv 2609.15561, sections 2.1 and 5) uses it; prompts ours",
    low=0.0,
    high=1.0,
    calls=4,
    output_tokens=2 * (splitting.OUTPUT_TOKENS + checking.OUTPUT_TOKENS),
    reads=frozenset({"atomicity", "coverage", "mode", "beta", "recall", "replicate"}),
    prompts=prompts,
    score=score,
)
