"""Laws of the judge designs: the prompt is the instrument, and it is quoted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Judge
from judgeray.core.reply import Outcome, Reply, Usage
from judgeray.designs.registry import DESIGNS
from judgeray.rows import Row

GOLDEN = Path(__file__).parent / "golden"
ROW = Row(
    dataset="asqa",
    question_id="2771414991157063420",
    row_id="asqa:2771414991157063420:partial",
    variant="partial",
    label="partially_supported",
    question="When did construction start on the {sydney} harbour bridge?",
    reference='It started on 28 July 1923.\nThe arch followed: "{26} October 1928".',
    candidate="28 July 1923",
)
JUDGE = Judge("gpt", "openai", "gpt-4.1")
texts = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)


def reply(text: str | None, outcome: Outcome = "complete") -> Reply:
    """A reply with this text."""
    return Reply("0" * 64, "openai", "gpt-4.1", outcome, text, Usage())


@pytest.mark.parametrize("name", sorted(DESIGNS))
def test_whole_prompt_is_pinned(name: str) -> None:
    """System prompt and user message are exactly the golden file's; a changed comma is another instrument."""
    call = DESIGNS[name].call(ROW, JUDGE)
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert f"{call.system}\n=====\n{call.user}\n" == golden


@pytest.mark.parametrize("name", sorted(DESIGNS))
def test_call_key_of_a_design_is_pinned(name: str) -> None:
    """The keys of the paper's prompts do not change between releases."""
    keys = dict(line.split() for line in (GOLDEN / "keys.txt").read_text().splitlines())
    assert DESIGNS[name].call(ROW, JUDGE).key == keys[name]


@pytest.mark.parametrize("name", sorted(DESIGNS))
@given(question=texts, reference=texts, candidate=texts)
def test_texts_of_a_row_stand_in_the_prompt_as_they_are(
    name: str, question: str, reference: str, candidate: str
) -> None:
    """Braces, quotes and any other character of a row are data, never part of the template."""
    row = Row("d", "q", "r", "v", "supported", question, reference, candidate)
    user = DESIGNS[name].user(row)
    start = f"Question: {question}\nReference answer: {reference}\nCandidate answer: {candidate}\n\n"
    assert user == start + DESIGNS[name].block


def test_designs_differ_only_in_instruction() -> None:
    """All designs share judge, inputs and header (study 1, section 3.3)."""
    heads = {DESIGNS[name].user(ROW).removesuffix(DESIGNS[name].block) for name in DESIGNS}
    assert len(heads) == 1
    assert len({DESIGNS[name].call(ROW, JUDGE).key for name in DESIGNS}) == len(DESIGNS)


def test_in_process_judge_gets_the_texts() -> None:
    """A judge that runs here is given the row's texts, not a prompt to take apart."""
    call = DESIGNS["R"].call(ROW, Judge("overlap", "lexical", "coverage-v1", in_process=True))
    assert call.system == "R"
    assert '"candidate":"28 July 1923"' in call.user


def test_in_process_judge_reads_no_wording() -> None:
    """All versions of a design are one call to a judge that is given no prompt."""
    overlap = Judge("overlap", "lexical", "coverage-v1", in_process=True)
    keys = {name: DESIGNS[name].call(ROW, overlap).key for name in DESIGNS}
    assert keys["C"] == keys["C.v2"] == keys["C.v3"] != keys["H"] == keys["H.v2"] == keys["H.v3"]
    assert len(set(keys.values())) == len({design.family for design in DESIGNS.values()}) == 5


def test_names_tell_family_and_version() -> None:
    """A name is the family's for the first version; for others the version stands behind a dot."""
    for name, design in DESIGNS.items():
        suffix = "" if design.version == "v1" else f".{design.version}"
        assert name == design.name == design.family + suffix
    assert {name for name, design in DESIGNS.items() if design.family == "H"} == {"H", "H.v2", "H.v3"}


def test_versions_ask_for_the_same_keys() -> None:
    """Wordings of one design ask for the same fields in the same order, and S for those of C."""
    asked = {name: re.findall(r"^- (\w+): ", DESIGNS[name].block, re.MULTILINE) for name in DESIGNS}
    assert asked["C"] == asked["C.v2"] == asked["C.v3"] == asked["S"]
    assert asked["H"] == asked["H.v2"] == asked["H.v3"]
    assert all(keys[:2] == ["verdict", "score"] for keys in asked.values())


@pytest.mark.parametrize(
    ("text", "outcome", "status", "verdict"),
    [
        ('{"verdict": "supported", "score": 5, "confidence": 0.9}', "complete", "ok", "supported"),
        ('{"verdict": "supported", "score": 5', "truncated", "ok", "supported"),
        ('{"verd', "truncated", "truncated", None),
        ("I cannot tell.", "complete", "unparsed", None),
        ('{"verdict": "mostly"}', "complete", "unparsed", None),
        (None, "empty", "unparsed", None),
        (None, "truncated", "truncated", None),
        (None, "refused", "refused", None),
        ('{"verdict": "supported"}', "refused", "refused", None),
    ],
)
def test_status_says_why_there_is_no_verdict(
    text: str | None, outcome: Outcome, status: str, verdict: str | None
) -> None:
    """A verdict exists only where the text states it; a refusal is never read."""
    judgment = DESIGNS["H"].read(reply(text, outcome))
    assert (judgment.status, judgment.verdict) == (status, verdict)


@pytest.mark.parametrize(
    ("fields", "score", "confidence"),
    [
        ('"score": 3, "confidence": 0.5', 3.0, 0.5),
        ('"score": 6, "confidence": 1.5', None, None),
        ('"score": "3", "confidence": "high"', None, None),
        ('"score": true, "confidence": null', None, None),
    ],
)
def test_scores_out_of_range_are_unknown(fields: str, score: float | None, confidence: float | None) -> None:
    """What a judge was not asked for is not clipped into what it was."""
    judgment = DESIGNS["C"].read(reply(f'{{"verdict": "unsupported", {fields}}}'))
    assert (judgment.score, judgment.confidence) == (score, confidence)
