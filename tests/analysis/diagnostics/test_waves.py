"""Waves over time: which model was served, and what changed since the first wave."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from judgeray.analysis.accuracy import accuracy
from judgeray.analysis.diagnostics.flips import condition_flips
from judgeray.analysis.diagnostics.waves import waves
from judgeray.analysis.grid import grid_of
from judgeray.stats.multiplicity import holm
from judgeray.stats.sign_test import sign_test_p
from tests.analysis.diagnostics.made_verdicts import Rows, told
from tests.analysis.made_logs import make_log, one

COLUMNS = (
    "dataset judge design condition wave served_models new_model "
    "rows questions accuracy accuracy_low accuracy_high compared unread flips flip_rate "
    "flip_rate_low flip_rate_high delta_accuracy delta_accuracy_low delta_accuracy_high p_sign p_holm"
)
COMPARED = COLUMNS.split()[12:]


def table(rows: Rows) -> pl.DataFrame:
    """Compute the table of a made log."""
    log = make_log(rows)
    return waves(grid_of(log), log)


def wave(number: int, said: str, model: str | None = None, **arm: Any) -> Rows:
    """One wave of an arm, all its rows served by one model."""
    return told(said, replicate=number, served_model=model, **arm)


def test_a_later_wave_is_held_against_the_first() -> None:
    """Of five rows one is silent and two flip, one right to wrong and one wrong to wrong."""
    first, second = table(wave(0, "ssusp") + wave(1, "su-su")).to_dicts()
    assert (first["wave"], first["rows"], first["questions"], first["accuracy"]) == (0, 5, 5, 0.6)
    assert {first[name] for name in COMPARED} == {None}
    assert (second["wave"], second["accuracy"], second["compared"], second["unread"]) == (1, 0.4, 4, 1)
    assert (second["flips"], second["flip_rate"], second["delta_accuracy"]) == (2, 0.5, pytest.approx(-0.2))
    assert (second["p_sign"], second["p_holm"]) == (1.0, 1.0)


def test_a_wave_is_compared_as_a_condition_would_be() -> None:
    """The same verdicts under another condition instead of in another wave: the same numbers and intervals."""
    before, after = "ssuspu- sus", "su-ususssu "
    later = table(wave(0, before) + wave(3, after)).row(1, named=True)
    log = make_log(told(before) + told(after, condition="x"))
    other = one(condition_flips(grid_of(log)))
    shared = set(COMPARED) - {"compared"}
    assert {name: later[name] for name in shared} == {name: other[name] for name in shared}
    assert later["compared"] == other["rows"]
    cell = accuracy(grid_of(log)).row(1, named=True)
    names = ("rows", "questions", "accuracy", "accuracy_low", "accuracy_high")
    assert {name: later[name] for name in names} == {name: cell[name] for name in names}


def test_a_new_model_is_told_from_the_old() -> None:
    """Other names are new, the same are not; several are joined in order, rows without a name passed over."""
    rows = wave(0, "ss", "m-1") + wave(1, "ss", "m-1") + wave(2, "s", "m-2") + wave(2, " s", "m-1")
    rows += wave(3, "s", "m-1") + wave(3, " ?", None)
    assert table(rows).select("wave", "served_models", "new_model").rows() == [
        (0, "m-1", False), (1, "m-1", False), (2, "m-1 + m-2", True), (3, "m-1", False)
    ]  # fmt: skip


def test_a_model_without_a_name_is_not_known() -> None:
    """No name in a wave, or none in the first: whether it is new is not known; no name anywhere is no error."""
    later = table(wave(0, "s", "m") + wave(1, "s"))
    assert later.select("served_models", "new_model").rows() == [("m", False), (None, None)]
    earlier = table(wave(0, "s") + wave(1, "s", "m"))
    assert earlier.select("served_models", "new_model").rows() == [(None, None), ("m", None)]
    assert table(wave(0, "s"))["served_models"].to_list() == [None]


def test_each_cell_has_its_own_models_and_first_wave() -> None:
    """Names and verdicts of another judge, design, condition or dataset have no part in a cell."""
    rows = wave(0, "ss", "a") + wave(1, "uu", "b")
    for other in ({"judge": "k"}, {"design": "H"}, {"condition": "x"}, {"dataset": "e"}):
        rows += wave(0, "uu", "b", **other) + wave(1, "uu", "b", **other)
    found = table(rows)
    own = found.filter(dataset="d", judge="j", design="C", condition="full")
    assert own.select("new_model", "flips").rows() == [(False, None), (True, 2)]
    rest = found.join(own, on=own.columns, how="anti", nulls_equal=True)
    assert rest.height == 8
    assert rest["flips"].drop_nulls().to_list() == [0] * 4
    assert not rest["new_model"].any()


def test_without_the_first_wave_nothing_is_compared() -> None:
    """Waves 1 and 2 alone: each stands with its accuracy, neither takes the place of wave 0."""
    found = table(wave(1, "ss", "m") + wave(2, "uu", "n"))
    assert found.select("wave", "accuracy", "flips", "new_model").rows() == [
        (1, 1.0, None, None),
        (2, 0.0, None, None),
    ]


def test_wave_numbers_may_be_large() -> None:
    """A date makes a wave number; it is shown as it is."""
    assert table(wave(0, "s") + wave(20_250_131, "u") + wave(10**12, "u"))["wave"].to_list() == [
        0,
        20_250_131,
        10**12,
    ]


def test_p_values_are_adjusted_over_waves_and_cells() -> None:
    """Two waves of two judges are four tests; the first waves are none."""
    rows = wave(0, "ssssss") + wave(1, "uuuuuu") + wave(2, "uuuuus")
    rows += [row | {"judge": "k"} for row in rows]
    found = table(rows).filter(pl.col("wave") > 0)
    p = [float(sign_test_p(0, lost)) for lost in (6, 5, 6, 5)]
    assert found["p_sign"].to_list() == p
    assert found["p_holm"].to_list() == holm(p).tolist()


def test_columns_are_named() -> None:
    """Columns and their order."""
    assert " ".join(table(wave(0, "s")).columns) == COLUMNS
