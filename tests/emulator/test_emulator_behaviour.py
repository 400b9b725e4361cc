"""A behaviour is checked when it is made, found by model, design and class, and named by its digest."""

from __future__ import annotations

from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import pytest
from pydantic import ValidationError

from judgeray.core.errors import BadInputError
from judgeray.emulator.behaviour import Behaviour, Formats, load_behaviour
from judgeray.emulator.draws import joined, uniform, uniforms
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.simulation import latency_seconds

CLASSES: Any = {"supported": 1.0, "unsupported": 0.9, "partially_supported": 0.5}


def test_probabilities_fall_back_in_order() -> None:
    """Model and design, then the default model's design, then H; a list without its own is a partial."""
    behaviour = Behaviour(
        accuracy={"default": {"H": CLASSES, "C": {"supported": 0.7}}, "m": {"C": {"unsupported": 0.2}}}
    )
    assert behaviour.probability("m", "C", "unsupported") == 0.2
    assert behaviour.probability("m", "C", "supported") == 0.7
    assert behaviour.probability("m", "C", "partially_supported") == 0.5
    assert behaviour.probability("m", "B", "partially_supported_list") == 0.5
    assert behaviour.probability("other", None, "unsupported") == 0.9


def test_versions_fall_back_to_their_family() -> None:
    """A version without numbers of its own takes its family's, the schema control C's, and then both H's."""
    given: Any = {
        "default": {"H": CLASSES, "C": {"supported": 0.7}, "H.v2": {"unsupported": 0.4}},
        "m": {"C": {"unsupported": 0.2}, "S": {"supported": 0.6}},
    }
    behaviour = Behaviour(accuracy=given)
    assert behaviour.probability("m", "C.v2", "unsupported") == 0.2
    assert behaviour.probability("m", "C.v3", "supported") == 0.7
    assert behaviour.probability("m", "C.v2", "partially_supported") == 0.5
    assert behaviour.probability("m", "H.v2", "unsupported") == 0.4
    assert behaviour.probability("m", "H.v3", "unsupported") == 0.9
    assert behaviour.probability("m", "S", "supported") == 0.6
    assert behaviour.probability("m", "S", "unsupported") == 0.2
    assert behaviour.probability("other", "S", "unsupported") == 0.9


def test_the_schema_control_stands_between_c_and_h() -> None:
    """On partial rows, S is better than C and worse than H for every model (study 1, Table 8)."""
    behaviour = Behaviour()
    for model in (*behaviour.model_names(), "other"):
        c, s, h = (behaviour.probability(model, design, "partially_supported") for design in "CSH")
        assert c < s < h
    for model, accuracy in (("claude-opus-4-6", 0.8), ("gpt-4.1", 0.62)):
        classes = behaviour.accuracy[model]["S"]
        assert abs((classes["supported"] + classes["partially_supported"]) / 2 - accuracy) < 0.01


def test_published_numbers_are_the_default() -> None:
    """Table 15's cells stand in the default behaviour, and no supported class is below .94."""
    behaviour = Behaviour()
    assert behaviour.probability("gpt-4.1", "C", "partially_supported") == 0.16
    assert behaviour.probability("claude-opus-4-6", "R", "partially_supported") == 0.95
    assert behaviour.probability("gemini-3.1-flash-lite-preview", "H", "unsupported") == 0.87
    assert all(
        0.94 <= classes["supported"] <= 1 for designs in behaviour.accuracy.values() for classes in designs.values()
    )


def test_digest_names_the_words_only() -> None:
    """The digest is stable, changes with what replies say, and not with when or whether they come."""
    digest = Behaviour().digest()
    assert digest == Behaviour(latency_seconds=3, latency_sigma=1, known_models=("m",)).digest()
    others = (
        Behaviour(seed=1),
        Behaviour(noise=0),
        Behaviour(formats=Formats(whole=0.805, broken=0)),
        Behaviour(pair_accuracy=0.9),
        Behaviour(first_position=0),
        Behaviour(sentence_error={"default": 0.5}),
    )
    assert len({digest, *(other.digest() for other in others)}) == 7
    assert len(digest) == 16
    assert Behaviour.model_validate_json(Behaviour().model_dump_json()).digest() == digest


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": "1"},
        {"seeds": 1},
        {"accuracy": {"default": {"H": {"supported": 1.0}}}},
        {"accuracy": {"default": {"H": {**CLASSES, "supported": 1.5}}}},
        {"accuracy": {"default": {"H": {**CLASSES, "mostly": 0.5}}}},
        {"latency_seconds": -1},
        {"latency_sigma": float("nan")},
        {"formats": {"whole": 0.5}},
        {"pair_accuracy": 1.1},
        {"sentence_error": {"m": 0.1}},
        {"sentence_error": {"default": 1.1}},
        {"first_position": "often"},
    ],
)
def test_wrong_behaviours_are_refused(wrong: dict[str, Any]) -> None:
    """Unknown names, wrong types and impossible values do not pass."""
    with pytest.raises(ValidationError):
        Behaviour(**wrong)


def test_behaviour_files_are_read(tmp_path: Path) -> None:
    """A JSON file gives the behaviour it was written from; a wrong one is named with field and value."""
    behaviour = Behaviour(seed=7, known_models=("a", "b"))
    good = tmp_path / "good.json"
    good.write_text(behaviour.model_dump_json(), encoding="utf-8")
    assert load_behaviour(good) == behaviour
    bad = tmp_path / "bad.json"
    bad.write_text('{"seed": "seven"}', encoding="utf-8")
    with pytest.raises(BadInputError, match=r"bad\.json: seed: found 'seven': "):
        load_behaviour(bad)
    with pytest.raises(BadInputError, match=r"none\.json: cannot be read"):
        load_behaviour(tmp_path / "none.json")


def test_draws_are_uniform_and_their_own() -> None:
    """Draws lie in [0, 1) with the moments of a uniform number, and repeat for the same texts only."""
    drawn = [uniform("test", str(i)) for i in range(4000)] + uniforms("test")
    assert all(0 <= value < 1 for value in drawn)
    assert abs(mean(drawn) - 0.5) < 0.025
    assert abs(stdev(drawn) - 12**-0.5) < 0.01
    assert len(set(drawn)) == len(drawn)
    assert uniform("a", "b") == uniform("a", "b") != uniform("ab", "")


def test_joined_texts_stay_apart() -> None:
    """Different lists of texts never join to the same bytes, whatever they hold."""
    lists = [("ab", "c"), ("a", "bc"), ("abc",), ("", "abc"), ("1:a",), ("\ud800",), ("\x00",), ("2:ab1:c",)]
    assert len({joined(*parts) for parts in lists}) == len(lists)


def test_latency_is_lognormal() -> None:
    """The median latency is the one stated, the spread of its logarithm follows sigma, and 0 spreads nothing."""
    prompts = [Prompt("openai", "m", "", str(i)) for i in range(1500)]
    drawn = sorted(latency_seconds(p, Behaviour(latency_seconds=2, latency_sigma=0.5)) for p in prompts)
    assert abs(median(drawn) - 2) < 0.15
    # One sigma below and above the median.
    assert abs(drawn[int(0.1587 * 1500)] - 2 * 2.71828**-0.5) < 0.15
    assert abs(drawn[int(0.8413 * 1500)] - 2 * 2.71828**0.5) < 0.35
    assert {latency_seconds(p, Behaviour(latency_seconds=2)) for p in prompts[:9]} == {2.0}
