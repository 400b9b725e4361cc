"""Laws of fresh draws: what breaks its format is asked for again, a few times, and what is final is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judgeray.core.call import Call, Judge
from judgeray.core.reply import Outcome
from judgeray.metrics.draws import FRESH_DRAWS
from judgeray.metrics.factual_correctness import score
from judgeray.metrics.metric import Score
from judgeray.metrics.settings import Settings
from tests.metrics.metric_script import (
    ITEM,
    JUDGE,
    Scripted,
    asks_entailment,
    claims_text,
    settle,
    text_shown,
    verdicts_text,
    well_behaved,
)

SAID = ("Starr wrote it.", "It came out in 1974.")
SHOULD = ("Starr wrote it.", "Harrison wrote it.", "It came out in 1973.")


def run(
    script: Callable[[Call], Scripted], judge: Judge = JUDGE, settings: Settings | None = None
) -> tuple[Score, list[list[Call]]]:
    """Score the usual item."""
    return settle(lambda: score(ITEM, judge, settings or Settings()), script)


BROKEN_CLAIMS = ['{"claims": ["a", ', "none", '{"claims": [1]}', "", None]
BROKEN_VERDICTS = [
    '{"verdicts": []}',
    verdicts_text(1),
    verdicts_text(1, 1, 1),
    '{"verdicts": [{"index": 1, "verdict": 1}, {"index": 1, "verdict": 1}]}',
    '{"verdicts": [{"index": 1, "verdict": 1}, {"ind',
]


def spoiled(broken: Scripted, times: int, in_claims: bool) -> Callable[[Call], Scripted]:
    """A judge whose first replies about the answer's claims, or their verdicts, are broken."""
    good = well_behaved(SAID, SHOULD, true=SAID)

    def script(call: Call) -> Scripted:
        is_claims = not asks_entailment(call)
        is_about_answer = text_shown(call) == (ITEM.answer if is_claims else ITEM.reference)
        is_broken = is_claims == in_claims and is_about_answer and call.replicate < times
        return broken if is_broken else good(call)

    return script


@pytest.mark.parametrize(
    ("broken", "in_claims"), [(text, True) for text in BROKEN_CLAIMS] + [(text, False) for text in BROKEN_VERDICTS]
)
@pytest.mark.parametrize("times", range(1, FRESH_DRAWS + 1))
def test_broken_lists_are_drawn_again(broken: str | None, in_claims: bool, times: int) -> None:
    """A list that breaks its format is asked for again, as a call of its own, until a draw is right."""
    found, waves = run(spoiled(broken, times, in_claims))
    assert (found.status, found.value) == ("ok", run(well_behaved(SAID, SHOULD, true=SAID))[0].value)
    assert [call.replicate for wave in waves for call in wave if call.replicate] == list(range(1, times + 1))
    assert len({call.key for wave in waves for call in wave}) == 4 + times
    assert [(part.name, part.draws) for part in found.parts if part.draws > 1] == [
        ("answer_claims" if in_claims else "answer_verdicts", 1 + times)
    ]


@pytest.mark.parametrize(
    ("in_claims", "part", "calls"), [(True, "answer_claims", 4), (False, "answer_verdicts", 6)]
)
def test_draws_are_bounded(in_claims: bool, part: str, calls: int) -> None:
    """After three broken replies the score is unparsed; what was read is kept, and nothing further is asked."""
    found, waves = run(spoiled("no list", 99, in_claims))
    assert (found.status, found.value) == ("unparsed", None)
    assert sum(len(wave) for wave in waves) == calls
    assert [(p.name, p.draws) for p in found.parts if p.status == "unparsed"] == [(part, 1 + FRESH_DRAWS)]
    assert found.detail["reference_claims"] == list(SHOULD)
    assert found.detail.get("answer_verdicts") is None


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ((None, "refused"), "refused"),
        ((claims_text("Starr wrote it."), "refused"), "refused"),
        (('{"claims": ["Starr wro', "truncated"), "truncated"),
        ((None, "truncated"), "truncated"),
        ((None, "empty"), "unparsed"),
    ],
)
def test_refusals_and_cut_lists_are_final(reply: tuple[str | None, Outcome], status: str) -> None:
    """A refusal is never read and, like a reply cut at the cap, not asked for again; an empty reply is."""
    found, waves = run(spoiled(reply, 99, in_claims=True))
    assert (found.status, found.value) == (status, None)
    assert sum(len(wave) for wave in waves) == (2 + FRESH_DRAWS if status == "unparsed" else 2)


def test_a_cut_reply_that_says_all_is_read() -> None:
    """What was cut behind the whole list takes nothing from it."""
    text = f"{claims_text(*SAID)}\n\nI hope tha"
    found, waves = run(spoiled((text, "truncated"), 99, in_claims=True))
    assert (found.status, found.detail["answer_claims"], len(waves)) == ("ok", list(SAID), 2)


def test_replicates_share_no_draw() -> None:
    """Whatever is drawn again in one replicate is never the first draw of another."""
    keys: list[str] = []
    for replicate in range(3):
        _, waves = run(spoiled("no list", 99, in_claims=True), settings=Settings(replicate=replicate))
        keys += [call.key for wave in waves for call in wave if text_shown(call) == ITEM.answer]
    assert len(keys) == len(set(keys))


def test_a_fresh_draw_moves_the_seed() -> None:
    """Where the judge sends a seed, each draw sends another, since the same one asks for the same reply."""
    seeded = Judge("gpt", "openai", "gpt-4.1", {"seed": 7, "temperature": 0})
    _, waves = run(spoiled("no list", 99, in_claims=True), judge=seeded)
    drawn = [call.parameters for wave in waves for call in wave if text_shown(call) == ITEM.answer]
    assert [parameters["seed"] for parameters in drawn] == [7, 8, 9]
    assert all(parameters["temperature"] == 0 for parameters in drawn)
