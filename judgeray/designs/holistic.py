"""Designs H, H.v2 and H.v3: a matched holistic rubric, told not to decompose the answer."""

from __future__ import annotations

from judgeray.designs.pointwise import PointwiseDesign

H = PointwiseDesign(
    name="H",
    title="matched holistic",
    version="v1",
    source="arXiv 2603.28005, appendix G.3",
    system=(
        "You are a careful factuality judge. Evaluate the candidate answer against the reference answer or "
        "context with a detailed rubric, but do not explicitly decompose the answer into atomic claims. "
        "Ignore style or verbosity unless they change factual content."
    ),
    block="""\
Judge holistically on:
- correctness
- completeness
- unsupported detail
- robustness to style bias
Return valid JSON with keys:
- verdict: one of ["supported", "partially_supported", "unsupported"]
- score: integer 1-5
- evidence_summary: short string
- unsupported_or_missing_points: list of strings
- confidence: number between 0 and 1
- rationale: short string""",
    output_tokens=150,
)

H_V2 = PointwiseDesign(
    name="H.v2",
    title="matched holistic, v2",
    version="v2",
    source="arXiv 2603.28005, appendix G.8",
    system=(
        "You are an expert answer-quality evaluator. Assess the candidate answer by first analyzing how well it "
        "covers the information in the reference answer, then checking for factual accuracy, and finally "
        "assigning an overall quality score. Do not decompose the answer into atomic claims. Disregard style "
        "and verbosity unless they introduce factual errors."
    ),
    block="""\
Evaluate the candidate answer holistically in three stages:
1. Coverage: How much of the reference information does the candidate include?
2. Accuracy: Are the included facts correct relative to the reference?
3. Final score: Combine coverage and accuracy into an overall assessment.
Return valid JSON with keys:
- verdict: one of ["supported", "partially_supported", "unsupported"]
- score: integer 1-5
- evidence_summary: short string describing coverage and accuracy findings
- unsupported_or_missing_points: list of strings (missing or incorrect information)
- confidence: number between 0 and 1
- rationale: short string explaining the final score""",
    output_tokens=180,
)

H_V3 = PointwiseDesign(
    name="H.v3",
    title="matched holistic, v3",
    version="v3",
    source="arXiv 2603.28005, appendix G.9",
    system=(
        "You are a comparative factuality judge. Your job is to compare the candidate answer directly against "
        "the reference answer, evaluating factual overlap, missing information, and any unsupported additions. "
        "Produce a single holistic judgement without breaking the answer into atomic claims. Ignore differences "
        "in writing style or length."
    ),
    block="""\
Compare the candidate answer against the reference answer on these dimensions:
- Factual overlap: What correct information do both share?
- Missing information: What does the reference contain that the candidate omits?
- Unsupported additions: What does the candidate assert that the reference does not support?
Synthesize your comparison into an overall verdict.
Return valid JSON with keys:
- verdict: one of ["supported", "partially_supported", "unsupported"]
- score: integer 1-5
- evidence_summary: short string summarizing the comparison
- unsupported_or_missing_points: list of strings (omissions and unsupported additions)
- confidence: number between 0 and 1
- rationale: short string explaining the verdict""",
    output_tokens=190,
)
