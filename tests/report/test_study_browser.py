"""The page of a study in a real browser, opened from disk with the network cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from judgeray.cli.logs import analyze_command
from tests.report.browser import Browser, chromium
from tests.run.made_run import HOSTILE
from tests.run.test_scores_report import score_file, score_rows

RANKING = "document.getElementById('grid-chapter-0-view-0').closest('.grid')"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests; each opens its page afresh."""
    with chromium(tmp_path_factory.mktemp("profile")) as started:
        yield started


def page_of(folder: Path, **names: str) -> Path:
    """The page of scores of two datasets, two judges of known sizes, two metrics, one of which rises at last."""
    sizes = {"a": "gemma3:4b", "b": "gemma3:27b"}
    rows = [
        {**row, "dataset": dataset, "metric": metric, "judge": sizes[row["judge"]]}
        for row in score_rows() for dataset in ("d", "e") for metric in ("grade", "facts")
    ]  # fmt: skip
    rows = [row | {"value": 10} if (row["metric"], row["level"]) == ("facts", 4) else row for row in rows]
    hostile = [row | {name: f"{said}{row[name]}" for name, said in names.items()} for row in rows]
    assert analyze_command([str(score_file(folder, hostile)), "--output", str(folder)]) == 0
    return folder / "report.html"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with tame names."""
    return page_of(tmp_path_factory.mktemp("tame"))


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of scores whose every name is hostile."""
    names = dict.fromkeys(("dataset", "metric", "judge", "question_id"), HOSTILE.replace("\x00", ""))
    return page_of(tmp_path_factory.mktemp("hostile"), **names)


def texts(browser: Browser, column: int) -> list[str]:
    """Texts of a column of the ranking, of the rows that are shown."""
    rows = f"[...{RANKING}.querySelectorAll('tbody tr:not([hidden])')]"
    return [str(text) for text in browser.run(f"return {rows}.map(r => r.cells[{column}].textContent)")]


def test_it_opens_without_a_request_or_an_error(browser: Browser, page: Path, hostile_page: Path) -> None:
    """Every chart is drawn, nothing is asked for beyond the file itself, and the console is empty."""
    for opened in (page, hostile_page):
        browser.open(opened)
        assert browser.requests() == [opened.as_uri()]
        assert browser.errors() == []
        charts = browser.run(
            "return [...document.querySelectorAll('[data-chart]')].map(c => !!c.querySelector('svg'))"
        )
        assert charts == [True] * (2 * 2 + 2 * 2)
        assert browser.run("return window.hacked") is None


def test_every_entry_of_the_contents_leads_somewhere(browser: Browser, page: Path) -> None:
    """No link of the page is dead."""
    browser.open(page)
    links = "[...document.querySelectorAll('a[href^=\"#\"]')]"
    assert browser.run(f"return {links}.filter(a => !document.querySelector(a.hash)).length") == 0
    assert browser.run(f"return {links}.length") > 4


def test_the_ranking_sorts_by_number(browser: Browser, page: Path) -> None:
    """A header sorts both ways, estimates by their number whatever their intervals."""
    browser.open(page)
    header = browser.run(f"return {RANKING}.querySelectorAll('th')[4]")
    assert header.text.lower() == "kendall"
    for order, reverse in (("ascending", False), ("descending", True)):
        header.find_element(By.TAG_NAME, "button").click()
        assert header.get_attribute("aria-sort") == order
        found = [float(text.split(" ")[0]) for text in texts(browser, 4)]
        assert found == sorted(found, reverse=reverse)
        assert len(set(found)) > 1


def test_a_control_hides_a_judge_everywhere(browser: Browser, page: Path) -> None:
    """Without a judge its rows and its lines in charts are gone; Show all brings both back."""
    browser.open(page)
    lines = "return document.querySelectorAll('#figure-degradation svg .mark-line path').length"
    before = browser.run(lines)
    assert set(texts(browser, 2)) == {"gemma3:4b", "gemma3:27b"}
    browser.run("document.querySelector('input[data-part=j]').click()")
    browser.settle()
    assert set(texts(browser, 2)) == {"gemma3:4b"}
    assert browser.run(lines) == before / 2
    assert browser.run("return document.getElementById('hidden-parts').textContent") == "1 hidden"
    browser.driver.find_element(By.ID, "show-all").click()
    browser.settle()
    assert browser.run(lines) == before
    assert len(texts(browser, 2)) == 8


def test_a_control_hides_a_dataset_everywhere(browser: Browser, page: Path) -> None:
    """Without a dataset its rows and its panels are gone."""
    browser.open(page)
    panels = "return document.querySelectorAll('.panel:not([hidden])').length"
    before = browser.run(panels)
    browser.run("document.querySelector('input[data-part=d]').click()")
    browser.settle()
    assert set(texts(browser, 0)) == {"e"}
    assert browser.run(panels) == before / 2


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_phone_and_desk(browser: Browser, page: Path, hostile_page: Path, width: int) -> None:
    """Nothing sticks out at the side, whatever the names; wide tables scroll inside."""
    for opened in (page, hostile_page):
        browser.open(opened, width)
        browser.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        assert browser.run("return document.documentElement.scrollWidth") <= width
