"""Laws of NLI labels and windows: outputs have the names of the config, and long premises lose no letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.providers.nli_labels import label_order
from judgeray.providers.nli_windows import windows


@pytest.mark.parametrize(
    ("id2label", "expected"),
    [
        ({0: "contradiction", 1: "entailment", 2: "neutral"}, ("contradiction", "entailment", "neutral")),
        ({2: "ENTAILMENT", 0: "Neutral", 1: "CONTRADICTION"}, ("neutral", "contradiction", "entailment")),
        ({"2": "entails", "10": "contradict", "1": "neutral"}, ("neutral", "entailment", "contradiction")),
        ({0: "entailed", 1: " contradicts ", 2: "neutral"}, ("entailment", "contradiction", "neutral")),
    ],
)
def test_labels_are_read_from_the_config(id2label: dict[int | str, str], expected: tuple[str, ...]) -> None:
    """Outputs are named by their indices in id2label, in any order, case and usual spelling."""
    assert label_order("m", id2label) == expected


@pytest.mark.parametrize(
    ("id2label", "found"),
    [
        ({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, "LABEL_0, LABEL_1, LABEL_2"),
        ({0: "LABEL_0"}, "LABEL_0"),
        ({0: "entailment", 1: "not_entailment"}, "entailment, not_entailment"),
        ({0: "entailment", 1: "entail", 2: "neutral"}, "entailment, entail, neutral"),
        (
            {0: "entailment", 1: "neutral", 2: "contradiction", 3: "entail"},
            "entailment, neutral, contradiction, entail",
        ),
        (
            {0: "entailment", 1: "neutral", 2: "contradiction", 3: "other"},
            "entailment, neutral, contradiction, other",
        ),
        ({}, "nothing"),
    ],
)
def test_labels_that_mean_nothing_are_refused(id2label: dict[int | str, str], found: str) -> None:
    """Outputs without names, with other names, twice the same or one too many: the message names the checkpoint."""
    with pytest.raises(BadInputError) as caught:
        label_order("some/checkpoint", id2label)
    assert str(caught.value) == (
        f"nli: checkpoint 'some/checkpoint': config.json: id2label: found {found}, allowed: entailment, neutral "
        "and contradiction, each once, in any order."
    )


@given(st.text(alphabet="ab .!?\n", max_size=60) | st.text(max_size=30), st.integers(1, 12))
def test_windows_lose_no_letter_and_fit(text: str, most: int) -> None:
    """Pieces joined are the text, and each of them fits."""
    pieces = windows(text, lambda piece: len(piece) <= most)
    assert "".join(pieces) == text
    assert all(len(piece) <= most for piece in pieces)
    assert len(pieces) == 1 or all(pieces)


def test_windows_keep_sentences_whole_where_they_fit() -> None:
    """A cut falls between sentences where those fit, between words where not, and inside a word at last."""
    text = "One two. Three four! Five six seven eight nine. Tenelevensixteen."
    assert windows(text, lambda piece: len(piece.strip()) <= 20) == [
        "One two. Three four! ",
        "Five six seven eight ",
        "nine. ",
        "Tenelevensixteen.",
    ]
    assert windows("abcdefgh", lambda piece: len(piece) <= 3) == ["ab", "cd", "ef", "gh"]


def test_a_character_that_does_not_fit_is_a_piece() -> None:
    """Cutting ends, whatever fits."""
    assert windows("abc", lambda piece: False) == ["a", "b", "c"]
