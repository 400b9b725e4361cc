"""Labels wrong at random: the simulation is what relabelling a log gives, and its mean what a formula says."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.analysis.contrasts import contrasts
from judgeray.analysis.diagnostics.label_noise import RATES, label_noise
from judgeray.analysis.grid import grid_of
from judgeray.core.errors import BadInputError
from judgeray.rows import LABELS
from judgeray.stats.label_flips import label_flips
from tests.analysis.diagnostics.made_verdicts import Rows, told
from tests.analysis.made_logs import make_log, one

LETTERS = "psu"
"""Letters of labels in the order of their names: a wrong label is the next in it, or the one after that."""


def noise(rows: Rows, rates: tuple[float, ...] = (0.1,), draws: int = 200) -> pl.DataFrame:
    """Compute the table of a made log."""
    return label_noise(grid_of(make_log(rows)), rates=rates, draws=draws)


def study(labels: str, seed: int = 3, letters: str = LETTERS) -> Rows:
    """H says the label in nine rows of ten, C in six; the rest is any letter."""
    rng = np.random.default_rng(seed)

    def says(skill: float) -> str:
        return "".join(label if rng.random() < skill else str(rng.choice(list(letters))) for label in labels)

    return told(says(0.9), labels, (), 2, design="H") + told(says(0.6), labels, (), 2, design="C")


def test_draws_are_what_contrasts_of_relabelled_logs_give() -> None:
    """Five draws, redone one by one: every row relabelled in the log, for both judges and both replicates alike."""
    labels = "spuspuspusp"
    rows = study(labels) + [row | {"judge": "k"} for row in study(labels, 4)]
    rows += [row | {"replicate": 1} for row in study(labels, 5)]
    rows += [row | {"condition": "x"} for row in study(labels, 6)[:9]]
    rate, draws = 0.4, 5
    flips = np.concatenate(list(label_flips(len(labels), 2, rate, draws))).reshape(draws, len(labels), 2)
    relabelled = []
    for draw in flips:
        new = {
            f"r{row:03d}": LETTERS[(LETTERS.index(label) + 1 + int(draw[row].argmax())) % 3]
            for row, label in enumerate(labels) if draw[row].any()
        }  # fmt: skip
        assert new
        log = make_log([row | _label(new, row["row_id"], str(row["label"])) for row in rows])
        relabelled.append(contrasts(grid_of(log))["delta_accuracy"].to_numpy())
    expected = np.stack(relabelled)
    found = noise(rows, (rate,), draws)
    observed = contrasts(grid_of(make_log(rows)))["delta_accuracy"].to_numpy()
    assert found["delta_accuracy"].to_numpy() == pytest.approx(observed)
    assert found["delta"].to_numpy() == pytest.approx(expected.mean(axis=0))
    assert found["delta_low"].to_numpy() == pytest.approx(np.quantile(expected, 0.025, axis=0))
    assert found["delta_high"].to_numpy() == pytest.approx(np.quantile(expected, 0.975, axis=0))
    same = [float(np.mean(np.sign(draw) == sign)) for draw, sign in zip(expected.T, np.sign(observed), strict=True)]
    assert found["share_same_sign"].to_list() == pytest.approx(same)


def _label(new: dict[str, str], row_id: str, old: str) -> dict[str, str]:
    names = dict(zip(LETTERS, sorted(LABELS), strict=True))
    return {"label": names[new[row_id]] if row_id in new else old}


@pytest.mark.parametrize("labels", ["su" * 30, "spu" * 20])
@pytest.mark.parametrize("rate", [0.05, 0.2, 0.6])
def test_the_mean_is_what_the_formula_expects(labels: str, rate: float) -> None:
    """Each row: (1 - rate) c + rate w / (K - 1); on two labels, partially_supported is wrong and outside them."""
    rows = study(labels)
    kinds = len(set(labels))

    def expected(design: str) -> float:
        verdicts = [str(row["verdict"])[0] for row in rows if row["design"] == design]
        rights = [said == label for said, label in zip(verdicts, labels, strict=True)]
        others = [said in labels and said != label for said, label in zip(verdicts, labels, strict=True)]
        return (1 - rate) * float(np.mean(rights)) + rate * float(np.mean(others)) / (kinds - 1)

    found = one(noise(rows, (rate,), draws=2_000))
    spread = (found["delta_high"] - found["delta_low"]) / 3.92
    assert found["delta"] == pytest.approx(expected("H") - expected("C"), abs=4 * spread / 2_000**0.5)


def test_noise_without_effect_and_noise_of_everything() -> None:
    """Rate 0 changes nothing; rate 1 of two labels turns every row, and with them the difference."""
    rows = told("ssss", "sssu", design="H") + told("uuuu", "sssu", design="C")
    none, all_rows = noise(rows, (0.0, 1.0)).to_dicts()
    assert (none["delta_accuracy"], none["delta"], none["delta_low"], none["delta_high"]) == (0.5,) * 4
    assert none["share_same_sign"] == 1.0
    assert (all_rows["delta"], all_rows["delta_low"], all_rows["delta_high"]) == (-0.5,) * 3
    assert all_rows["share_same_sign"] == 0.0


def test_wrong_verdicts_outside_the_labels_gain_nothing() -> None:
    """Both designs are always wrong; only the one that says another label of the dataset is right by noise."""
    rows = told("uuuu", "ssss", design="H") + told("pppp", "ssss", design="C")
    rows += told("    u", "ssssu", design="H") + told("    u", "ssssu", design="C")
    found = one(noise(rows, (0.5,), draws=500))
    assert found["delta_accuracy"] == 0.0
    assert found["delta_low"] >= 0.0
    assert found["delta"] == pytest.approx(0.5 * 4 / 5, abs=0.05)
    assert found["share_same_sign"] is None


def test_silent_rows_are_never_right_and_unsettled_rows_are_left_out() -> None:
    """Labels turned: C gets its first row, the silent row of H stays wrong; the pending row takes no part."""
    rows = told("s-?", "suu", design="H") + told("uus", "suu", design="C")
    found = one(noise(rows, (1.0,)))
    assert (found["questions"], found["delta_accuracy"], found["delta"]) == (2, 0.0, -0.5)


def test_every_arm_is_held_against_the_same_labels() -> None:
    """Judges, conditions and replicates that say the same have the same rows of the table, bit for bit."""
    once = study("su" * 10)
    rows = once + [row | {"judge": "k"} for row in once] + [row | {"condition": "x"} for row in once]
    rows += [row | {"judge": "two", "replicate": n} for row in once for n in (0, 1)]
    measures = noise(rows, RATES).drop("judge", "condition").rows()
    assert len(measures) == 16
    assert len(set(measures)) == 4


def test_another_dataset_changes_nothing() -> None:
    """Labels and draws of a dataset are its own."""
    alone = noise(study("su" * 10))
    both = noise(study("su" * 10) + [row | {"dataset": "e", "row_id": f"z{row['row_id']}"} for row in study("spu")])
    assert both.filter(dataset="d").equals(alone)


def test_a_dataset_with_one_label_has_no_other() -> None:
    """The difference stands, what noise does to it is not known."""
    found = one(noise(told("ss", design="H") + told("su", design="C")))
    assert (found["questions"], found["delta_accuracy"]) == (2, 0.5)
    assert {found[name] for name in ("delta", "delta_low", "delta_high", "share_same_sign")} == {None}


def test_without_a_common_row_nothing_is_known() -> None:
    """The pair stays in the table, at every rate."""
    found = noise(told("s ", "su", design="H") + told(" u", "su", design="C"), (0.1, 0.2))
    assert found.select("rate", "questions", "delta_accuracy", "delta", "share_same_sign").rows() == [
        (0.1, 0, None, None, None), (0.2, 0, None, None, None)
    ]  # fmt: skip


def test_one_design_is_an_empty_table() -> None:
    """No pair, the same columns."""
    table = noise(told("su", "su"))
    assert table.is_empty()
    assert table.schema == noise(study("su")).schema
    assert table.columns == [
        "dataset", "judge", "condition", "a", "b", "rate", "questions",
        "delta_accuracy", "delta", "delta_low", "delta_high", "share_same_sign",
    ]  # fmt: skip


def test_questions_weigh_the_same() -> None:
    """A question of three rows and one of one: differences are means over questions, as in `contrasts`."""
    rows = told("sssu", "suuu", (), 3, design="H") + told("uuus", "suuu", (), 3, design="C")
    found = one(noise(rows, (0.0,)))
    expected = one(contrasts(grid_of(make_log(rows))))["delta_accuracy"]
    assert found["delta_accuracy"] == found["delta"] == expected == pytest.approx((-1 / 3 + 1) / 2)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 99), labels=st.text("spu", min_size=2, max_size=12))
def test_shares_and_percentiles_stay_in_range(seed: int, labels: str) -> None:
    """Low <= mean <= high within -1 to 1, shares within 0 to 1, null exactly where there is no direction."""
    for row in noise(study(labels, seed), RATES, 40).to_dicts():
        if len(set(labels)) < 2:
            assert row["delta"] is None
            continue
        assert -1 <= row["delta_low"] <= row["delta"] + 1e-12
        assert row["delta"] <= row["delta_high"] + 1e-12 <= 1 + 1e-9
        assert (row["share_same_sign"] is None) == (row["delta_accuracy"] == 0)
        assert 0 <= (row["share_same_sign"] or 0) <= 1


@pytest.mark.parametrize(
    ("rates", "draws", "named"), [((0.1, 1.5), 10, "rates"), ((-0.1,), 10, "rates"), ((0.1,), 0, "draws")]
)
def test_what_cannot_be_drawn_is_refused(rates: tuple[float, ...], draws: int, named: str) -> None:
    """Rates outside 0 to 1 and no draws are named with what is allowed."""
    with pytest.raises(BadInputError, match=f"label_noise: {named}: found .*, allowed"):
        noise(study("su"), rates, draws)
