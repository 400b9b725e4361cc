"""Laws of factual correctness: two waves, fresh draws for broken lists, and what is kept of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Call, Judge
from judgeray.core.canonical import canonical_json
from judgeray.core.errors import BadInputError
from judgeray.core.replay import Stuck, replay
from judgeray.core.reply import Answer, Failure
from judgeray.metrics.factual_correctness import FACTUAL_CORRECTNESS, score
from judgeray.metrics.metric import Part, Score
from judgeray.metrics.settings import Mode, Settings
from tests.metrics.metric_script import (
    ITEM,
    JUDGE,
    Scripted,
    asks_entailment,
    claims_asked,
    settle,
    text_shown,
    well_behaved,
)

SAID = ("Starr wrote it.", "It came out in 1974.")
SHOULD = ("Starr wrote it.", "Harrison wrote it.", "It came out in 1973.")


def run(
    script: Callable[[Call], Scripted], judge: Judge = JUDGE, settings: Settings | None = None
) -> tuple[Score, list[list[Call]]]:
    """Score the usual item."""
    return settle(lambda: score(ITEM, judge, settings or Settings()), script)


def test_two_waves_of_two_calls() -> None:
    """Both splits come together, then both checks, each with all claims of one text against the other text."""
    found, waves = run(well_behaved(SAID, SHOULD, true=["Starr wrote it."]))
    assert [len(wave) for wave in waves] == [2, 2]
    assert [text_shown(call) for call in waves[0]] == [ITEM.answer, ITEM.reference]
    assert [(claims_asked(call), text_shown(call)) for call in waves[1]] == [
        (list(SAID), ITEM.reference),
        (list(SHOULD), ITEM.answer),
    ]
    assert found == Score(
        "ok",
        0.4,
        {
            "answer_claims": list(SAID),
            "reference_claims": list(SHOULD),
            "answer_verdicts": [1, 0],
            "reference_verdicts": [1, 0, 0],
            "tp": 1,
            "fp": 1,
            "fn": 2,
            "covered": 1,
            "precision": 0.5,
            "recall": 1 / 3,
        },
        (
            Part("answer_claims", "ok"),
            Part("reference_claims", "ok"),
            Part("answer_verdicts", "ok"),
            Part("reference_verdicts", "ok"),
        ),
    )


def test_calls_of_one_reference_are_shared() -> None:
    """Other answers to the same question find the reference's claims bought: the call holds that text alone."""
    script = well_behaved(SAID, SHOULD, true=[])
    _, waves = run(script)
    other = replace(ITEM, answer="Harrison wrote it.", question="Whose is it?")
    _, others = settle(lambda: score(other, JUDGE, Settings()), script)
    assert waves[0][1].key == others[0][1].key
    assert waves[0][0].key != others[0][0].key


@pytest.mark.parametrize(
    ("mode", "expected", "calls"), [("precision", 0.5, 2), ("recall", 0.33, 4), ("f1", 0.4, 4)]
)
def test_modes_ask_for_what_they_need(mode: Mode, expected: float, calls: int) -> None:
    """Precision needs the answer's claims alone; what was not checked is unknown in the detail."""
    found, waves = run(well_behaved(SAID, SHOULD, true=["Starr wrote it."]), settings=Settings(mode=mode))
    assert (found.status, found.value, sum(len(wave) for wave in waves)) == ("ok", expected, calls)
    assert ("reference_claims" in found.detail) == (mode != "precision")
    assert (found.detail["fn"] is None) == (found.detail["recall"] is None) == (mode == "precision")


@pytest.mark.parametrize(
    ("answer", "reference", "undefined"),
    [
        ((), SHOULD, "no claims in the answer"),
        (SAID, (), "no claims in the reference"),
        ((), (), "no claims in the answer and the reference"),
    ],
)
def test_texts_without_claims_have_no_value(
    answer: tuple[str, ...], reference: tuple[str, ...], undefined: str
) -> None:
    """Where a list is empty the value is unknown, not zero, and nothing is checked."""
    found, waves = run(well_behaved(answer, reference, true=[]))
    assert (found.status, found.value, found.detail["undefined"]) == ("ok", None, undefined)
    assert len(waves) == 1


def test_blank_texts_take_no_call() -> None:
    """A blank text has no claims; nobody need be asked."""
    blank = replace(ITEM, answer=" \n", reference="")
    found, waves = settle(lambda: score(blank, JUDGE, Settings()), lambda call: pytest.fail("asked"))
    assert (found.status, found.value, waves) == ("ok", None, [])
    assert found.parts == (Part("answer_claims", "ok", 0), Part("reference_claims", "ok", 0))


@given(st.permutations([1, 2, 3]))
def test_the_order_of_verdicts_changes_nothing(order: list[int]) -> None:
    """Verdicts are matched by index: any order of the same verdicts gives the same score."""
    good = well_behaved(SAID, SHOULD, true=["Starr wrote it."])

    def script(call: Call) -> Scripted:
        text = good(call)
        if asks_entailment(call) and len(claims_asked(call)) == len(order):
            entries = json.loads(text)["verdicts"]
            return json.dumps({"verdicts": [entries[index - 1] for index in order]})
        return text

    assert run(script)[0] == run(good)[0]


@given(st.lists(st.booleans(), min_size=1, max_size=6), st.lists(st.booleans(), min_size=1, max_size=6))
def test_scores_are_what_the_verdicts_count_to(said: list[bool], should: list[bool]) -> None:
    """For any numbers of claims and any verdicts, the value is F1 of RAGAS's counts, and detail is plain JSON."""
    answer = [f"said {n}" for n in range(len(said))]
    reference = [f"should {n}" for n in range(len(should))]
    true = [claim for claim, holds in zip(answer + reference, said + should, strict=True) if holds]
    found, _ = run(well_behaved(answer, reference, true))
    tp, fp, fn = sum(said), len(said) - sum(said), len(should) - sum(should)
    assert found.value == pytest.approx(2 * tp / (2 * tp + fp + fn) if tp else 0.0, abs=0.005001)
    assert json.loads(canonical_json(found.detail))["tp"] == tp


def test_a_judge_that_reads_no_prompts_is_refused() -> None:
    """An in-process judge is refused before anything is asked."""
    overlap = Judge("overlap", "lexical", "coverage-v1", in_process=True)
    with pytest.raises(
        BadInputError, match=r"judges\.overlap: metric factual_correctness: found 'lexical', .* allowed: a judge"
    ):
        FACTUAL_CORRECTNESS.score(ITEM, overlap, Settings())


def test_a_failed_call_leaves_the_score_open() -> None:
    """Where a call ends without a reply there is no score, of any status: a rerun asks for it again."""
    asked = next(score(ITEM, JUDGE, Settings()))
    known: dict[str, Answer] = {call.key: Failure(call.key, call.provider, "gone", 6) for call in asked}
    state = replay(score(ITEM, JUDGE, Settings()), known)
    assert isinstance(state, Stuck)
    assert state.failure.error == "gone"
