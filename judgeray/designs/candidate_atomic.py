"""Design C: split the candidate into atomic claims and ground each in the reference."""

from __future__ import annotations

from judgeray.designs.pointwise import PointwiseDesign

C = PointwiseDesign(
    name="C",
    title="candidate-side atomic",
    version="v1",
    source="arXiv 2603.28005, appendix G.2",
    system=(
        "You are a careful factuality judge. Break the candidate answer into atomic factual claims, ground "
        "each claim in the reference answer or context, and then produce a structured verdict. Ignore "
        "verbosity, tone, or writing style unless they change factual content."
    ),
    block="""\
Return valid JSON with keys:
- verdict: one of ["supported", "partially_supported", "unsupported"]
- score: integer 1-5
- atomic_claims: list of strings
- supported_claims: list of strings
- unsupported_claims: list of strings
- confidence: number between 0 and 1
- rationale: short string""",
    output_tokens=250,
)
