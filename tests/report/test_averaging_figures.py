"""Figures of study 3: what is drawn, that it compiles, and what those who cannot see it are told."""

from __future__ import annotations

import polars as pl
import pytest

from judgeray.analysis.averaging.tables import averaging_tables
from judgeray.report.figures.composition import composition_figure
from judgeray.report.figures.error_thresholds import error_threshold_figure
from judgeray.report.figures.figure import Figure, Names
from judgeray.report.figures.gap_curves import gap_figure
from judgeray.report.figures.theme import CONFIG
from judgeray.report.page.embed import compiled
from tests.analysis.averaging.made_sentences import drawn_log, mean_rater, said, sentence_log
from tests.run.made_run import HOSTILE

NAMES = Names(("d", "e"), ("bad", "good"), (), ())


@pytest.fixture(scope="module")
def tables() -> dict[str, pl.DataFrame]:
    """Tables of one annotated dataset with two judges, and one without annotations."""
    log, annotations = drawn_log(mean_rater, {"good": 0.05, "bad": 0.35}, summaries=120)
    other = sentence_log(said({"a:1": ("10", 1), "b:1": ("11", 0)}, dataset="e", judge="good"))
    return averaging_tables(pl.concat([log, other]), annotations)


def compiles(figure: Figure) -> None:
    """Check that every panel is a specification that can be drawn."""
    assert figure.panels
    for panel in figure.panels:
        assert compiled(panel.spec, CONFIG)["marks"]
        assert len(panel.alt) > 40


def test_error_rates_stand_against_the_threshold(tables: dict[str, pl.DataFrame]) -> None:
    """One panel for the annotated dataset; the line is at epsilon_0 and each judge says on which side it is."""
    figure = error_threshold_figure("thresholds", tables["diagnostic"], NAMES)
    compiles(figure)
    (panel,) = figure.panels
    limit = tables["diagnostic"]["epsilon_0"][0]
    assert panel.dataset == "d"
    assert panel.spec["layer"][0]["encoding"]["x"]["datum"] == limit
    states = {row["judge"]: row["state"] for row in panel.spec["data"]["values"]}
    assert states == {"good": "below the threshold", "bad": "not below it"}
    assert f"Threshold: {limit:.4f}" in panel.alt


def test_without_a_threshold_the_line_is_at_guessing() -> None:
    """Unconditional datasets have it at one half, and say so."""
    log, annotations = drawn_log(mean_rater, {"good": 0.05}, summaries=80, lengths=(2, 12))
    table = averaging_tables(log, annotations)["diagnostic"]
    (panel,) = error_threshold_figure("thresholds", table, NAMES).panels
    assert panel.spec["layer"][0]["encoding"]["x"]["datum"] == 0.5
    assert "none below one half" in panel.alt


def test_gap_curves_have_both_judges(tables: dict[str, pl.DataFrame]) -> None:
    """Exact lines and drawn points of a perfect and of a measured judge."""
    figure = gap_figure("gaps", tables["gap_simulation"], NAMES)
    compiles(figure)
    (panel,) = figure.panels
    rows = panel.spec["data"]["values"]
    assert {row["judge_kind"] for row in rows} == {"perfect", "measured"}
    assert [row["gap"] for row in rows] == tables["gap_simulation"]["gap"].to_list()
    assert "perfect judge: -" in panel.alt
    assert "measured judge: " in panel.alt


def test_compositions_are_bars_of_people_and_judges(tables: dict[str, pl.DataFrame]) -> None:
    """One panel a dataset, people first, all judges last; three shares that add up."""
    figure = composition_figure("composition", tables["composition"], NAMES)
    compiles(figure)
    assert [panel.dataset for panel in figure.panels] == ["d", "e"]
    spec = figure.panels[0].spec
    assert spec["encoding"]["y"]["sort"] == ["people", "bad", "good", "all judges"]
    for source in ("people", "bad", "good", "all judges"):
        shares = [row["share"] for row in spec["data"]["values"] if row["source"] == source]
        assert sum(shares) == pytest.approx(1)
        assert len(shares) == 3


def test_figures_without_data_have_no_panels() -> None:
    """No annotations, no complete summary: nothing is drawn."""
    empty = averaging_tables(sentence_log(said({"a:1": ("1-", 1)})))
    assert error_threshold_figure("t", empty["diagnostic"], NAMES).panels == ()
    assert gap_figure("g", empty["gap_simulation"], NAMES).panels == ()
    assert composition_figure("c", empty["composition"], NAMES).panels == ()


def test_claims_are_named_in_their_figure() -> None:
    """Where wholes are sentences, the figure says sentences."""
    table = averaging_tables(sentence_log(said({"a:1": ("10", 1)})))["composition"].rename(
        {"summaries": "sentences"}
    )
    figure = composition_figure("c", table, NAMES)
    assert figure.title == "What sentences are made of"
    assert figure.panels[0].spec["encoding"]["x"]["title"] == "share of sentences"


def test_hostile_names_are_spelled_out() -> None:
    """Control characters in names of judges do not reach a chart."""
    log, annotations = drawn_log(mean_rater, {HOSTILE: 0.05}, summaries=60)
    tables = averaging_tables(log, annotations)
    names = Names(("d",), (HOSTILE,), (), ())
    figures = (
        error_threshold_figure("t", tables["diagnostic"], names),
        composition_figure("c", tables["composition"], names),
    )
    for figure in figures:
        compiles(figure)
        text = str(figure.panels[0].spec) + figure.panels[0].alt
        assert not {"\x1b", "\u202e"} & set(text)
