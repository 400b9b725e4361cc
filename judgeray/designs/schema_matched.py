"""Design S: C's keys without C's instruction to decompose, so that the output schema alone is matched."""

from __future__ import annotations

from judgeray.designs.pointwise import PointwiseDesign

S = PointwiseDesign(
    name="S",
    title="schema-matched control",
    version="v1",
    source="arXiv 2603.28005, appendix G.10",
    system=(
        "You are a careful factuality judge. Evaluate the candidate answer against the reference answer or "
        "context, but do not explicitly decompose the answer into atomic claims. Use the requested JSON fields "
        "as compact evidence notes rather than as an exhaustive claim list. Ignore verbosity, tone, or writing "
        "style unless they change factual content."
    ),
    block="""\
Judge holistically on:
- correctness
- completeness
- unsupported detail
- robustness to style bias
Return valid JSON with the same keys as the atomic judge:
- verdict: one of ["supported", "partially_supported", "unsupported"]
- score: integer 1-5
- atomic_claims: list of short evidence notes or an empty list
- supported_claims: list of short supporting notes
- unsupported_claims: list of short unsupported or missing points
- confidence: number between 0 and 1
- rationale: short string""",
    output_tokens=220,
)
