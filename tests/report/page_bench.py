"""Pages to test: logs of any shape through the real analysis into HTML, and a reader of HTML."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.analysis import analyze, read_log
from judgeray.report.extras import extras_of
from judgeray.report.facts import facts_of
from judgeray.report.page.build import html_report


def log_rows(questions: int = 8, **more: Any) -> list[dict[str, Any]]:
    """Rows of two datasets, two judges and designs C, H; C is wrong on odd questions, judge b never reads q0."""
    cells = product(("x", "y"), ("a", "b"), ("C", "H"), range(questions))
    return [_row(dataset, judge, design, q) | more for dataset, judge, design, q in cells]


def _row(dataset: str, judge: str, design: str, q: int) -> dict[str, Any]:
    unread = (judge, q) == ("b", 0)
    wrong = design == "C" and q % 2
    return {
        "dataset": dataset, "question_id": f"q{q}", "row_id": f"{dataset}:q{q}", "label": "supported",
        "design": design, "judge": judge, "condition": "full", "replicate": 0,
        "verdict": None if unread else "unsupported" if wrong else "supported",
        "status": "unparsed" if unread else "ok", "parse_branch": "whole", "complexity": 2 + q % 3,
        "input_tokens": 90, "output_tokens": 10 + q, "total_tokens": 100 + q, "cost_usd": 0.01, "simulated": False,
    }  # fmt: skip


def page_of(folder: Path, rows: list[dict[str, Any]], name: str = "trial", **tables: pl.DataFrame) -> str:
    """Analyse rows and write the page; `tables` are added to those of the analysis."""
    folder.mkdir(parents=True, exist_ok=True)
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(folder / "log.parquet")
    log = read_log(folder / "log.parquet")
    return html_report({**analyze(log), **tables}, facts_of(log, name), extras_of(log))


class Outline(HTMLParser):
    """Reads a page as a browser would: its elements, headings, attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.headings: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self._open: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element."""
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self._open = tag

    def handle_data(self, data: str) -> None:
        """Note text, and headings apart."""
        if self._open in ("h1", "h2", "h3", "h4") and data.strip():
            self.headings.append((self._open, data.strip()))
        if self._open not in ("script", "style"):
            self.texts.append(data)
        self._open = None if self._open in ("h1", "h2", "h3", "h4") else self._open

    @property
    def text(self) -> str:
        """All text that is shown."""
        return "".join(self.texts)
