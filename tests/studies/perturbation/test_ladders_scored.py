"""Laws of a perturbation study's records: a row for every variant under every metric, each call counted once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judgeray.core.call import Call
from judgeray.core.replay import Settled
from judgeray.core.reply import Answer, Reply
from judgeray.metrics.claims import USER as CLAIMS
from judgeray.studies.arm import arm_name
from judgeray.studies.perturbation.ladder_arm import LadderArm
from judgeray.studies.perturbation.score_arm import ScoreArm
from tests.studies.scripted import GPT
from tests.studies.scripted_judges import failure_of, reply_to
from tests.studies.scripted_ladders import (
    GRADE,
    MINI,
    VARIANTS,
    ScriptedStudy,
    level_shown,
    perfect,
    scoring,
    step_of,
    study_of,
    write,
)

LEVELS = VARIANTS[:5]
CONTROLS = VARIANTS[5:]
CLAIMED = "{metric: factual_correctness, judges: [gpt]}"
NO_CHANGE = "no text: this control would leave the text as it is"
Said = str | Answer | None
Fault = Callable[[Call], Said]


def faulty(step: str, fault: Fault, level: int = 0) -> Callable[[Call], Said]:
    """A judge that writes and scores as asked, but for one step (and level) of the ladder."""
    usual = scoring(perfect)

    def judge(call: Call) -> Said:
        hit = step_of(call) == step and (step != "perturb" or level_shown(call.user) == level - 1)
        return fault(call) if hit else usual(call)

    return judge


def refused(call: Call) -> Answer:
    """A refusal."""
    return reply_to(call, "I will not.", "refused")


def pairs(rows: list[dict[str, Any]]) -> dict[str, tuple[str, str | None]]:
    """Status and error by variant."""
    return {row["variant"]: (row["status"], row["error"]) for row in rows}


def test_every_variant_has_a_row_under_every_arm(tmp_path: Path) -> None:
    """Questions x variants x metrics x judges x replicates, in one order, each named once."""
    metrics = f"{{metric: judge_score, judges: [gpt, mini], replicates: 2}}, {CLAIMED.replace('gpt', 'mini')}"
    made = study_of(tmp_path, claimed, questions=3, metrics=metrics, models=f"{GPT}, {MINI}")
    rows = made.records()
    assert len(rows) == 3 * len(VARIANTS) * (2 * 2 + 1)
    names = ("dataset", "question_id", "variant", "metric", "judge", "replicate")
    assert len({tuple(row[name] for name in names) for row in rows}) == len(rows)
    assert [row["variant"] for row in rows[:8]] == list(VARIANTS)
    assert {row["variant"]: row["level"] for row in rows} == {
        **{f"A{level}": level for level in range(5)}, **dict.fromkeys(CONTROLS)
    }  # fmt: skip
    assert [row["variant"] for row in made.ladders(question_id="q1")] == list(VARIANTS)
    assert len({arm_name(arm) for arm in made.experiment.arms}) == len(made.experiment.arms) == 6
    assert sum(len(part.items) for part, _ in made.made) == 3 + len(rows)


def test_replicates_are_further_calls_on_the_same_texts(tmp_path: Path) -> None:
    """One ladder serves all replicates; each scores with calls of its own."""
    made = study_of(tmp_path, scoring(perfect), 1, "{metric: judge_score, judges: [gpt], replicates: 3}")
    keys = [row["call_keys"] for row in made.records()]
    assert len({key for (key,) in keys}) == 3 * len(VARIANTS)
    assert len(made.asked) == 2 + 4 + 3 * len(VARIANTS)
    assert [row["replicate"] for row in made.records()] == [0] * 8 + [1] * 8 + [2] * 8


def claimed(call: Call) -> str:
    """Writes, grades, and takes every sentence for a claim that is entailed where its text has no worse level."""
    if not call.user.startswith(CLAIMS.partition("{")[0]):
        return scoring(perfect)(call)
    text, checking, listed = call.user.partition("\n\nClaims:\n")
    if checking:
        entries, worst = json.loads(listed), level_shown(text)
        found = [{"index": e["index"], "verdict": int(level_shown(e["claim"]) <= worst)} for e in entries]
        return json.dumps({"verdicts": found})
    return json.dumps({"claims": [part for part in text.removeprefix("Text:\n").split(". ") if part]})


def test_usage_stands_where_it_arose(tmp_path: Path) -> None:
    """Ladder rows count the writer's calls, score rows the metric's; no call is in both, and none is in neither."""
    made = study_of(tmp_path, claimed, 2, f"{CLAIMED}, {GRADE}")
    writing = {key for row in made.ladders() for key in row["call_keys"]}
    scores = {key for row in made.records() for key in row["call_keys"]}
    assert not writing & scores
    assert writing | scores == set(made.asked)
    assert {len(row["call_keys"]) for row in made.ladders()} == {6}
    assert {len(row["call_keys"]) for row in made.records(metric="factual_correctness")} == {4}
    price, known = made.experiment.prices, made.known
    for row in made.records() + made.ladders():
        replies = [reply for key in row["call_keys"] if isinstance(reply := known[key], Reply)]
        assert row["cost_usd"] == pytest.approx(sum(price(reply) or 0 for reply in replies))
        assert row["attempts"] == len(replies)


def test_a_reference_is_taken_apart_once(tmp_path: Path) -> None:
    """All variants of a question share the claims of their reference."""
    made = study_of(tmp_path, claimed, 1, CLAIMED)
    assert len(made.asked) == 6 + 3 * len(VARIANTS) + 1
    assert set(made.asked.values()) == {1}


LOST: dict[str, tuple[Callable[[Call], Said], str, tuple[str, ...], tuple[str, ...]]] = {
    "no text at all": (faulty("paraphrase", refused), "paraphrase: the writer refused", (), ()),
    "a blank text": (faulty("paraphrase", lambda _: "  \n"), "paraphrase: no text", (), ()),
    "too few spans": (
        faulty("paraphrase", lambda _: "It rained."), "spans: fewer than 4 spans left", ("A0",), CONTROLS[:1]
    ),
    "no order": (
        faulty("rank", lambda _: "<output>0, 0</output>"), "rank: the order does not hold each term once",
        ("A0",), CONTROLS,
    ),
    "no tag": (faulty("perturb", lambda _: "Done.", 3), "perturb A3: no <output>", VARIANTS[:3], CONTROLS),
    "a refusal late": (faulty("perturb", refused, 4), "perturb A4: the writer refused", VARIANTS[:4], CONTROLS),
}  # fmt: skip


@pytest.mark.parametrize("name", LOST)
def test_a_lost_question_keeps_what_was_reached(tmp_path: Path, name: str) -> None:
    """What was written is scored; the rest was never judged and says at which step it was lost; all is settled."""
    judge, reason, levels, controls = LOST[name]
    made = study_of(tmp_path, judge, 1)
    assert all(isinstance(state, Settled) for _, states in made.made for state in states)
    ladders = made.ladders()
    assert {(row["status"], row["lost"], row["error"]) for row in ladders} == {("ok", reason, None)}
    assert [row["variant"] for row in ladders if row["text"] is not None] == [*levels, *controls]
    expected: dict[str, tuple[str, str | None]] = dict.fromkeys(VARIANTS, ("undelivered", f"no text: {reason}"))
    if levels:
        expected |= dict.fromkeys(CONTROLS, ("undelivered", NO_CHANGE))
    expected |= dict.fromkeys((*levels, *controls), ("ok", None))
    assert pairs(made.records()) == expected


def test_odd_replies_are_drawn_afresh_and_counted(tmp_path: Path) -> None:
    """A step asks at most four times; what that took stands with the ladder, not with scores."""
    made = study_of(tmp_path, LOST["no order"][0], 1)
    assert {len(row["call_keys"]) for row in made.ladders()} == {1 + 4}
    assert {row["variant"]: len(row["call_keys"]) for row in made.records()} == {
        name: int(name == "A0" or name in CONTROLS) for name in VARIANTS
    }


def test_a_share_too_small_for_four_levels_is_a_loss(tmp_path: Path) -> None:
    """Of seven spans a third gives two, which four levels cannot share."""
    made = study_of(tmp_path, scoring(perfect), 1, spec="keep_share: 0.3")
    assert {row["lost"] for row in made.ladders()} == {"keep: fewer than 4 spans left"}
    assert [row["status"] for row in made.records()].count("ok") == 1 + 3


UNDONE: dict[str, tuple[Fault, str, str | None]] = {
    "failed": (failure_of, "undelivered", "out of luck"), "waiting": (lambda _: None, "pending", None)
}  # fmt: skip


@pytest.mark.parametrize("name", UNDONE)
@pytest.mark.parametrize(("step", "level"), [("paraphrase", 0), ("rank", 0), ("perturb", 2)])
def test_a_writer_that_is_not_done_shows_everywhere(tmp_path: Path, name: str, step: str, level: int) -> None:
    """Until a ladder is settled, all of its rows and scores wait with it; a failure is told in its words."""
    fault, status, error = UNDONE[name]
    made = study_of(tmp_path, faulty(step, fault, level), 1)
    assert pairs(made.ladders()) == dict.fromkeys(VARIANTS, (status, error))
    assert {row["text"] for row in made.ladders()} == {None}
    assert pairs(made.records()) == dict.fromkeys(VARIANTS, (status, error and f"no text: {error}"))
    assert {(row["total_tokens"], row["cost_usd"]) for row in made.records()} == {(None, None)}


JUDGED: dict[str, tuple[Fault, str, str | None]] = {
    "refused": (refused, "refused", None),
    "cut": (lambda call: reply_to(call, '{"sco', "truncated"), "truncated", None),
    "mute": (lambda _: "Nothing to say.", "unparsed", None),
    "out of range": (lambda _: '{"score": 11}', "unparsed", None),
    **UNDONE,
}


@pytest.mark.parametrize("name", JUDGED)
def test_what_the_judge_did_leaves_the_ladder_alone(tmp_path: Path, name: str) -> None:
    """A judge that fails or says nothing costs scores, not texts, and its row says how it ended."""
    fault, status, error = JUDGED[name]
    made = study_of(tmp_path, lambda call: write(call) if step_of(call) else fault(call), 1)
    assert {(row["status"], row["lost"]) for row in made.ladders()} == {("ok", None)}
    assert pairs(made.records()) == dict.fromkeys(VARIANTS, (status, error))
    assert {row["value"] for row in made.records()} == {None}


@pytest.mark.parametrize("name", UNDONE)
def test_a_score_half_done_counts_what_it_bought(tmp_path: Path, name: str) -> None:
    """Claims that were paid for stand with their scores though the entailment is still to come."""
    fault, status, error = UNDONE[name]
    made = study_of(
        tmp_path, lambda call: fault(call) if "\n\nClaims:\n" in call.user else claimed(call), 1, CLAIMED
    )
    writing = {key for row in made.ladders() for key in row["call_keys"]}
    for row in made.records():
        assert (row["status"], row["error"]) == (status, error)
        assert row["cost_usd"] > 0
        assert len(row["call_keys"]) == (3 if name == "failed" else 4)
        assert not writing & set(row["call_keys"])


def test_a_metric_may_be_undefined(tmp_path: Path) -> None:
    """A text without claims has no share of them: the row is ok and has no value."""
    made = study_of(tmp_path, lambda call: write(call) if step_of(call) else '{"claims": []}', 1, CLAIMED)
    assert {(row["status"], row["value"]) for row in made.records()} == {("ok", None)}
    assert json.loads(made.records()[0]["detail"])["undefined"] == "no claims in the answer and the reference"


def test_detail_tells_what_a_value_was_made_of(tmp_path: Path) -> None:
    """Claims and verdicts stand in the row as JSON, whatever a model writes."""
    odd = 'Odd \ud800 "claim" \0.'

    def judge(call: Call) -> str:
        said = claimed(call)
        return json.dumps({"claims": [odd]}) if said.startswith('{"claims"') else said

    made = study_of(tmp_path, judge, 1, CLAIMED)
    detail = json.loads(made.records(variant="A0")[0]["detail"])
    assert detail["answer_claims"] == detail["reference_claims"] == [odd]
    assert made.records(variant="A0")[0]["value"] == 1.0


def test_without_controls_levels_alone_are_scored(tmp_path: Path) -> None:
    """`controls: false` leaves the controls out of ladders and scores."""
    made = study_of(tmp_path, scoring(perfect), 1, spec="controls: false, levels: 2")
    assert [row["variant"] for row in made.records()] == ["A0", "A1", "A2"]
    assert [row["variant"] for row in made.ladders()] == ["A0", "A1", "A2"]


def test_each_step_has_its_own_writer(tmp_path: Path) -> None:
    """Three writers each write their step; rows name their models, and the arm bears the name of the last."""
    seen: dict[str, set[str]] = {}

    def judge(call: Call) -> str:
        seen.setdefault(step_of(call) or "score", set()).add(call.model)
        return scoring(perfect)(call)

    opus = "opus: {provider: anthropic, model: claude-opus-4-6}"
    writers = "{paraphrase: gpt, rank: opus, perturb: mini}"
    made = study_of(tmp_path, judge, 1, models=f"{GPT}, {MINI}, {opus}", writer=writers)
    assert seen == {
        "paraphrase": {"gpt-4.1"}, "rank": {"claude-opus-4-6"}, "perturb": {"gpt-4o-mini"}, "score": {"gpt-4.1"}
    }  # fmt: skip
    row = made.ladders()[0]
    assert [row[f"{step}_model"] for step in ("paraphrase", "rank", "perturb")] == [
        "gpt-4.1", "claude-opus-4-6", "gpt-4o-mini"
    ]  # fmt: skip
    (arm,) = (arm for arm in made.experiment.arms if isinstance(arm, LadderArm))
    assert arm.judge.name == "mini"
    (scorer,) = (arm for arm in made.experiment.arms if isinstance(arm, ScoreArm))
    assert [judge.name for judge in scorer.judges] == ["gpt", "opus", "mini", "gpt"]


def test_an_in_process_judge_can_score(tmp_path: Path) -> None:
    """Designs of study 1 as metrics take the free baseline, which reads texts and no prompt."""
    made = in_process(tmp_path)
    assert [row["value"] for row in made.records(variant="A0")] == [1.0]
    assert {row["status"] for row in made.records()} == {"ok"}


def in_process(folder: Path) -> ScriptedStudy:
    """A study whose answers the lexical judge scores."""

    def judge(call: Call) -> Said:
        if call.provider == "lexical":
            record = json.loads(call.user)
            right = level_shown(record["candidate"]) == 0
            return json.dumps({"verdict": "supported" if right else "unsupported"})
        return write(call)

    metrics = "{metric: support_verdict, design: C, judges: [overlap]}"
    return study_of(folder, judge, 1, metrics, f"{GPT}, overlap: {{provider: lexical}}")
