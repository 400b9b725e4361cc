"""Laws of the registry and the settings, and the prompts pinned to the letter."""

from __future__ import annotations

import inspect
import json
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from judgeray.core.call import Call, Judge
from judgeray.core.errors import BadInputError
from judgeray.metrics import claims, draws, entailment, nli_entailment
from judgeray.metrics.judge_score import call as score_call
from judgeray.metrics.metric import Scored
from judgeray.metrics.registry import METRICS
from judgeray.metrics.settings import Level, Settings
from tests.metrics.metric_script import (
    ITEM,
    JUDGE,
    NLI,
    asks_entailment,
    claims_asked,
    claims_text,
    settle,
    text_shown,
    verdicts_text,
    well_behaved,
)

GOLDEN = Path(__file__).parent / "golden"
LEVELS: tuple[Level, ...] = ("low", "high")
CALLS: dict[str, Call] = {
    **{
        f"claims.{atomicity}-{coverage}": draws.draw_call(
            JUDGE, claims.system_text(atomicity, coverage), claims.USER.format(text=ITEM.reference), 0, 0
        )
        for atomicity in LEVELS
        for coverage in LEVELS
    },
    "entailment": draws.draw_call(
        JUDGE, entailment.SYSTEM, entailment.user_text(["Starr wrote\nit.", "{x}"], ITEM.reference), 0, 0
    ),
    "judge_score": score_call(ITEM, JUDGE),
    "nli": nli_entailment.nli_call(NLI, ITEM.reference, "Starr wrote it."),
}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_prompts_of_metrics_are_pinned(name: str) -> None:
    """System and user text of each prompt are exactly the golden file's."""
    call = CALLS[name]
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert f"{call.system}\n=====\n{call.user}\n" == golden


@pytest.mark.parametrize("name", sorted(CALLS))
def test_call_keys_of_metrics_are_pinned(name: str) -> None:
    """Keys do not change between releases: what was bought stays bought."""
    keys = dict(line.split() for line in (GOLDEN / "keys.txt").read_text(encoding="utf-8").splitlines())
    assert CALLS[name].key == keys[name]


def test_claims_prompts_differ_in_their_rules_and_examples_alone() -> None:
    """The four variants have one task and one format; each atomicity and coverage adds a rule of its own."""
    texts = {(a, c): claims.system_text(a, c).splitlines() for a in LEVELS for c in LEVELS}
    assert len({(lines[0], *lines[3:5]) for lines in texts.values()}) == 1
    assert {(lines[1], lines[2]) for lines in texts.values()} == {
        (texts[a, "low"][1], texts["low", c][2]) for a in LEVELS for c in LEVELS
    }


@pytest.mark.parametrize("name", sorted(METRICS))
def test_expected_calls_are_those_of_a_usual_answer(name: str) -> None:
    """With the default settings a metric asks as many prompts as it says, and settles within its range."""
    metric = METRICS[name]

    def script(call: Call) -> str:
        if call.provider == "nli":
            return '{"entailment": 0.9, "neutral": 0.1, "contradiction": 0}'
        if call.system in metric.prompts(Settings()) and "claims" in (call.system or "")[:40]:
            return well_behaved(["a"], ["b"], true=["a"])(call)
        return '{"verdict": "supported", "score": 5}'

    found, waves = settle(lambda: metric.score(ITEM, JUDGE, Settings(nli=NLI)), script)
    assert found.value is not None
    assert metric.low <= found.value <= metric.high
    assert sum(call.provider != "nli" for wave in waves for call in wave) == metric.calls
    assert metric.output_tokens > 0


@pytest.mark.parametrize("name", sorted(METRICS))
def test_settings_that_a_metric_does_not_read_change_nothing(name: str) -> None:
    """`reads` names fields of the settings, and no other field changes what is asked or what comes out."""
    metric = METRICS[name]
    others: dict[str, list[Any]] = {
        "atomicity": ["low", "high"],
        "coverage": ["low", "high"],
        "mode": ["precision", "recall"],
        "beta": [2.0],
        "recall": ["covered"],
        "design": ["C"],
        "nli": [Judge("other", "nli", "m", in_process=True)],
        "replicate": [1],
    }
    assert set(others) == {field.name for field in fields(Settings)}
    true = ("a0", "a1", "b0")

    def script(call: Call) -> str:
        if call.provider == "nli":
            holds = call.model == "m" or any(f'"{claim}"' in call.user for claim in true)
            return json.dumps({"entailment": float(holds), "neutral": 0.5, "contradiction": 0})
        if asks_entailment(call):
            return verdicts_text(*(int(claim in true) for claim in claims_asked(call)))
        if "split a text into claims" in (call.system or ""):
            return claims_text(
                *(["a0", "a1", "a2"] if text_shown(call) == ITEM.answer else ["b0", "b1", "b2", "b3"])
            )
        return '{"verdict": "supported", "score": 5}'

    def outcome(**given: Any) -> object:
        found, waves = settle(lambda: metric.score(ITEM, JUDGE, Settings(**{"nli": NLI, **given})), script)
        return found, [call.key for wave in waves for call in wave]

    usual = outcome()
    changing = {
        name for name, values in others.items() if any(outcome(**{name: value}) != usual for value in values)
    }
    assert changing == metric.reads


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"atomicity": "medium"}, "metric settings: atomicity: found 'medium', allowed: high, low"),
        ({"coverage": ""}, "metric settings: coverage: found '', allowed: high, low"),
        ({"mode": "F1"}, "metric settings: mode: found 'F1', allowed: f1, precision, recall"),
        ({"recall": "share"}, "metric settings: recall: found 'share', allowed: covered, ragas"),
        ({"design": "P"}, "metric settings: design: found 'P', allowed: B, C,"),
        ({"beta": 0.0}, "metric settings: beta: found 0.0, allowed: a number above 0"),
        ({"beta": float("nan")}, "metric settings: beta: found nan"),
    ],
)
def test_settings_outside_their_range_are_refused(given: dict[str, Any], message: str) -> None:
    """A message names the field, the value found and the values allowed."""
    with pytest.raises(BadInputError, match=message):
        Settings(**given)


def test_metrics_are_registered_under_their_names() -> None:
    """Every metric says its version, its source and its prompts, and is found under its own name."""
    assert list(METRICS) == [metric.name for metric in METRICS.values()]
    digests = {}
    for metric in METRICS.values():
        assert metric.title
        assert metric.version
        assert "arXiv" in metric.source
        assert inspect.signature(metric.score).parameters.keys() == {"item", "judge", "settings"}
        digests[metric.name] = sha256("\0".join(metric.prompts(Settings())).encode()).hexdigest()
    assert len(set(digests.values())) == len(digests) - 1  # the two support metrics share their prompts


def test_scored_texts_are_the_whole_item() -> None:
    """What is scored is three texts, in this order."""
    assert [field.name for field in fields(Scored)] == ["question", "reference", "answer"]
