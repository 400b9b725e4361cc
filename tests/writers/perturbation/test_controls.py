"""Laws of the controls: they are functions of text, question and seed, and leave every fact alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.conditions.texts import DEFAULT_TEXTS
from judgeray.writers.perturbation.controls import controls, padded, reordered
from judgeray.writers.perturbation.style import restyled

any_text = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=80)
prose = st.lists(
    st.sampled_from(["Paris is large.", "It does not rain.", "Who knows?", "Yes! Dr. No left"]), max_size=6
)
TEXT = "The hall was opened in 1901. Its wing followed in 1903. It does not stand."


def answers(folder: Path) -> list[tuple[str, str]]:
    """Question id and text of study 2's 500 answers."""
    questions = json.loads((folder / "trutheval" / "dataset.json").read_text("utf-8"))["questions"]
    return [(str(question["id"]), text) for question in questions for text in question["answers"].values()]


def test_three_controls() -> None:
    """A text of several sentences has all three; one without a second sentence or a rule's words has fewer."""
    assert set(controls(TEXT, "7", 42)) == {"padded", "reordered", "restyled"}
    assert set(controls("Paris.", "7", 42)) == {"padded"}


@given(any_text, any_text, st.integers(0, 9))
def test_no_control_is_the_text_itself(text: str, question_id: str, seed: int) -> None:
    """What would leave the text as it is is not there, and the same call gives the same controls."""
    found = controls(text, question_id, seed)
    assert text not in found.values()
    assert found == controls(text, question_id, seed)


@given(any_text)
def test_padding_follows_the_text(text: str) -> None:
    """The text stands first, verbatim, and the phrases without content are those of condition `padding`."""
    assert padded(text).startswith(text)
    assert padded(text).endswith(DEFAULT_TEXTS["padding"])


@given(prose)
def test_reordering_keeps_every_sentence(sentences: list[str]) -> None:
    """Reordered sentences are the same ones, in another order; fewer than two different ones give none."""
    text = " ".join(sentences)
    found = reordered(text, "7", 42)
    if found is None:
        assert len(set(sentences)) < 2
    else:
        assert Counter(found.split()) == Counter(text.split())
        assert found != text


@pytest.mark.parametrize(
    "text", ["", " ", "Paris is large.", "Dr. No left the U.S. in 1962", "So. So. So.", "no mark"]
)
def test_one_sentence_has_no_other_order(text: str) -> None:
    """A text of one sentence, or of one said again, is not reordered."""
    assert reordered(text, "7", 42) is None


def test_orders_depend_on_question_and_seed() -> None:
    """Each question has an order of its own, and so has each seed."""
    text = "A one. B two. C three. D four."
    assert len({reordered(text, str(n), 42) for n in range(40)}) > 10
    assert len({reordered(text, "7", seed) for seed in range(40)}) > 10


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It does not rain.", "It doesn\u2019t rain."),
        ("Paris cannot move; it will not.", "Paris can\u2019t move; it won\u2019t."),
        ("It is a city, as he says it is.", "It\u2019s a city, as he says it is."),
        ("There is an island. They are still there.", "There\u2019s an island. They\u2019re still there."),
        (
            "Although small, it has numerous parks, such as Monceau.",
            "Though small, it has many parks, like Monceau.",
        ),
        ("Due to rain", "Because of rain"),
        ('She wrote "Do not go, such as it is" then.', "She wrote \u201cDo not go, such as it is\u201d then."),
        ("Levi's won 10-9 in 1914-1918.", "Levi\u2019s won 10\u20139 in 1914\u20131918."),
        ("\u201csuch as\u201d", None),
        ("He is 6' 2\" tall, not 7' 1\".", None),
        ("Suchas, notdue to SUCH AS", None),
        ("Paris is large.", None),
        ("", None),
    ],
)
def test_style_rules(text: str, expected: str | None) -> None:
    """Small words and marks change, names, numbers and quoted words do not."""
    assert restyled(text) == expected


@given(any_text)
def test_style_leaves_figures_alone(text: str) -> None:
    """Digits and their order survive every rule, and so does the number of lines."""
    found = restyled(text)
    if found is not None:
        assert re.findall(r"\d", found) == re.findall(r"\d", text)
        assert found.count("\n") == text.count("\n")


def test_controls_of_study_2(data_folder: Path) -> None:
    """Nearly all of the paper's answers can be padded, reordered and restyled, names and numbers untouched."""
    counts: Counter[str] = Counter()
    for question_id, text in answers(data_folder):
        found = controls(text, question_id, 42)
        counts.update(found.keys())
        if "restyled" in found:
            marks = r"[\u2019\u2013'-]"
            names = Counter(re.findall(r"(?<=[a-z,] )[A-Z]\w+|\d+", re.sub(marks, " ", text)))
            kept = Counter(re.findall(r"(?<=[a-z,] )[A-Z]\w+|\d+", re.sub(marks, " ", found["restyled"])))
            assert names == kept
    assert counts["padded"] == 500
    assert counts["reordered"] > 480
    assert counts["restyled"] > 400
