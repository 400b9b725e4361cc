"""The emulator answers the prompts of metrics: in their formats, from the texts alone, and tracking damage."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr

from judgeray.core.call import Call, Judge
from judgeray.emulator.behaviour import Behaviour, Formats
from judgeray.emulator.families import reply_text
from judgeray.emulator.metric_claims import VARIANTS
from judgeray.emulator.metric_entailment import entails
from judgeray.emulator.metric_words import content_words, missing, missing_share
from judgeray.emulator.prompt import Prompt
from judgeray.metrics import entailment
from judgeray.metrics.claims import USER, read_claims, system_text
from judgeray.metrics.judge_score import call as score_call
from judgeray.metrics.metric import Score, Scored
from judgeray.metrics.registry import METRICS
from judgeray.metrics.settings import Level, Settings
from tests.metrics.metric_script import settle

REFERENCE = (
    'Starr wrote "Photograph" with George Harrison, and it came out in 1973. It became a hit in Canada, Australia '
    "and the United States, where it sold 1 million copies. Critics have praised the song."
)
DAMAGED = REFERENCE.replace("George Harrison", "Eric Clapton").replace("1973", "1983").replace("Canada", "Japan")
RUINED = "A live recording by Clapton failed in Germany during 1991. Nobody praised 3 albums of Dunmore."
NEVER_BROKEN = Behaviour(formats=Formats(whole=0.4, fenced=0.3, embedded=0.3, broken=0))
any_text = st.text(alphabet="ab AB1.,?\n\"'\u6a4b\ud800", max_size=80) | st.text(max_size=40)


def simulated(call: Call, behaviour: Behaviour | None = None, json_only: bool = False) -> str:
    """The emulator's reply to a call."""
    seed = call.parameters.get("seed")
    assert seed is None or isinstance(seed, int)
    prompt = Prompt("openai", call.model, call.system or "", call.user, seed, json_only=json_only)
    return reply_text(prompt, behaviour or NEVER_BROKEN)


def judge(model: str = "gpt-4.1", seed: int | None = None) -> Judge:
    """A judge, with a seed of its own if one is given."""
    return Judge("j", "openai", model, {} if seed is None else {"seed": seed})


def scored(
    name: str,
    item: Scored,
    behaviour: Behaviour | None = None,
    asked: Judge | None = None,
    given: Settings | None = None,
) -> Score:
    """What a metric makes of one answer under the emulator."""
    found, _ = settle(
        lambda: METRICS[name].score(item, asked or judge(), given or Settings()),
        lambda call: simulated(call, behaviour),
    )
    return found


def claims_of(text: str, atomicity: Level, coverage: Level, model: str = "gpt-4.1") -> tuple[str, ...]:
    """Claims that the emulator lists for a text."""
    call = judge(model).call(system_text(atomicity, coverage), USER.format(text=text))
    found = read_claims(simulated(call))
    assert found is not None
    return found


@pytest.mark.parametrize(("atomicity", "coverage"), sorted(VARIANTS.values()))
def test_claims_are_pieces_of_the_text(atomicity: Level, coverage: Level) -> None:
    """Each variant lists pieces of the text's own words; single facts are no fewer than facts kept together."""
    found = claims_of(REFERENCE, atomicity, coverage)
    assert not any(missing(claim, REFERENCE) for claim in found)
    assert len(claims_of(REFERENCE, "high", coverage)) >= len(claims_of(REFERENCE, "low", coverage)) >= 3
    assert len(claims_of(REFERENCE, atomicity, "high")) >= len(found)


def test_items_of_a_list_are_claims() -> None:
    """A comma list gives its items, which any text that names them entails."""
    assert claims_of("Paris, Lyon, New York", "high", "high") == ("Paris", "Lyon", "New York")


@settings(deadline=None)
@given(any_text, st.sampled_from(sorted(VARIANTS.values())))
def test_claims_of_any_text_are_read(text: str, variant: tuple[Level, Level]) -> None:
    """Whatever a text holds, the reply is a list that the metric reads, the same each time."""
    assert claims_of(text, *variant) == claims_of(text, *variant)


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Starr wrote Photograph with George Harrison", True),
        ("The song came out in 1973", True),
        ("The song came out in 1983", False),
        ("It became a hit in Japan", False),
        ("Critics praised the melancholy song", True),
        ("Critics deplored the melancholy tune", False),
        ("and it is", True),
    ],
)
def test_names_and_numbers_decide(claim: str, holds: bool) -> None:
    """A name or number that the text lacks ends a claim; of other words up to 40% may be others."""
    assert entails(REFERENCE, claim) == holds


def test_a_capital_at_the_beginning_makes_no_name() -> None:
    """The first word of a sentence is decisive only where it is a number."""
    assert [word.decisive for word in content_words("Critics met Starr. Songs in 1973 won. 1974 came.")] == [
        *(False, False, True),
        *(False, True, False),
        *(True, False),
    ]


@settings(deadline=None)
@given(st.lists(any_text.filter(str.strip), min_size=1, max_size=5), any_text)
def test_every_claim_gets_one_verdict(claims: list[str], text: str) -> None:
    """Whatever claims and text hold, each claim has exactly one verdict, in every format."""
    call = judge().call(entailment.SYSTEM, entailment.user_text(claims, text))
    found = entailment.read_verdicts(simulated(call), len(claims))
    assert found is not None
    assert len(found.verdicts) == len(claims)


def test_verdicts_follow_the_words_but_for_a_few() -> None:
    """A model's verdicts are those of the words on most claims; a weaker model errs more often."""
    claims = [f"The hall was opened in {year}" for year in range(1500, 2000)]
    call = entailment.user_text(claims, "The hall was opened in 1700, and then in 1800.")
    wrong = {}
    for model in ("claude-opus-4-6", "gemini-3.1-flash-lite-preview"):
        found = entailment.read_verdicts(simulated(judge(model).call(entailment.SYSTEM, call)), len(claims))
        assert found is not None
        truth = [int(year in (1700, 1800)) for year in range(1500, 2000)]
        wrong[model] = mean(told != true for told, true in zip(found.verdicts, truth, strict=True))
    assert 0.01 < wrong["claude-opus-4-6"] < wrong["gemini-3.1-flash-lite-preview"] < 0.12


def test_grades_fall_with_the_damage() -> None:
    """Over many questions, the mean grade of an answer is the lower the more of it the reference lacks."""
    means = []
    for answer in (REFERENCE, DAMAGED, RUINED):
        found = [scored("judge_score", Scored(f"Q{n}?", f"{REFERENCE} ({n})", answer)).value for n in range(150)]
        means.append(mean(value for value in found if value is not None))
    assert means[0] > 8 > means[1] > means[2] + 1
    assert missing_share(REFERENCE, REFERENCE) == 0 < missing_share(DAMAGED, REFERENCE)
    assert missing_share(DAMAGED, REFERENCE) < missing_share(RUINED, REFERENCE)


@settings(deadline=None)
@given(any_text, any_text, any_text)
def test_grades_of_any_texts_are_read(question: str, reference: str, answer: str) -> None:
    """Whatever the texts hold, the reply states a whole number from 0 to 10."""
    found = scored("judge_score", Scored(question, reference, answer))
    assert found.status == "ok"
    assert found.value in range(11)


def test_replies_depend_on_model_and_seed_alone() -> None:
    """The same call gets the same reply; other models and seeds of the behaviour get others."""
    items = [Scored(f"Q{n}?", REFERENCE, DAMAGED) for n in range(20)]
    calls = [score_call(item, judge()) for item in items]
    usual = [simulated(call) for call in calls]
    assert usual == [simulated(call) for call in calls]
    assert usual != [simulated(score_call(item, judge("gpt-5.4"))) for item in items]
    assert usual != [simulated(call, NEVER_BROKEN.model_copy(update={"seed": 1})) for call in calls]


def test_json_only_requests_get_json_alone() -> None:
    """Where the request demands JSON every reply is one object, whatever the formats."""
    broken = Behaviour(formats=Formats(whole=0, fenced=0.5, embedded=0.4, broken=0.1))
    for n in range(50):
        call = judge().call(system_text("high", "high"), USER.format(text=f"{REFERENCE} {n}"))
        assert set(json.loads(simulated(call, broken, json_only=True))) == {"claims"}


def test_broken_lists_are_mended_by_another_seed() -> None:
    """A list that is broken stays so for the same request, and a draw with another seed may mend it."""
    broken = Behaviour(formats=Formats(whole=0.7, fenced=0, embedded=0, broken=0.3))
    items = [Scored("Q?", f"{REFERENCE} Then came {n}.", f"{DAMAGED} Then came {n}.") for n in range(40)]
    unseeded = [scored("factual_correctness", item, broken) for item in items]
    seeded = [scored("factual_correctness", item, broken, judge(seed=7)) for item in items]
    assert {score.status for score in unseeded} == {"ok", "unparsed"}
    assert mean(score.status == "ok" for score in seeded) > 0.75 > mean(score.status == "ok" for score in unseeded)
    assert {part.draws for score in seeded for part in score.parts} == {1, 2, 3}
    assert {part.draws for score in unseeded for part in score.parts if part.status == "ok"} == {1}


def test_other_prompts_are_not_taken(prompt_of: Callable[..., Prompt]) -> None:
    """A prompt that only begins or ends like a metric's gets the reply that any unknown prompt gets."""
    entail, claim = entailment.SYSTEM, system_text("low", "low")
    grade = score_call(Scored("Q?", "R", "A"), judge())
    for system, user in [
        (entail, "Text:\nno claims"),
        (entail, 'Text:\nx\n\nClaims:\n["a"]'),
        (entail, "Text:\nx\n\nClaims:\n[{"),
        (claim, "A text."),
        (f"{claim} ", "Text:\nA text."),
        (grade.system, grade.user.removesuffix("string")),
        (grade.system, grade.user.replace("\nAnswer to grade: ", "\nAnswer: ")),
        ("Grade.", grade.user),
    ]:
        text = reply_text(Prompt("openai", "gpt-4.1", system or "", user), NEVER_BROKEN)
        assert text.startswith("This is a simulated reply")


def ladders(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Question, reference, and the answers A0 to A4, of study 2's data."""
    for entry in json.loads((folder / "trutheval" / "dataset.json").read_text(encoding="utf-8"))["questions"]:
        answers = [entry["answers"][f"A{level}"] for level in range(5)]
        yield entry["question"], entry["ground_truth"], answers


@pytest.mark.parametrize("model", ["gpt-4o-mini", "claude-opus-4-6", "gemini-3.1-flash-lite-preview"])
def test_metrics_track_damage_in_the_order_of_the_study(data_folder: Path, model: str) -> None:
    """On study 2's own answers the pipelines follow the levels more closely than the judge (its Table 2)."""
    pearson: dict[str, float] = {}
    kendall: dict[str, float] = {}
    for name in ("judge_score", "factual_correctness"):
        told: list[tuple[int, float]] = []
        taus: list[float] = []
        for question, reference, answers in ladders(data_folder):
            found = [scored(name, Scored(question, reference, text), None, judge(model)).value for text in answers]
            points = [(level, value) for level, value in enumerate(found) if value is not None]
            told += points
            if len({value for _, value in points}) > 1:
                taus.append(kendalltau(*zip(*points, strict=True)).statistic)
        pearson[name], kendall[name] = pearsonr(*zip(*told, strict=True)).statistic, mean(taus)
    assert -0.75 < pearson["factual_correctness"] < pearson["judge_score"] - 0.05 < -0.4
    assert kendall["factual_correctness"] < kendall["judge_score"] - 0.05 < -0.5
