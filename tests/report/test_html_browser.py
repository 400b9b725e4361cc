"""The page in a real browser, opened from disk with the network cut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.report.browser import Browser, chromium
from tests.report.page_bench import log_rows, page_of
from tests.run.made_run import HOSTILE, label_of, made_run

WINNERS = "document.getElementById('grid-winners').closest('.grid')"
CATCH_COPY = "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests; each opens its page afresh."""
    with chromium(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="module")
def log_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a plain log of two datasets and two judges."""
    folder = tmp_path_factory.mktemp("log")
    (folder / "report.html").write_text(page_of(folder, log_rows()), encoding="utf-8")
    return folder / "report.html"


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a log whose every name is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    rows = log_rows()
    for row in rows:
        row |= {name: f"{HOSTILE}{row[name]}" for name in ("dataset", "judge", "design", "row_id", "condition")}
    (folder / "report.html").write_text(page_of(folder, rows, name=HOSTILE), encoding="utf-8")
    return folder / "report.html"


@pytest.fixture(scope="module")
def run_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run whose candidates and replies are hostile; C is wrong on odd rows."""

    def say(design: str, row_id: str) -> str:
        number = int(row_id.removeprefix("row-"))
        wrong = design == "C" and number % 2
        return json.dumps({"verdict": label_of(number + 1) if wrong else label_of(number)}) + f"\n{HOSTILE}\ud800"

    return made_run(tmp_path_factory.mktemp("run"), say, candidate=HOSTILE) / "report.html"


def texts(browser: Browser, column: int) -> list[str]:
    """Texts of a column of the winners' table, of the rows that are shown."""
    script = (
        f"return [...{WINNERS}.querySelectorAll('tbody tr:not([hidden])')].map(r => r.cells[{column}].textContent)"
    )
    return [str(text) for text in browser.run(script)]


def test_it_opens_without_a_request_or_an_error(browser: Browser, log_page: Path, run_page: Path) -> None:
    """Every chart is drawn, nothing is asked for beyond the file itself, and the console is empty."""
    for page in (log_page, run_page):
        browser.open(page)
        assert browser.requests() == [page.as_uri()]
        assert browser.errors() == []
        assert browser.run(
            "return [...document.querySelectorAll('[data-chart]')].every(c => c.querySelector('svg'))"
        )


def test_the_policy_stops_what_a_page_must_not_do(browser: Browser, log_page: Path) -> None:
    """Even a script that got in could load nothing: the policy refuses it."""
    browser.open(log_page)
    browser.run("const i = new Image(); i.src = 'https://example.org/x.png'; document.body.append(i)")
    browser.run(
        "const s = document.createElement('script'); s.textContent = 'window.hacked = 1'; document.body.append(s)"
    )
    assert browser.run("return window.hacked") is None
    assert browser.requests() == [log_page.as_uri(), "refused https://example.org/x.png"]


def test_tables_sort_by_number_both_ways_and_from_the_keyboard(browser: Browser, log_page: Path) -> None:
    """A header sorts on click and on Enter, and says how in aria-sort."""
    browser.open(log_page)
    header = browser.run(f"return {WINNERS}.querySelectorAll('th')[3]")
    header.find_element(By.TAG_NAME, "button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    assert texts(browser, 3) == sorted(texts(browser, 3))
    header.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    assert header.get_attribute("aria-sort") == "descending"
    assert texts(browser, 3) == sorted(texts(browser, 3), reverse=True)


def test_a_control_restricts_charts_tables_and_rows_alike(browser: Browser, log_page: Path) -> None:
    """Without judge a, no chart, table row or case speaks of it; Show all brings it back."""
    browser.open(log_page)
    drawn = "return document.querySelector('#figure-accuracy svg').textContent"
    assert "a" in browser.run(drawn)
    before = browser.run("return document.querySelectorAll('#figure-accuracy svg .mark-symbol path').length")
    browser.run("document.querySelector('input[data-part=j]').click()")
    browser.settle()
    after = browser.run("return document.querySelectorAll('#figure-accuracy svg .mark-symbol path').length")
    assert after == before / 2
    assert set(texts(browser, 1)) == {"b"}
    assert browser.run("return document.getElementById('hidden-parts').textContent") == "1 hidden"
    titles = browser.run("return [...document.querySelectorAll('.cell:not([hidden]) b')].map(b => b.textContent)")
    assert titles
    assert all(title.endswith("b") for title in titles)
    browser.run("document.querySelector('input[data-part=d]').click()")
    assert browser.run("return document.querySelectorAll('#figure-accuracy .panel:not([hidden])').length") == 1
    browser.driver.find_element(By.ID, "show-all").click()
    browser.settle()
    assert (
        browser.run("return document.querySelectorAll('#figure-accuracy svg .mark-symbol path').length") == before
    )


def test_a_table_filters_by_words(browser: Browser, log_page: Path) -> None:
    """Words typed are looked for in every cell, and the count is said."""
    browser.open(log_page)
    browser.run("document.querySelectorAll('.numbers').forEach((part) => { part.open = true; })")
    search = browser.driver.find_element(By.CSS_SELECTOR, "#figure-contrasts, .grid input[type=search]")
    search = browser.run("return document.querySelector('#figure-classes .grid input[type=search], .grid input')")
    search.send_keys("y H")
    told = browser.run("return arguments[0].closest('.grid').querySelector('output').textContent", search)
    assert told.split(" of ")[0] == str(
        browser.run(
            "return arguments[0].closest('.grid').querySelectorAll('tbody tr:not([hidden])').length", search
        )
    )
    assert "of" in told


def test_a_table_copies_what_is_shown(browser: Browser, log_page: Path) -> None:
    """CSV, Markdown and LaTeX hold the header and the rows shown; unknown is an empty cell."""
    browser.open(log_page)
    browser.run(CATCH_COPY)
    browser.run("document.querySelector('input[data-part=j]').click()")
    for button in browser.driver.find_elements(By.CSS_SELECTOR, ".grid button[data-copy]")[:3]:
        button.click()
        copied = browser.run("return window.copied")
        lines = copied.strip().splitlines()
        if button.text == "CSV":
            assert lines[0].startswith("dataset,judge,best design,accuracy")
            assert [line.split(",")[:3] for line in lines[1:]] == [["x", "b", "H"], ["y", "b", "H"]]
        elif button.text == "Markdown":
            assert lines[1].startswith("| --- | --- | --- | ---: |")
            assert len(lines) == 4
        else:
            assert lines[1].startswith("\\begin{tabular}{lllrrr")
            assert lines[5].startswith("x & b & H & ")


def test_copied_text_is_inert(browser: Browser, log_page: Path) -> None:
    """Formulas become text and numbers stay numbers; marks of Markdown and LaTeX are escaped."""
    browser.open(log_page)
    rows = [["name", "value"], ["=1+1", "-0.5"], ['@a"b', "+1e-3"], ["a|b<c>", "1"], ["50%_{x}$", "2"]]
    assert browser.run("return copying.csv(arguments[0])", rows).split("\r\n") == [
        "name,value", "'=1+1,-0.5", '"\'@a""b",+1e-3', "a|b<c>,1", "50%_{x}$,2", "",
    ]  # fmt: skip
    markdown = browser.run("return copying.markdown(arguments[0])", rows)
    assert "| --- | ---: |" in markdown
    assert "| a\\|b&lt;c&gt; | 1 |" in markdown
    assert "50\\%\\_\\{x\\}\\$ & 2 \\\\" in browser.run("return copying.latex(arguments[0])", rows)


def test_a_row_opens_to_its_prompt_and_reply(browser: Browser, run_page: Path) -> None:
    """Two clicks lead to the texts; hostile ones are spelled out and did nothing."""
    browser.open(run_page)
    cell = browser.driver.find_element(By.CSS_SELECTOR, "#cases .cell")
    cell.find_element(By.TAG_NAME, "summary").click()
    case = cell.find_element(By.CSS_SELECTOR, ".case")
    case.find_element(By.TAG_NAME, "summary").click()
    blocks = [block.text for block in case.find_elements(By.TAG_NAME, "pre") if block.is_displayed()]
    assert blocks[0].startswith("Question: Question 1?\nReference answer: Reference 1.")
    assert "<script>window.hacked=1</script>" in blocks[1]
    assert "\\x1b[31mred" in blocks[1]
    assert "\\ud800" in blocks[1]
    assert browser.run("return window.hacked") is None


def test_hostile_names_do_nothing_anywhere(browser: Browser, hostile_page: Path) -> None:
    """In headings, controls, charts, tooltips and copies, names are text."""
    browser.open(hostile_page)
    assert browser.errors() == []
    assert browser.requests() == [hostile_page.as_uri()]
    point = browser.driver.find_element(By.CSS_SELECTOR, "#figure-accuracy svg .mark-symbol path")
    browser.run("arguments[0].scrollIntoView({block: 'center'})", point)
    ActionChains(browser.driver).move_to_element(point).perform()
    assert "<script>window.hacked=1</script>" in browser.run("return document.getElementById('tip').textContent")
    browser.run(CATCH_COPY)
    browser.driver.find_element(By.CSS_SELECTOR, "button[data-copy=csv]").click()
    assert "<script>" in browser.run("return window.copied")
    assert browser.run("return window.hacked") is None
    assert browser.run("return document.querySelectorAll('img, iframe, object, embed').length") == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_phone_and_desk(
    browser: Browser, log_page: Path, run_page: Path, hostile_page: Path, width: int
) -> None:
    """Nothing sticks out at the side, whatever the names; wide tables scroll inside."""
    for page in (log_page, run_page, hostile_page):
        browser.open(page, width)
        browser.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        assert browser.run("return document.documentElement.scrollWidth") <= width


def test_dark_and_light_differ_without_drawing_again(browser: Browser, log_page: Path) -> None:
    """Charts take their colours from the style sheet: dark mode and paper change them where they stand."""
    colours = []
    ask = "return getComputedStyle(document.querySelector('#figure-accuracy svg .mark-symbol path')).fill"
    for scheme in ("light", "dark"):
        browser.open(log_page, prefers_color_scheme=scheme)
        colours.append((browser.run(ask), browser.run("return getComputedStyle(document.body).backgroundColor")))
    assert colours[0][0] != colours[1][0]
    assert colours[0][1] == "rgb(255, 255, 255)"
    assert colours[1][1] != colours[0][1]


def test_the_keyboard_reaches_everything_in_order(browser: Browser, log_page: Path) -> None:
    """The first stop skips to the results, then come contents and controls, then the tables."""
    browser.open(log_page)
    order = []
    for _ in range(24):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        focused = browser.driver.switch_to.active_element
        order.append(focused.get_attribute("href") or focused.get_attribute("data-part") or focused.tag_name)
    assert order[0].endswith("#main")
    assert order[1].endswith("#run")
    assert order.index("d") < order.index("j") < order.index("g")
    assert order[-1] in ("button", "input", "div")


def test_it_prints_with_charts_and_without_controls(browser: Browser, log_page: Path) -> None:
    """On paper the controls are gone, tables are whole, and charts are there."""
    browser.open(log_page)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = "return getComputedStyle(document.querySelector(arguments[0])).display"
    assert browser.run(shown, "#controls") == "none"
    assert browser.run(shown, "#figure-accuracy svg") == "block"
    assert browser.run("return getComputedStyle(document.querySelector('.scroll')).maxHeight") == "none"
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
