"""Figures of study 2: they compile, say in words what they show, and tell any number of judges apart."""

from __future__ import annotations

import json

import polars as pl
import pytest

from judgeray.analysis.scores import analyze_scores
from judgeray.report.figures.degradation import degradation_figure
from judgeray.report.figures.figure import Figure, Names
from judgeray.report.figures.series import COLOURS, series
from judgeray.report.figures.size_quality import size_quality_figure
from judgeray.report.figures.theme import CONFIG
from judgeray.report.page.embed import compiled
from tests.analysis.scores.made_scores import ladders, make_log

JUDGES = tuple(f"judge{number:02}:{number + 1}b" for number in range(10))
NAMES = Names(("d",), JUDGES, (), ())


@pytest.fixture(scope="module")
def tables() -> dict[str, pl.DataFrame]:
    """Two metrics by ten judges, one of them without scores."""
    rows = [
        row for metric in ("fc", "grade") for number, judge in enumerate(JUDGES)
        for row in ladders((1.0, 0.5, None if number == 9 else 0.1), (0.9, 0.6, 0.2), metric=metric, judge=judge)
    ]  # fmt: skip
    return analyze_scores(make_log(rows + ladders((None, None), judge="silent", metric="fc")))


def drawn(name: str, tables: dict[str, pl.DataFrame]) -> Figure:
    """Draw one of the figures."""
    if name == "degradation":
        return degradation_figure(name, tables["level_means"], NAMES)
    return size_quality_figure(name, tables["size_quality"], NAMES)


@pytest.mark.parametrize("name", ["degradation", "size_quality"])
def test_every_panel_compiles_and_speaks(name: str, tables: dict[str, pl.DataFrame]) -> None:
    """Specifications are right by the compiler, and each has words with numbers in them."""
    panels = drawn(name, tables).panels
    assert [panel.title for panel in panels] == {
        "degradation": ["d: fc", "d: grade"],
        "size_quality": ["d: Pearson's correlation", "d: Kendall's tau-b"],
    }[name]
    for panel in panels:
        assert compiled(panel.spec, CONFIG)["marks"]
        assert len(panel.alt) > 40
        assert "judge00:1b" in panel.alt
        assert "nan" not in json.dumps(panel.spec).lower()


def test_unknown_values_are_not_drawn(tables: dict[str, pl.DataFrame]) -> None:
    """A judge that never scored, and models of no known size, have no mark."""
    for panel in drawn("degradation", tables).panels:
        assert all(row["judge"] != "silent" for row in panel.spec["data"]["values"])
    nameless = tables["size_quality"].with_columns(size_billions=pl.lit(None, pl.Float64))
    assert size_quality_figure("s", nameless, NAMES).panels == ()


def test_no_two_judges_look_the_same() -> None:
    """Where colours come round again, shape and dash differ; the same judge looks the same in every chart."""
    look = series("judge", JUDGES, set(JUDGES), lines=True)
    ranges = [look[channel]["scale"]["range"] for channel in ("color", "shape")]
    assert len(set(zip(*ranges, strict=True))) == len(JUDGES) > COLOURS
    few = series("judge", JUDGES, {JUDGES[9]}, lines=True)
    for channel, encoding in few.items():
        assert encoding["scale"] == {"domain": [JUDGES[9]], "range": [look[channel]["scale"]["range"][9]]}


def test_hostile_names_stay_text(tables: dict[str, pl.DataFrame]) -> None:
    """Names with control characters are spelled out, in the legend as in the data."""
    hostile = "\x1b[2J\u202e"
    table = tables["level_means"].with_columns(judge=pl.lit(hostile)).filter(pl.col("level") == 0).head(1)
    (panel,) = degradation_figure("d", table, Names(("d",), (hostile,), (), ())).panels
    assert hostile not in panel.alt
    text = json.dumps(panel.spec, ensure_ascii=False)
    assert "\x1b" not in text
    assert "\\\\x1b[2J\\\\u202e" in text
