"""The page answers in a fixed order, fetches nothing, and shows text from data without obeying it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from judgeray.report.caveats import SIMULATED
from judgeray.report.page.embed import chart_library, inert_script, json_block
from tests.report.page_bench import Outline, log_rows, page_of
from tests.run.made_run import HOSTILE, made_run

SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


def test_the_page_answers_in_order(tmp_path: Path) -> None:
    """Sections stand as readers ask: run, winners, differences, unread, cost, rows, more, method, claims."""
    headings = Outline(page_of(tmp_path, log_rows())).headings
    assert headings[0] == ("h1", "trial")
    assert [text for level, text in headings if level == "h2"] == [
        "What was run", "Which design wins", "Where designs differ", "What could not be read", "What it cost",
        "Rows to read", "Further tables", "How it was computed", "Read with care",
    ]  # fmt: skip
    assert [text for level, text in headings if level == "h3"][:4] == [
        "Winners", "Accuracy with 95% intervals", "Contrasts: how much more accurate is one design than another?",
        "What accuracy costs",
    ]  # fmt: skip


def test_no_heading_skips_a_level(tmp_path: Path) -> None:
    """Screen readers walk headings: each is at most one level below the one before."""
    levels = [int(level[1]) for level, _ in Outline(page_of(tmp_path, log_rows())).headings]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_chart_has_words_and_numbers(tmp_path: Path) -> None:
    """Each chart is an image with a text of its own, and each figure holds its table."""
    page = page_of(tmp_path, log_rows())
    alts = [value for tag, name, value in Outline(page).attributes if tag == "div" and name == "aria-label"]
    assert len(alts) == len(json.loads(DATA.findall(page)[0])["charts"]) > 10
    assert all(len(alt) > 40 for alt in alts)
    for figure in re.findall(r"<figure.*?</figure>", page, re.DOTALL):
        assert "<table>" in figure


def test_the_same_log_gives_the_same_bytes(tmp_path: Path) -> None:
    """No clock, no path, no order of rows."""
    assert page_of(tmp_path / "a", log_rows()) == page_of(tmp_path / "b", log_rows()[::-1])


def test_nothing_is_fetched(tmp_path: Path) -> None:
    """No element names another address, and the policy lets only the page's own scripts run."""
    page = page_of(tmp_path, log_rows())
    outline = Outline(page)
    addresses = [
        value for _, name, value in outline.attributes if name in ("src", "href", "action", "srcset", "poster")
    ]
    assert all(address.startswith("#") or address == "data:," for address in addresses)
    assert "url(" not in page.split("</style>")[0]
    policy = next(value for _, name, value in outline.attributes if name == "content" and "default-src" in value)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    digests = {base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in SCRIPT.findall(page)}
    assert set(re.findall(r"'sha256-(.*?)'", policy)) == digests
    assert not re.search(r"\son\w+=", page.split("<script")[0])


def test_a_simulated_run_cannot_be_overlooked(tmp_path: Path) -> None:
    """Title, banner, stamp and claims say it; a real run does not speak of it."""
    simulated, real = page_of(tmp_path / "s", log_rows(simulated=True)), page_of(tmp_path / "r", log_rows())
    assert "<title>SIMULATED: trial" in simulated
    assert simulated.count(SIMULATED.split(":")[1].split(",")[1]) >= 2
    assert 'class="banner"' in simulated
    assert 'class="stamp"' in simulated
    assert "simulated" not in Outline(real).text.lower()


def test_winners_come_with_uncertainty_and_price(tmp_path: Path) -> None:
    """The first table names the best design, its interval, tokens, dollars, and who is not told apart."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page_of(tmp_path, log_rows(16)).split('id="grid-winners"')[1])
    cells = re.findall(r"<td[^>]*>(.*?)</td>", rows[0])
    assert cells[:4] == ["x", "a", "H", "1.0000"]
    assert cells[6:] == ["107.50", "10.0000", "C by 0.500", "none", "H"]


def test_rows_to_read_are_listed_without_texts_for_a_log(tmp_path: Path) -> None:
    """A plain log shows ids, labels and verdicts, and says why there is no prompt."""
    text = Outline(page_of(tmp_path, log_rows())).text
    assert "Prompts and replies are kept in run directories" in text
    assert "x:q1" in text
    assert "4 wrong where another design is right" in text
    assert "Raw reply" not in text


def test_tables_that_it_does_not_know_are_shown(tmp_path: Path) -> None:
    """Any further table has a place, with its columns as they are."""
    mine = pl.DataFrame({"judge": ["a"], "kappa": [0.51234], "p_value": [0.2]})
    page = page_of(tmp_path, log_rows(), of_my_own=mine)
    assert "Further tables" in page
    assert "Of my own" in page
    assert ">0.5123<" in page
    assert "Of my own" not in page_of(tmp_path, log_rows())


def test_a_log_that_knows_nothing_has_a_page(tmp_path: Path) -> None:
    """One unsettled row: no chart, no number, no crash."""
    rows = [row | {"status": "undelivered", "verdict": None, "total_tokens": None, "output_tokens": None,
                   "cost_usd": None, "complexity": None} for row in log_rows(1)][:1]  # fmt: skip
    text = Outline(page_of(tmp_path, rows)).text
    assert "1 of 1 rows have no verdict: 1 undelivered" in text
    assert "No row tells its cost." in text


def test_hostile_names_change_nothing(tmp_path: Path) -> None:
    """Names full of markup and control characters leave the page's elements as they are with tame names."""
    rows, tame = log_rows(), log_rows()
    for row in rows:
        row |= {name: f"{HOSTILE}{row[name]}" for name in ("dataset", "judge", "design", "row_id", "question_id")}
    page = page_of(tmp_path / "h", rows, name=HOSTILE)
    assert Outline(page).tags == Outline(page_of(tmp_path / "t", tame)).tags
    assert not re.search(r"<(script|img)[^>]*hacked", page)
    shown = (
        page.replace("\n", "").replace("\t", "").replace(chart_library().replace("\n", "").replace("\t", ""), "")
    )
    assert all(unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp") for character in shown)
    assert "{{7*7}}" in page


def test_hostile_replies_are_shown_as_text(tmp_path: Path) -> None:
    """A reply with lone surrogates, escapes and markup stands in the page, spelled out and inert."""
    run = made_run(tmp_path, lambda design, row_id: HOSTILE + "\ud800\nsecond line", candidate=HOSTILE, name="evil")
    page = (run / "report.html").read_text("utf-8")
    assert "&lt;script&gt;window.hacked=1&lt;/script&gt;" in page
    assert "\\ud800\nsecond line</pre>" in page
    assert "<img src=x" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_long_texts_are_shortened_and_say_so(tmp_path: Path) -> None:
    """A reply of a megabyte costs the page a few thousand characters."""
    run = made_run(tmp_path, lambda design, row_id: "z" * 1_000_000, questions=2)
    page = (run / "report.html").read_text("utf-8")
    assert "994,000 characters left out" in page
    assert page.count("z" * 3000) <= 2 * 4
    assert len(page) < len(chart_library()) + 700_000


@pytest.mark.parametrize("text", ["</script>", "<!--", "&amp;", "\u2028", "\ud800"])
def test_json_cannot_leave_its_element(text: str) -> None:
    """Data is ASCII without markup, and reads back as it was."""
    block = json_block({"text": text})
    assert not set("<>&\u2028") & set(block)
    assert json.loads(block) == {"text": text}


def test_a_script_that_would_end_its_element_is_refused() -> None:
    """Checked for the chart library as well as for our own scripts."""
    with pytest.raises(ValueError, match="the end of a script element"):
        inert_script("var a = '</SCRIPT>'")
    assert chart_library()
