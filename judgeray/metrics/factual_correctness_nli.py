"""`factual_correctness_nli`: claims by a prompted judge, entailment by a local NLI model."""

from __future__ import annotations

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.core.procedure import Procedure
from judgeray.metrics import claims as splitting
from judgeray.metrics.claim_score import claim_score
from judgeray.metrics.metric import Metric, Score, Scored, require_prompts
from judgeray.metrics.nli_entailment import nli_entailed
from judgeray.metrics.settings import Level, Settings

NAME = "factual_correctness_nli"
DEFAULT: Level = "high"
"""Atomicity and coverage where none is set: those of the package that the authors of study 2 published with it."""


def score(item: Scored, judge: Judge, settings: Settings) -> Procedure[Score]:
    """Score by claims, with a wave of two calls and one of in-process pairs.

    Raises BadInputError for a judge that reads no prompts, and where the settings name no in-process NLI judge.
    """
    require_prompts(NAME, judge)
    nli = settings.nli
    if nli is None or not nli.in_process:
        found = "nothing" if nli is None else f"judge {nli.name} of {nli.provider}"
        raise BadInputError(f"metric {NAME}: nli: found {found}, allowed: a judge of an account of kind nli.")
    atomicity, coverage = settings.atomicity or DEFAULT, settings.coverage or DEFAULT
    return claim_score(
        item,
        settings,
        lambda text: splitting.claims(text, judge, atomicity, coverage, settings.replicate),
        lambda claims, text: nli_entailed(claims, text, nli),
    )


def prompts(settings: Settings) -> tuple[str, ...]:
    """Give system and user template of the claims prompt; NLI models read pairs and no prompt."""
    return splitting.system_text(settings.atomicity or DEFAULT, settings.coverage or DEFAULT), splitting.USER


FACTUAL_CORRECTNESS_NLI = Metric(
    name=NAME,
    title="factual correctness (claims by the judge, entailment by NLI)",
    version=f"claims {splitting.VERSION}",
    source="study 2 (arXiv 2609.15561, sections 2.1 and 5: LLM + NLI); prompt ours",
    low=0.0,
    high=1.0,
    calls=2,
    output_tokens=2 * splitting.OUTPUT_TOKENS,
    reads=frozenset({"atomicity", "coverage", "mode", "beta", "recall", "nli", "replicate"}),
    prompts=prompts,
    score=score,
)
