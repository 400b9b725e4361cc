"""Pairwise judge designs: two candidates of one question, one call, one winner."""

from __future__ import annotations

from dataclasses import dataclass

from judgeray.core.call import Call, Judge
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply
from judgeray.designs.pair_reading import PairJudgment, pair_judgment
from judgeray.pairs import Pair

PAIR_HEADER = """\
Question: {question}
Reference answer: {reference_answer}
Answer A: {candidate_a}
Answer B: {candidate_b}

"""
"""Header of the user message (study 1, appendix G.11), laid out as the pointwise one."""


@dataclass(frozen=True)
class PairwiseDesign:
    """A single-call design that compares: `system` and `block` are quoted from the section named in `source`.

    `output_tokens` is what a reply is expected to write before any reply is known; it only feeds cost plans.
    """

    name: str
    title: str
    version: str
    source: str
    system: str
    block: str
    output_tokens: int

    @property
    def template(self) -> str:
        """The user message, with the names of the texts in braces where they go."""
        return PAIR_HEADER + self.block

    def user(self, pair: Pair) -> str:
        """Render the user message of one pair, in the order in which it is shown."""
        shown_a, shown_b = pair.shown
        header = PAIR_HEADER.format(
            question=pair.question, reference_answer=pair.reference, candidate_a=shown_a, candidate_b=shown_b
        )
        return header + self.block

    def call(self, pair: Pair, judge: Judge, replicate: int = 0) -> Call:
        """Build the call for one pair; raises BadInputError for an in-process judge, which knows no pairs."""
        if judge.in_process:
            raise BadInputError(
                f"judges.{judge.name}: design {self.name}: found '{judge.provider}', which judges one candidate "
                "at a time, allowed: a judge that answers prompts."
            )
        return judge.call(self.system, self.user(pair), replicate)

    def read(self, pair: Pair, reply: Reply) -> PairJudgment:
        """Read the winner from a reply about `pair`, or the status that says why there is none."""
        return pair_judgment(pair, reply)


P = PairwiseDesign(
    name="P",
    title="holistic pairwise",
    version="v1",
    source="arXiv 2603.28005, appendix G.11",
    system=(
        "You are an impartial pairwise judge for free-form QA. Compare Answer A and Answer B against the "
        "reference answer or context using a detailed rubric, but do not explicitly break answers into atomic "
        "claims. Focus on factual correctness, completeness, contradiction, and fairness."
    ),
    block="""\
Compare the answers holistically on:
- correctness
- completeness
- unsupported detail
- robustness to order or verbosity bias
Return valid JSON with keys:
- winner: one of ["A", "B", "tie"]
- score_a: integer 1-5
- score_b: integer 1-5
- evidence_summary: short string
- confidence: number between 0 and 1
- rationale: short string""",
    output_tokens=150,
)
