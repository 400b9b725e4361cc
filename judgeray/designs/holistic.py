"""Design H: a matched holistic rubric, told not to decompose the answer."""

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
