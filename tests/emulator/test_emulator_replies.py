"""Replies follow the behaviour: right as often as stated, the same for the same request, true to form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from judgeray.designs.registry import DESIGNS
from judgeray.emulator.behaviour import Behaviour, Formats
from judgeray.emulator.families import reply_text
from judgeray.emulator.prompt import Prompt, complete, token_count
from judgeray.rows import LABELS, Row

PromptOf = Callable[..., Prompt]
STATED = re.compile(r'"verdict": "(\w+)"')
WHOLE = Formats(whole=1, fenced=0, embedded=0, broken=0)
ANY_TEXT = st.text(st.characters(exclude_categories=()))


def _verdict_of(text: str) -> str:
    stated = STATED.search(text)
    assert stated is not None
    return stated[1]


@pytest.mark.parametrize("design", sorted(DESIGNS))
@pytest.mark.parametrize("name", ["supported", "unsupported", "partially_supported", "partially_supported_list"])
def test_accuracy_is_as_stated(prompt_of: PromptOf, rows: dict[str, list[Row]], design: str, name: str) -> None:
    """Over 400 rows, the number of right verdicts is one that the stated probability gives."""
    behaviour = Behaviour()
    for model in ("gpt-4.1", "a-model-nobody-knows"):
        probability = behaviour.probability(model, design, name)  # type: ignore[arg-type]
        replies = [reply_text(prompt_of(row, design, model), behaviour) for row in rows[name]]
        right = sum(_verdict_of(text) == row.label for text, row in zip(replies, rows[name], strict=True))
        assert binomtest(right, len(replies), probability).pvalue > 1e-4


def test_wins_between_designs_are_one_sided(prompt_of: PromptOf, rows: dict[str, list[Row]]) -> None:
    """Where two designs of a model differ on a partial row, the better design is right far more often."""
    behaviour = Behaviour()
    right = {
        design: [
            _verdict_of(reply_text(prompt_of(row, design), behaviour)) == row.label
            for row in rows["partially_supported"]
        ]
        for design in "CR"
    }
    wins = sum(r and not c for r, c in zip(right["R"], right["C"], strict=True))
    losses = sum(c and not r for r, c in zip(right["R"], right["C"], strict=True))
    assert wins > 200
    assert losses < 0.05 * wins


def test_wrong_partial_verdicts_are_mostly_supported(prompt_of: PromptOf, rows: dict[str, list[Row]]) -> None:
    """A judge that misses an omission usually takes the candidate for supported."""
    replies = [reply_text(prompt_of(row, "C"), Behaviour()) for row in rows["partially_supported"]]
    wrong = [verdict for text in replies if (verdict := _verdict_of(text)) != "partially_supported"]
    assert wrong.count("supported") > 0.8 * len(wrong)


def test_the_same_request_gets_the_same_reply(prompt_of: PromptOf, rows: dict[str, list[Row]]) -> None:
    """Replies repeat for the same prompt; a seed in the request or the behaviour changes some of them."""
    prompts = [prompt_of(row) for row in rows["partially_supported"][:60]]
    once = [reply_text(prompt, Behaviour()) for prompt in prompts]
    assert once == [reply_text(prompt, Behaviour()) for prompt in prompts]
    assert once != [reply_text(prompt, Behaviour(seed=1)) for prompt in prompts]
    seeded = [prompt_of(row, seed=5) for row in rows["partially_supported"][:60]]
    again = [reply_text(prompt, Behaviour()) for prompt in seeded]
    assert once != again
    # A row's difficulty is its own: a judge asked twice mostly agrees with itself.
    agreeing = sum(_verdict_of(a) == _verdict_of(b) for a, b in zip(once, again, strict=True))
    assert 60 > agreeing > 45


@pytest.mark.parametrize("design", sorted(DESIGNS))
def test_replies_hold_exactly_the_asked_keys(prompt_of: PromptOf, rows: dict[str, list[Row]], design: str) -> None:
    """A reply is one JSON object with the block's keys in the block's order, and values of the asked kinds."""
    asked = re.findall(r"^- (\w+): ", DESIGNS[design].block, re.MULTILINE)
    for row in rows["partially_supported_list"][:20]:
        reply = json.loads(reply_text(prompt_of(row, design), Behaviour(formats=WHOLE)))
        assert list(reply) == asked
        assert reply["verdict"] in LABELS
        assert reply["score"] in range(1, 6)
        assert 0 <= reply["confidence"] <= 1
        assert all(isinstance(reply[key], list) == key.endswith(("claims", "points")) for key in asked)


def test_claim_lists_fit_the_verdict(prompt_of: PromptOf, rows: dict[str, list[Row]]) -> None:
    """Supported and unsupported claims together are all claims, and which is empty follows the verdict."""
    for name, supported, unsupported in (("supported", True, False), ("unsupported", False, True)):
        certain = Behaviour(formats=WHOLE, accuracy={"default": {"H": dict.fromkeys(LABELS, 1.0)}})  # type: ignore[arg-type]
        reply = json.loads(reply_text(prompt_of(rows[name][0], "C"), certain))
        assert reply["supported_claims"] + reply["unsupported_claims"] == reply["atomic_claims"] != []
        assert (bool(reply["supported_claims"]), bool(reply["unsupported_claims"])) == (supported, unsupported)


def test_atomic_replies_outgrow_holistic_ones_on_lists(prompt_of: PromptOf, rows: dict[str, list[Row]]) -> None:
    """On list answers a claim design writes more tokens than the rubric, and B writes most."""
    listed = rows["partially_supported_list"][:50]
    tokens = {d: sum(token_count(reply_text(prompt_of(r, d), Behaviour())) for r in listed) for d in "CHB"}
    assert tokens["B"] > tokens["C"] > tokens["H"]


def test_formats_come_in_their_shares(prompt_of: PromptOf, rows: dict[str, list[Row]]) -> None:
    """Shapes of replies appear in the stated shares, and a broken one is no JSON but states its verdict."""
    behaviour = Behaviour(formats=Formats(whole=0.4, fenced=0.3, embedded=0.2, broken=0.1))
    texts = [reply_text(prompt_of(row, "B"), behaviour) for name in sorted(rows) for row in rows[name]]
    fenced = sum(text.startswith("```json\n") and text.endswith("\n```") for text in texts)
    embedded = sum(text.endswith("}") and not text.startswith("{") for text in texts)
    broken = [text for text in texts if text.startswith("{") and not text.endswith("}")]
    for found, share in ((fenced, 0.3), (embedded, 0.2), (len(broken), 0.1)):
        assert abs(found - share * len(texts)) < 5 * (share * (1 - share) * len(texts)) ** 0.5
    for text in broken:
        assert _verdict_of(text) in LABELS
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)


def test_demanded_json_is_whole(prompt_of: PromptOf, rows: dict[str, list[Row]]) -> None:
    """A request that demands JSON gets JSON alone, whatever the formats say."""
    behaviour = Behaviour(formats=Formats(whole=0, fenced=0, embedded=0, broken=1))
    assert json.loads(reply_text(prompt_of(rows["supported"][0], json_only=True), behaviour))


def test_prompts_of_other_families_get_a_short_text() -> None:
    """A prompt in no known layout gets a short text that is the same every time and differs by prompt."""
    texts = [reply_text(Prompt("openai", "m", "", user), Behaviour()) for user in ("a", "a", "b")]
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0]) < 100


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(DESIGNS)), ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_text_gets_a_verdict(design: str, question: str, reference: str, candidate: str) -> None:
    """Whatever a row's texts hold, also NUL and lone surrogates, the reply states a verdict."""
    row = Row("d", "q", "r", "v", "supported", question, reference, candidate)
    chosen = DESIGNS[design]
    text = reply_text(Prompt("gemini", "m", chosen.system, chosen.user(row)), Behaviour(formats=WHOLE))
    assert json.loads(text)["verdict"] in LABELS


@settings(max_examples=100, deadline=None)
@given(st.text(), st.integers(1, 50) | st.none())
def test_caps_and_counts(text: str, cap: int | None) -> None:
    """A completion never exceeds its cap, is truncated only where the text does, and counts at least 1."""
    done = complete(Prompt("openai", "m", "", "u", output_cap=cap), "n", text)
    assert done.output_tokens == token_count(done.text) >= 1
    assert text.startswith(done.text)
    assert done.truncated == (done.text != text)
    assert cap is None or done.output_tokens <= cap
