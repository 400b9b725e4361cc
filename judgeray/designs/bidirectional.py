"""Design B: decompose both sides, ground the candidate's claims and check coverage of the reference's."""

from __future__ import annotations

from judgeray.designs.pointwise import PointwiseDesign

B = PointwiseDesign(
    name="B",
    title="bidirectional atomic",
    version="v1",
    source="arXiv 2603.28005, appendix G.5",
    system=(
        "You are a careful factuality judge. Break both the candidate answer and the reference answer into "
        "atomic factual claims. Ground each candidate claim in the reference answer, and check for each "
        "reference claim whether it is covered by the candidate answer. Then produce a structured verdict. "
        "Ignore verbosity, tone, or writing style unless they change factual content."
    ),
    block="""\
Return valid JSON with keys:
- verdict: one of ["supported", "partially_supported", "unsupported"]
- score: integer 1-5
- candidate_claims: list of strings
- supported_claims: list of strings
- unsupported_claims: list of strings
- reference_claims: list of strings
- covered_claims: list of strings
- missing_claims: list of strings
- confidence: number between 0 and 1
- rationale: short string""",
    output_tokens=480,
)
