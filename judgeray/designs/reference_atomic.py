"""Design R: split the reference into atomic claims and check whether the candidate covers each."""

from __future__ import annotations

from judgeray.designs.pointwise import PointwiseDesign

R = PointwiseDesign(
    name="R",
    title="reference-side atomic",
    version="v1",
    source="arXiv 2603.28005, appendix G.4",
    system=(
        "You are a careful factuality judge. Break the reference answer into atomic factual claims, check "
        "for each claim whether it is covered by the candidate answer, and then produce a structured "
        "verdict. Ignore verbosity, tone, or writing style unless they change factual content."
    ),
    block="""\
Return valid JSON with keys:
- verdict: one of ["supported", "partially_supported", "unsupported"]
- score: integer 1-5
- reference_claims: list of strings
- covered_claims: list of strings
- missing_claims: list of strings
- confidence: number between 0 and 1
- rationale: short string""",
    output_tokens=290,
)
