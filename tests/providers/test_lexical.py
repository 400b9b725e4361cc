"""Laws of the in-process baseline judge."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply, Usage
from judgeray.designs.pointwise import PointwiseDesign
from judgeray.designs.reading import Judgment
from judgeray.designs.registry import DESIGNS
from judgeray.providers.lexical import answer
from judgeray.rows import LABELS, Row

S, P, U = LABELS
JUDGE = Judge("overlap", "lexical", "coverage-v1", in_process=True)
LIST = "Paris, Lyon, Nice, Lille"

quick = settings(max_examples=150, deadline=None)
texts = st.text(st.characters()) | st.text("ab c,.;\n\u00df\u0130", max_size=30)
designs = st.sampled_from([*DESIGNS.values()])


def judge(design: PointwiseDesign, question: str, reference: str, candidate: str) -> tuple[Reply, Judgment]:
    """Ask the baseline about one row by a design, and read its reply as that design would."""
    row = Row("d", "1", "d:1:v", "v", S, question, reference, candidate)
    reply = answer(design.call(row, JUDGE))
    return reply, design.read(reply)


@pytest.mark.parametrize(
    ("reference", "candidate", "by_precision", "by_recall", "by_both"),
    [
        (LIST, "lille, nice, lyon, PARIS", S, S, S),
        (LIST, "Paris, Lyon", S, P, P),
        (LIST, "Paris, Lyon, Nice, Lille, Rome, Bonn, Bern", P, S, P),
        (LIST, "Rome, Bonn, Bern, Oslo, Lille", U, P, U),
        (LIST, "Rome, Bonn", U, U, U),
        (LIST, "the city of Paris", P, P, P),
        ("The Seine flows through it.", "Seine flows", S, P, P),
        ("The Seine flows through it.", "It is Rome.", U, U, U),
        (
            "Abel, born in Finnoy, died young, poor, and unknown to the great world of his own science then",
            "Abel",
            S,
            U,
            U,
        ),
        (LIST, "", U, U, U),
        ("", "Paris", U, U, U),
    ],
)
def test_rule(reference: str, candidate: str, by_precision: str, by_recall: str, by_both: str) -> None:
    """C goes by precision alone, R by recall alone, H and B by the lower of the two."""
    verdicts = {n: judge(DESIGNS[n], "Which towns?", reference, candidate)[1].verdict for n in "CRHB"}
    assert verdicts == {"C": by_precision, "R": by_recall, "H": by_both, "B": by_both}


def test_question_words() -> None:
    """Words of the question are no evidence, for or against."""
    question, reference = "Who wrote the play Faust?", "Goethe wrote the play Faust."
    assert judge(DESIGNS["H"], question, reference, "The play Faust: Schiller wrote it.")[1].verdict == U
    assert judge(DESIGNS["H"], question, reference, "Goethe")[1].verdict == S


def test_reply() -> None:
    """The reply is complete, free of measurements and clocks, and reads like that of any judge."""
    reply, judgment = judge(DESIGNS["B"], "Which towns?", LIST, "Paris, Lyon, Rome, Nice")
    row = Row("d", "1", "d:1:v", "v", S, "Which towns?", LIST, "Paris, Lyon, Rome, Nice")
    assert reply == Reply(
        DESIGNS["B"].call(row, JUDGE).key,
        "lexical",
        "coverage-v1",
        "complete",
        '{"verdict": "partially_supported", "score": 4, "confidence": 0.69, '
        '"rationale": "precision 0.75, recall 0.75"}',
        Usage(),
        finish_reason="stop",
        served_model="coverage-v1",
    )
    assert judgment == Judgment("ok", P, 4.0, 0.69, "whole")


def test_unknown_design() -> None:
    """A design that the baseline does not know is judged like H."""
    user = json.dumps({"question": "Which?", "reference": LIST, "candidate": "Paris, Lyon"})
    replies = [answer(JUDGE.call(system, user)).text for system in ("H", "X", None)]
    assert replies == [replies[0]] * 3


def test_unknown_model() -> None:
    """An unknown model is refused with the models there are."""
    call = Judge("overlap", "lexical", "coverage-v2").call("C", "{}")
    with pytest.raises(BadInputError, match="found 'coverage-v2', allowed: coverage-v1"):
        answer(call)


@pytest.mark.parametrize("user", ["", "[]", "{}", '{"question": "q", "reference": "r", "candidate": null}'])
def test_other_json(user: str) -> None:
    """A call that does not hold the three texts is refused."""
    with pytest.raises(BadInputError, match="question, reference, candidate"):
        answer(JUDGE.call("C", user))


@quick
@given(designs, texts, texts, texts)
def test_total(design: PointwiseDesign, question: str, reference: str, candidate: str) -> None:
    """Any texts are judged, the same way each time, with a score and a confidence in range."""
    reply, judgment = judge(design, question, reference, candidate)
    assert reply == judge(design, question, reference, candidate)[0]
    assert judgment.status == "ok"
    assert judgment.score is not None
    assert judgment.confidence is not None
    assert judgment.confidence >= 0.5


@quick
@given(designs, texts, texts.filter(str.strip))
def test_copy(design: PointwiseDesign, question: str, reference: str) -> None:
    """A copy of the reference is supported by every design."""
    judgment = judge(design, question, reference, reference)[1]
    assert (judgment.verdict, judgment.score, judgment.confidence) == (S, 5, 1)


@quick
@given(designs, texts, texts, st.text(" \n\t", max_size=3))
def test_blank(design: PointwiseDesign, question: str, reference: str, blank: str) -> None:
    """A blank candidate is never supported."""
    assert judge(design, question, reference, blank)[1].verdict == U


@quick
@given(st.lists(st.sampled_from("abcdefgh"), min_size=3, max_size=8, unique=True), st.data())
def test_monotone(items: list[str], data: st.DataObject) -> None:
    """Saying more of the reference never lowers the recall's label."""
    names = [f"town{item}" for item in items]
    fewer = data.draw(st.integers(0, len(names)))
    more = data.draw(st.integers(fewer, len(names)))
    verdicts = [
        judge(DESIGNS["R"], "Which?", ", ".join(names), ", ".join(names[:n]))[1].verdict for n in (more, fewer)
    ]
    ranks = [LABELS.index(verdict) for verdict in verdicts if verdict]
    assert len(ranks) == 2
    assert ranks == sorted(ranks)
