"""Laws of the dashboard: it shows each metric that the code defines, nothing else, and Grafana can read it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from judgeray.cli.main import main
from judgeray.engine.observe.dashboard import dashboard_text
from judgeray.engine.observe.metrics import METRICS

SERIES = re.compile(r"ray_(judgeray_\w+)(?:\{([^}]*)\})?")
GROUPING = re.compile(r"by \(([^)]*)\)")
FIELD = re.compile(r"\{\{(\w+)\}\}")


@pytest.fixture(scope="module")
def board() -> dict[str, Any]:
    """The dashboard, parsed."""
    parsed: dict[str, Any] = json.loads(dashboard_text())
    return parsed


def targets(board: dict[str, Any]) -> list[dict[str, Any]]:
    """All queries of all panels."""
    return [target for panel in board["panels"] for target in panel.get("targets", ())]


def test_dashboard_and_code_know_the_same_metrics(board: dict[str, Any]) -> None:
    """No panel asks for a metric that nobody exports, and no metric is without a panel."""
    shown = {name for target in targets(board) for name, _ in SERIES.findall(target["expr"])}
    assert shown == {metric.name for metric in METRICS}


def test_queries_use_only_tags_that_their_metrics_have(board: dict[str, Any]) -> None:
    """What a query filters, groups or names series by is a tag of each metric in it."""
    tags = {metric.name: set(metric.tags) for metric in METRICS}
    for target in targets(board):
        expression = target["expr"]
        grouped = {name.strip() for part in GROUPING.findall(expression) for name in part.split(",")}
        for name, filters in SERIES.findall(expression):
            used = grouped | set(re.findall(r"(\w+)=", filters))
            assert used <= tags[name], expression
        assert 'run=~"$run"' in expression, expression
        assert 'provider=~"$provider"' in expression, expression
        assert set(FIELD.findall(target["legendFormat"])) <= grouped, expression


def test_grafana_can_read_it(board: dict[str, Any]) -> None:
    """It has what Grafana's schema asks for: a version, panels of distinct ids with places and queries."""
    assert board["schemaVersion"] >= 36
    assert board["uid"] == board["title"] == "judgeray"
    ids = [panel["id"] for panel in board["panels"]]
    assert len(ids) == len(set(ids))
    taken: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert place["x"] + place["w"] <= 24
        assert not cells & taken, panel["title"]
        taken |= cells
        if panel["type"] != "row":
            assert panel["targets"], panel["title"]
            letters = [target["refId"] for target in panel["targets"]]
            assert len(letters) == len(set(letters))


def test_data_source_run_and_provider_are_chosen_in_grafana(board: dict[str, Any]) -> None:
    """It names no data source of ours: every panel and variable asks the one that is chosen."""
    variables = {variable["name"]: variable for variable in board["templating"]["list"]}
    assert variables["datasource"]["query"] == "prometheus"
    asked = [panel for panel in board["panels"] if panel["type"] != "row"] + targets(board)
    asked += [variables["run"], variables["provider"]]
    assert all(each["datasource"] == {"type": "prometheus", "uid": "${datasource}"} for each in asked)
    for name in ("run", "provider"):
        assert variables[name]["query"]["query"].startswith("label_values(ray_judgeray_")
        assert variables[name]["multi"]
        assert variables[name]["includeAll"]


def test_command_prints_or_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`judgeray dashboard` prints the file, `--output` writes it, and a place that takes none is named."""
    assert main(["dashboard"]) == 0
    assert capsys.readouterr().out == dashboard_text()
    assert main(["dashboard", "--output", str(tmp_path / "d.json")]) == 0
    assert (tmp_path / "d.json").read_text() == dashboard_text()
    assert main(["dashboard", "--output", str(tmp_path / "no" / "d.json")]) == 2
    assert "d.json' cannot be written" in capsys.readouterr().err
