"""Designs C, C.v2 and C.v3: split the candidate into atomic claims and ground each in the reference."""

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

C_V2 = PointwiseDesign(
    name="C.v2",
    title="candidate-side atomic, v2",
    version="v2",
    source="arXiv 2603.28005, appendix G.6",
    system=(
        "You are a meticulous fact-checking assistant. Your task is to identify every key factual assertion in "
        "the candidate answer, verify each assertion against the reference answer, and then aggregate your "
        "findings into a structured JSON verdict. Focus exclusively on factual accuracy and completeness; "
        "disregard differences in phrasing, tone, or length."
    ),
    block="""\
Perform the following analysis:
1. Identify every key factual assertion in the candidate answer.
2. For each assertion, determine whether it is supported by the reference answer.
3. Aggregate your findings into an overall verdict.
Return valid JSON with keys:
- verdict: one of ["supported", "partially_supported", "unsupported"]
- score: integer 1-5
- atomic_claims: list of strings (all factual assertions identified)
- supported_claims: list of strings (assertions backed by the reference)
- unsupported_claims: list of strings (assertions not backed or contradicted)
- confidence: number between 0 and 1
- rationale: short string explaining the overall judgement""",
    output_tokens=230,
)

C_V3 = PointwiseDesign(
    name="C.v3",
    title="candidate-side atomic, v3",
    version="v3",
    source="arXiv 2603.28005, appendix G.7",
    system=(
        "You are a rigorous claim-verification judge. Follow a strict step-by-step protocol: first list all "
        "discrete claims made in the candidate answer, then check each claim for support in the reference "
        "answer, and finally render an overall verdict with a confidence score. Ignore stylistic differences "
        "and evaluate only factual substance."
    ),
    block="""\
Follow these steps strictly:
Step 1: List every discrete claim made in the candidate answer.
Step 2: For each claim, check whether the reference answer supports, contradicts, or is silent on it.
Step 3: Based on your verification, decide on an overall verdict and score.
Return valid JSON with keys:
- verdict: one of ["supported", "partially_supported", "unsupported"]
- score: integer 1-5
- atomic_claims: list of strings (all discrete claims from Step 1)
- supported_claims: list of strings (claims supported in Step 2)
- unsupported_claims: list of strings (claims contradicted or unsupported in Step 2)
- confidence: number between 0 and 1
- rationale: short string summarizing your Step 3 reasoning""",
    output_tokens=250,
)
