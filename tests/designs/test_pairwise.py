"""Laws of the pairwise designs: what is shown as A and B, and what a reply says of first and second."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Outcome, Reply, Usage
from judgeray.designs.pair_reading import PairJudgment
from judgeray.designs.registry import PAIRWISE
from judgeray.pairs import Pair

GOLDEN = Path(__file__).parent / "golden"
P = PAIRWISE["P"]
JUDGE = Judge("gpt", "openai", "gpt-4.1")
PAIR = Pair(
    dataset="asqa",
    question_id="2771414991157063420",
    pair_id="asqa:2771414991157063420:full-partial",
    first_variant="full",
    second_variant="partial",
    question="When did construction start on the {sydney} harbour bridge?",
    reference='It started on 28 July 1923.\nThe arch followed: "{26} October 1928".',
    first='It started on 28 July 1923.\nThe arch followed: "{26} October 1928".',
    second="28 July 1923",
)
REVERSED = replace(PAIR, reversed=True)
UNPARSED = PairJudgment("unparsed")
texts = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)


def reply(text: str | None, outcome: Outcome = "complete") -> Reply:
    """A reply with this text."""
    return Reply("0" * 64, "openai", "gpt-4.1", outcome, text, Usage())


def read(text: str | None, outcome: Outcome = "complete", pair: Pair = PAIR) -> PairJudgment:
    """What P reads from a text about a pair."""
    return P.read(pair, reply(text, outcome))


@pytest.mark.parametrize(("pair", "name"), [(PAIR, "P"), (REVERSED, "P.reversed")])
def test_whole_prompt_of_a_pair_is_pinned(pair: Pair, name: str) -> None:
    """System prompt and user message are exactly the golden file's, in either order."""
    call = P.call(pair, JUDGE)
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert f"{call.system}\n=====\n{call.user}\n" == golden


@pytest.mark.parametrize(("pair", "name"), [(PAIR, "P"), (REVERSED, "P.reversed")])
def test_call_key_of_a_pair_is_pinned(pair: Pair, name: str) -> None:
    """The keys of both orders do not change between releases, and are two."""
    keys = dict(line.split() for line in (GOLDEN / "keys.txt").read_text().splitlines())
    assert P.call(pair, JUDGE).key == keys[name]
    assert keys["P"] != keys["P.reversed"]


@pytest.mark.parametrize("name", sorted(PAIRWISE))
@given(question=texts, reference=texts, first=texts, second=texts, is_reversed=st.booleans())
def test_texts_of_a_pair_stand_in_the_prompt_as_they_are(
    name: str, question: str, reference: str, first: str, second: str, is_reversed: bool
) -> None:
    """Any text is data, and the second candidate is Answer A exactly where the pair is reversed."""
    pair = Pair("d", "q", "p", "full", "partial", question, reference, first, second, is_reversed)
    a, b = (second, first) if is_reversed else (first, second)
    start = f"Question: {question}\nReference answer: {reference}\nAnswer A: {a}\nAnswer B: {b}\n\n"
    assert PAIRWISE[name].user(pair) == start + PAIRWISE[name].block


def test_the_template_is_the_message_with_its_fields() -> None:
    """The template, filled with the texts, is the user message."""
    filled = P.template.format(
        question=PAIR.question, reference_answer=PAIR.reference, candidate_a=PAIR.first, candidate_b=PAIR.second
    )
    assert filled == P.user(PAIR)


def test_replicates_and_judges_have_calls_of_their_own() -> None:
    """The judge's model and the replicate enter the call."""
    calls = [P.call(PAIR, JUDGE), P.call(PAIR, JUDGE, 1), P.call(PAIR, Judge("o", "openai", "gpt-5.4"))]
    assert len({call.key for call in calls}) == 3


def test_in_process_judges_compare_nothing() -> None:
    """A judge that knows single candidates only is refused before anything is asked."""
    overlap = Judge("overlap", "lexical", "coverage-v1", in_process=True)
    with pytest.raises(
        BadInputError, match=r"judges\.overlap: design P: found 'lexical', .* allowed: a judge that"
    ):
        P.call(PAIR, overlap)


@pytest.mark.parametrize(
    ("stated", "shown", "winner", "winner_reversed"),
    [("A", "A", "first", "second"), ("B", "B", "second", "first"), ("Tie", "tie", "tie", "tie")],
)
def test_winner_follows_the_order_shown(stated: str, shown: str, winner: str, winner_reversed: str) -> None:
    """The position is what the reply says; the winner and the scores belong to who stood there."""
    text = f'{{"winner": "{stated}", "score_a": 5, "score_b": 2, "confidence": 0.8}}'
    ok = PairJudgment("ok", winner, shown, 5.0, 2.0, 0.8, "whole")  # type: ignore[arg-type]
    assert read(text) == ok
    assert read(text, pair=REVERSED) == replace(ok, winner=winner_reversed, score_first=2.0, score_second=5.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "position", "branch"),
    [
        ('{"winner": "a"}', "A", "whole"),
        ('{"winner": "TIE"}', "tie", "whole"),
        ('```json\n{"winner": "B", "score_a": 2}\n```', "B", "embedded"),
        ('Answer A is better.\n\n{"winner": "B"}', "B", "embedded"),
        ('{"winner": "B", "score_a": 2, "rationale": "A is sho', "B", "regex"),
        ("{'winner': 'A', score_a: 4,}", "A", "embedded"),
        ("**Winner:** B", "B", "regex"),
        ("winner: A", "A", "regex"),
        ("**Winner:** __A__", "A", "regex"),
        ("The winner is A.", "A", "regex"),
        ("Winner: tie", "tie", "regex"),
    ],
)
def test_stated_winners_are_read(text: str, position: str, branch: str) -> None:
    """A winner stated under its key is read from whole, fenced, broken JSON and from prose."""
    judgment = read(text)
    assert (judgment.status, judgment.position, judgment.parse_branch) == ("ok", position, branch)


@pytest.mark.parametrize(
    "text",
    [
        "Answer A is better.",
        "Answer A wins.",
        "A",
        "B is the better answer; A leaves out the arch.",
        "The winner is a close call.",
        "The winner is a\nclose call between A and B.",
        "winner: a, if anything",
        "The winner is a tie.",
        "winner: A, B or tie",
        "I cannot tell whether the winner is B",
        '{"winner": null, "score_a": 3}',
        '{"winner": ""}',
        '{"winner": "C"}',
        '{"winner": "Answer A"}',
        '{"winner": "A", "winner": "B"}',
        '{"winner": ["A", "B"]}',
        '{"better": "A"}',
        '{"winner": "A',
        '{"scores": {"winner": "A"}}',
        P.block,
        "",
        None,
    ],
)
def test_what_states_no_winner_is_unparsed(text: str | None) -> None:
    """A preference in other words, an article, null, two winners or an echo of the format is no verdict."""
    assert read(text) == UNPARSED


@pytest.mark.parametrize(
    ("text", "outcome", "status"),
    [
        ('{"winner": "A", "score_a": 5', "truncated", "ok"),
        ('{"winn', "truncated", "truncated"),
        (None, "truncated", "truncated"),
        ("The winner is a\n", "truncated", "truncated"),
        (None, "empty", "unparsed"),
        (None, "refused", "refused"),
        ('{"winner": "A"}', "refused", "refused"),
    ],
)
def test_status_says_why_there_is_no_winner(text: str | None, outcome: Outcome, status: str) -> None:
    """Statuses are those of pointwise replies: a refusal is never read, a cut reply that states its winner is."""
    judgment = read(text, outcome)
    assert (judgment.status, judgment.winner is not None) == (status, status == "ok")


@pytest.mark.parametrize(
    ("fields", "first", "second", "confidence"),
    [
        ('"score_a": 1, "score_b": 5, "confidence": 1', 1.0, 5.0, 1.0),
        ('"score_a": 0, "score_b": 6, "confidence": 1.1', None, None, None),
        ('"score_a": "4", "score_b": true, "confidence": null', None, None, None),
        ('"score_b": 3', None, 3.0, None),
    ],
)
def test_scores_of_pairs_out_of_range_are_unknown(
    fields: str, first: float | None, second: float | None, confidence: float | None
) -> None:
    """A score that is no number from 1 to 5 is unknown; so is a confidence that is none from 0 to 1."""
    judgment = read(f'{{"winner": "tie", {fields}}}')
    assert (judgment.score_first, judgment.score_second, judgment.confidence) == (first, second, confidence)


@given(texts, st.booleans())
def test_any_text_is_read_without_harm(text: str, is_reversed: bool) -> None:
    """Whatever a reply holds, there is a winner exactly where the status is ok."""
    judgment = read(text, pair=replace(PAIR, reversed=is_reversed))
    assert (judgment.winner is None) == (judgment.position is None) == (judgment.status != "ok")
