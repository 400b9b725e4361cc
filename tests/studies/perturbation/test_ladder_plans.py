"""Plans of perturbation studies: what is told beforehand is what is then asked, and by whom; keys never change."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import write_part
from judgeray.run.plan import by_account, plan
from judgeray.studies.perturbation.ladder_arm import LadderArm
from judgeray.studies.perturbation.score_arm import ScoreArm
from tests.studies.perturbation.test_ladders_scored import CLAIMED, claimed
from tests.studies.scripted import GPT
from tests.studies.scripted_ladders import GRADE, MINI, ScriptedStudy, perfect, scoring, step_of, study_of

PRECISION = "{metric: factual_correctness, name: precision, mode: precision, judges: [gpt]}"
TWICE = "{metric: factual_correctness, judges: [gpt], replicates: 2}"
BOTH = "{metric: judge_score, judges: [gpt], replicates: 2}"
RECALL = "{metric: factual_correctness, name: covered, recall: covered, judges: [gpt]}"


def kept(made: ScriptedStudy) -> RepliesFolder:
    """A ledger with what the study knows."""
    folder = RepliesFolder(made.folder / "kept")
    folder.make()
    by: dict[tuple[str, str], dict[str, Reply]] = {}
    for key, reply in made.known.items():
        assert isinstance(reply, Reply)
        by.setdefault((reply.provider, reply.model), {})[key] = reply
    for (provider, model), replies in by.items():
        write_part(folder.partition(provider, model), replies)
    return folder


def planned(made: ScriptedStudy) -> dict[tuple[str, str], tuple[int, int]]:
    """Calls known and wanted, by judge and design."""
    return {key: (arm.known, arm.wanted) for key, arm in plan(made.experiment, kept(made)).items()}


@pytest.mark.parametrize("metrics", [GRADE, CLAIMED, PRECISION, BOTH, TWICE, f"{CLAIMED}, {RECALL}"])
@pytest.mark.parametrize("done", ["nothing", "paraphrases", "texts", "claims"])
def test_a_plan_counts_what_will_be_asked(tmp_path: Path, metrics: str, done: str) -> None:
    """At every point of a run, known and planned calls together are those of the whole run, shared ones once."""

    def answers(call: Call) -> bool:
        if step_of(call):
            return done in ("texts", "claims") or (done == "paraphrases" and step_of(call) == "paraphrase")
        return done == "claims" and "\n\nClaims:\n" not in call.user

    (tmp_path / "whole").mkdir()
    whole = study_of(tmp_path / "whole", claimed, 2, metrics)
    begun = study_of(tmp_path, lambda call: claimed(call) if answers(call) else None, 2, metrics)
    wanted = sum(wanted for _, wanted in planned(begun).values())
    assert wanted + len(begun.known) == len(whole.asked)
    assert sum(wanted for _, wanted in planned(whole).values()) == 0


def test_tokens_planned_are_near_those_of_the_prompts(tmp_path: Path) -> None:
    """Before anything is known, planned input is within a third of what prompts then hold."""
    (tmp_path / "whole").mkdir()
    lengths: Counter[str] = Counter()

    def judge(call: Call) -> str:
        lengths[call.key] = (len(call.user) + len(call.system or "")) // 4
        return claimed(call)

    metrics = f"{CLAIMED}, {GRADE}"
    study_of(tmp_path / "whole", judge, 2, metrics)
    plans = plan(study_of(tmp_path, lambda _: None, 2, metrics).experiment, RepliesFolder(tmp_path / "none"))
    told = sum(arm.input_tokens for arm in plans.values())
    assert 0.67 < told / lengths.total() < 1.5


def test_each_writer_is_planned_with_its_own_account(tmp_path: Path) -> None:
    """Steps of a ladder are counted with whoever writes them, by judge and by account."""
    opus = "opus: {provider: anthropic, model: claude-opus-4-6}"
    made = study_of(
        tmp_path, lambda _: None, 3, models=f"{GPT}, {MINI}, {opus}",
        writer="{paraphrase: mini, rank: opus, perturb: gpt}",
    )  # fmt: skip
    plans = plan(made.experiment, RepliesFolder(tmp_path / "none"))
    assert {key: arm.wanted for key, arm in plans.items()} == {
        ("gpt", "ladder"): 3 * 4, ("mini", "ladder"): 3, ("opus", "ladder"): 3, ("gpt", "judge_score"): 3 * 8
    }  # fmt: skip
    accounts = by_account(made.experiment, plans)
    assert {name: account.wanted for name, account in accounts.items()} == {"openai": 3 * 13, "anthropic": 3}


def test_nothing_follows_what_is_settled_or_stuck(tmp_path: Path) -> None:
    """Only what waits has calls to come."""
    made = study_of(tmp_path, scoring(perfect), 1)
    for part, states in made.made:
        for item, state in zip(part.items, states, strict=True):
            assert list(part.arm.follow_ups(item, state)) == []


def test_facts_of_arms_are_told_for_provenance(tmp_path: Path) -> None:
    """Every prompt of ladder and metric stands with version, source and hash; every judge is named."""
    made = study_of(tmp_path, claimed, 1, f"{GRADE}, {CLAIMED}")
    told = {name for arm in made.experiment.arms for name in arm.prompts}
    assert told == {
        "ladder.paraphrase", "ladder.rank", "ladder.perturb", "judge_score", "factual_correctness"
    }  # fmt: skip
    for arm in made.experiment.arms:
        assert arm.output_tokens > 0
        assert all(set(facts) == {"version", "source", "sha256"} for facts in arm.prompts.values())


KEYS = {
    "paraphrase": "1b5221dd8e48573d",
    "rank": "08a1b172d84a4594",
    "perturb": "4fd31b2206cba9c9",
    "A4": "4221e2633d10f878",
}


def test_call_keys_are_pinned(tmp_path: Path) -> None:
    """What was bought once is found again by every later version: first digits of keys of steps and a score."""
    made = study_of(tmp_path, scoring(perfect), 1)
    assert isinstance(made.experiment.arms[0], LadderArm)
    assert isinstance(made.experiment.arms[1], ScoreArm)
    steps = made.ladders(variant="A0")[0]["call_keys"]
    (score,) = made.records(variant="A4")[0]["call_keys"]
    found = dict(zip(KEYS, (key[:16] for key in (*steps[:3], score)), strict=True))
    assert found == KEYS
