"""Laws of a loaded NLI checkpoint: names of outputs, batches that change nothing, and premises in windows."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.providers import nli_model
from judgeray.providers.nli_model import Judged, NliModel, Pair
from judgeray.providers.nli_windows import windows
from tests.providers.nli_checkpoint import MOST_TOKENS, ODD_ORDER, WORDS, build_checkpoint


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> NliModel:
    """A tiny checkpoint whose labels stand in an unusual order, loaded."""
    return NliModel(build_checkpoint(tmp_path_factory.mktemp("nli") / "tiny", ODD_ORDER))


def judged(found: Judged | str) -> Judged:
    """What the model judged, where it could."""
    assert isinstance(found, Judged)
    return found


def test_probabilities_stand_under_the_labels_of_the_config(tmp_path: Path, model: NliModel) -> None:
    """The same weights under another order of labels give the same numbers under other names."""
    other = NliModel(build_checkpoint(tmp_path / "other", {0: "neutral", 1: "contradiction", 2: "entailment"}))
    pair = Pair("the song was written by starr .", "it came out in 1973 .")
    first, second = judged(model.judge([pair], 1)[0]).best, judged(other.judge([pair], 1)[0]).best
    assert len(set(first.values())) == 3
    assert second == {
        "neutral": first["contradiction"],
        "contradiction": first["entailment"],
        "entailment": first["neutral"],
    }
    assert sum(first.values()) == pytest.approx(1, abs=2e-6)


def test_a_checkpoint_without_names_of_labels_is_refused(tmp_path: Path) -> None:
    """LABEL_0 to LABEL_2 tell nobody which output is entailment."""
    path = build_checkpoint(tmp_path / "unnamed", {index: f"LABEL_{index}" for index in range(3)})
    with pytest.raises(
        BadInputError, match=r"checkpoint '.*unnamed': config\.json: id2label: found LABEL_0, LABEL_1"
    ):
        NliModel(path)


pairs = st.builds(
    Pair,
    st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
)


@settings(deadline=None, max_examples=15)
@given(st.lists(pairs, min_size=1, max_size=6), st.integers(1, 4))
def test_the_same_pair_has_the_same_reply_in_any_company(model: NliModel, asked: list[Pair], size: int) -> None:
    """What shares a batch with a pair, and where it stands there, changes none of its digits."""
    together = model.judge(asked, size)
    assert together == [model.judge([pair], 1)[0] for pair in asked]
    assert together[::-1] == model.judge(asked[::-1], size)


def test_long_premises_are_judged_window_by_window(model: NliModel) -> None:
    """No token is cut off: each window is judged as a premise of its own, and one that entails stands for all."""
    sentences = [
        "the song was written by starr and harrison in london . ",
        "no one else knew it came out in 1973 . ",
    ]
    premise = "".join(sentences * 4)
    found = judged(model.judge([Pair(premise, "starr knew .")], 4)[0])
    pieces = windows(premise, lambda text: len(f"{text} starr knew .".split()) + 3 <= MOST_TOKENS)
    assert len(found.windows) == len(pieces) > 1
    alone = [judged(model.judge([Pair(piece, "starr knew .")], 1)[0]) for piece in pieces]
    assert all(len(piece.windows) == 1 for piece in alone)
    assert list(found.windows) == [piece.best for piece in alone]
    assert found.best["entailment"] == max(window["entailment"] for window in found.windows)


def test_the_window_that_entails_stands_for_the_premise() -> None:
    """A window where entailment is the most probable label comes before one where it is only the more probable."""
    first = {"entailment": 0.45, "neutral": 0.5, "contradiction": 0.05}
    second = {"entailment": 0.42, "neutral": 0.3, "contradiction": 0.28}
    third = {"entailment": 0.40, "neutral": 0.35, "contradiction": 0.25}
    assert nli_model._best([first, second, third]).best == second  # type: ignore[list-item]
    assert nli_model._best([first]).best == first  # type: ignore[list-item]
