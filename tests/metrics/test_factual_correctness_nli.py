"""Laws of factual correctness with NLI: claims by prompts, entailment by pairs, one road to the number."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Call, Judge
from judgeray.core.canonical import canonical_json
from judgeray.core.errors import BadInputError
from judgeray.metrics import factual_correctness
from judgeray.metrics.factual_correctness_nli import score
from judgeray.metrics.metric import Part, Score
from judgeray.metrics.settings import Level, Settings
from tests.metrics.metric_script import ITEM, JUDGE, NLI, Scripted, settle, well_behaved

SAID = ("Starr wrote it.", "It came out in 1974.")
SHOULD = ("Starr wrote it.", "Harrison wrote it.", "It came out in 1973.")
SETTINGS = Settings(nli=NLI)
SURE, UNSURE, AGAINST = (0.9, 0.08, 0.02), (0.4, 0.5, 0.1), (0.01, 0.09, 0.9)

Probabilities = tuple[float, float, float]


def told(found: Probabilities) -> str:
    """The NLI judge's reply with these probabilities of entailment, neutral and contradiction."""
    return canonical_json(dict(zip(("entailment", "neutral", "contradiction"), found, strict=True)))


def judged(probabilities: Mapping[str, Probabilities], other: Probabilities = UNSURE) -> Callable[[Call], Scripted]:
    """Splits as in all tests here; the NLI judge answers by hypothesis."""
    split = well_behaved(SAID, SHOULD, true=[])

    def script(call: Call) -> Scripted:
        if call.provider != "nli":
            return split(call)
        return told(probabilities.get(json.loads(call.user)["hypothesis"], other))

    return script


def run(script: Callable[[Call], Scripted], settings: Settings = SETTINGS) -> tuple[Score, list[list[Call]]]:
    """Score the usual item."""
    return settle(lambda: score(ITEM, JUDGE, settings), script)


def test_a_wave_of_prompts_and_a_wave_of_pairs() -> None:
    """Each claim of a text is a pair with the other text; the pair is canonical JSON, without a system text."""
    found, waves = run(judged({"Starr wrote it.": SURE, "It came out in 1974.": AGAINST}))
    assert [len(wave) for wave in waves] == [2, 5]
    assert {(call.provider, call.model, call.system) for call in waves[1]} == {("nli", NLI.model, None)}
    assert [call.user for call in waves[1]] == [
        canonical_json({"premise": premise, "hypothesis": claim})
        for claims, premise in ((SAID, ITEM.reference), (SHOULD, ITEM.answer))
        for claim in claims
    ]
    assert (found.status, found.value) == ("ok", 0.4)
    assert found.detail["answer_verdicts"] == [1, 0]
    assert found.detail["answer_entailment"] == [0.9, 0.01]
    assert found.detail["reference_entailment"] == [0.9, 0.4, 0.4]
    assert found.parts[2:] == (Part("answer_verdicts", "ok"), Part("reference_verdicts", "ok"))


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_a_claim_is_entailed_where_no_other_label_is_as_probable(found: list[float]) -> None:
    """The most probable label decides, and a tie is no entailment."""
    entailment, neutral, contradiction = found
    scored, _ = run(judged({}, other=(entailment, neutral, contradiction)))
    expected = int(entailment > neutral and entailment > contradiction)
    assert scored.detail["answer_verdicts"] == [expected] * len(SAID)


@pytest.mark.parametrize(
    "reply",
    [
        None,
        "entailment",
        "[0.9, 0.08, 0.02]",
        '{"entailment": 0.9, "neutral": 0.1}',
        '{"entailment": "0.9", "neutral": 0.1, "contradiction": 0}',
        '{"entailment": 1.2, "neutral": 0, "contradiction": 0}',
    ],
)
def test_what_is_no_reply_of_an_nli_judge_is_unparsed(reply: str | None) -> None:
    """A missing label, other types and numbers that are no probabilities are read as nothing, and asked once."""
    good = judged({}, other=SURE)

    def script(call: Call) -> Scripted:
        return reply if call.provider == "nli" and "1974" in call.user else good(call)

    found, waves = run(script)
    assert (found.status, found.value, len(waves)) == ("unparsed", None, 2)
    assert found.detail["answer_verdicts"] is None
    assert found.detail["reference_verdicts"] == [1, 1, 1]


def test_both_roads_give_the_same_number_for_the_same_verdicts() -> None:
    """What tells the metrics apart is who says what is entailed, not how it is counted."""
    settings = Settings(atomicity="high", coverage="high", nli=NLI)
    by_nli, _ = run(judged({"Starr wrote it.": SURE}), settings)
    by_judge, _ = settle(
        lambda: factual_correctness.score(ITEM, JUDGE, settings),
        well_behaved(SAID, SHOULD, true=["Starr wrote it."]),
    )
    assert by_nli.value == by_judge.value
    assert by_nli.detail["answer_claims"] == by_judge.detail["answer_claims"]


def test_defaults_differ_as_in_the_study() -> None:
    """Unset levels are low for the prompted metric and high for this one; set ones make the calls the same."""
    first = next(score(ITEM, JUDGE, SETTINGS))
    assert first != next(factual_correctness.score(ITEM, JUDGE, SETTINGS))
    levels: tuple[Level, ...] = ("low", "high")
    for level in levels:
        settings = Settings(atomicity=level, coverage=level, nli=NLI)
        assert next(score(ITEM, JUDGE, settings)) == next(factual_correctness.score(ITEM, JUDGE, settings))
        assert (first == next(score(ITEM, JUDGE, settings))) == (level == "high")


@pytest.mark.parametrize(
    ("judge", "settings", "message"),
    [
        (JUDGE, Settings(), "nli: found nothing, allowed: a judge of an account of kind nli"),
        (JUDGE, Settings(nli=JUDGE), "nli: found judge gpt of openai, allowed"),
        (NLI, SETTINGS, r"judges\.nli: metric factual_correctness_nli: found 'nli', which reads no prompts"),
    ],
)
def test_judges_in_the_wrong_place_are_refused(judge: Judge, settings: Settings, message: str) -> None:
    """Claims take a judge that reads prompts, entailment an in-process one; said before anything is asked."""
    with pytest.raises(BadInputError, match=message):
        score(ITEM, judge, settings)
