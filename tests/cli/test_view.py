"""`judgeray view`: pages of verdicts, read as they are asked for, to this machine only."""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from judgeray.cli.main import main
from judgeray.core.errors import BadInputError
from judgeray.run.verdict_log import scan_verdicts
from judgeray.viewer.app import create_app
from judgeray.viewer.query import PAGE_ROWS, answer, read_query
from tests.run.made_run import HOSTILE, label_of, made_run

Get = Callable[[str], tuple[int, str]]


def say(design: str, row_id: str) -> str:
    """C is wrong on odd rows."""
    number = int(row_id.removeprefix("row-"))
    return json.dumps({"verdict": label_of(number + (design == "C" and number % 2))}) + HOSTILE


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 60 rows under two designs."""
    return made_run(tmp_path_factory.mktemp("run"), say, candidate=HOSTILE, questions=60)


@pytest.fixture
def get(run: Path) -> Get:
    """Ask the viewer for a path; gives status and text."""

    async def asked(path: str, host: str | None) -> tuple[int, str]:
        async with TestClient(TestServer(create_app(run))) as client:
            response = await client.get(path, headers={"Host": host} if host else {})
            assert response.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src")
            return response.status, await response.text()

    def ask(path: str, host: str | None = None) -> tuple[int, str]:
        return asyncio.run(asked(path, host))

    return ask


def shown_rows(page: str) -> list[str]:
    """Row ids of a page."""
    return re.findall(r'<a href="/row\?row_id=([^"]*)"', page)


def test_pages_follow_one_another_and_lose_nothing(get: Get) -> None:
    """Every row stands on exactly one page."""
    seen, address = [], "/"
    while True:
        status, page = get(address)
        assert status == 200
        seen += shown_rows(page)
        following = re.search(r'rel="next" href="([^"]*)"', page)
        if not following:
            break
        address = unescape(following[1])
    assert sorted(seen) == sorted(f"row-{n}" for n in range(60) for _ in "CH")


def test_rows_are_chosen_by_value_outcome_and_text(get: Get) -> None:
    """Choices add up; a page that there is none of is empty and says so."""
    assert len(shown_rows(get("/?design=C&outcome=wrong")[1])) == 30
    assert shown_rows(get("/?design=C&outcome=wrong&text=row-1")[1]) == [f"row-{n}" for n in (1, *range(11, 20, 2))]
    assert "No row is like that." in get("/?page=99")[1]
    assert "No row is like that." in get("/?outcome=without+a+verdict")[1]


def test_rows_sort_without_those_that_know_nothing_first(run: Path) -> None:
    """Falling order keeps nulls last."""
    rows = answer(scan_verdicts(run), read_query({"sort": "cost_usd", "order": "descending"})).rows
    costs = [row["cost_usd"] for row in rows]
    assert len(rows) == PAGE_ROWS
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize(
    "asked", [{"outcome": "x"}, {"sort": "label"}, {"page": "0"}, {"page": "٣"}, {"page": "x"}]
)
def test_a_wrong_address_is_told(asked: dict[str, str]) -> None:
    """What there is none of is named with what there is."""
    with pytest.raises(BadInputError, match="allowed"):
        read_query(asked)


def test_a_row_shows_its_texts_inert(get: Get) -> None:
    """Prompt and reply of both designs, nothing of them obeyed."""
    status, page = get("/row?row_id=row-1")
    assert status == 200
    assert page.count("Raw reply") == 2
    assert "&lt;script&gt;window.hacked=1" in page
    assert "<script" not in page
    kept = page.replace("\n", "").replace("\t", "")
    assert all(unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp") for character in kept)


def test_a_row_that_is_not_there_is_told(get: Get) -> None:
    """404, with the rows that may be meant, escaped."""
    status, page = get("/row?row_id=q1")
    assert status == 404
    assert "Did you mean: row-1?" in page
    assert get("/?page=none")[0] == 404


def test_another_name_for_this_machine_is_refused(get: Callable[[str, str], tuple[int, str]]) -> None:
    """A page of the web that points its own name here reads nothing."""
    assert get("/", "evil.example")[0] == 403
    assert get("/", "localhost:1234")[0] == 200


def test_a_folder_without_verdicts_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2 before anything is served."""
    assert main(["view", str(tmp_path)]) == 2
    assert "is this a run directory?" in capsys.readouterr().err
