"""The report as Markdown: the same tables and facts give the same text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from judgeray.report.accuracy_views import accuracy_views, class_views, status_view
from judgeray.report.caveats import SIMULATED, caveats
from judgeray.report.chapter import Chapter
from judgeray.report.contrast_views import complexity_views, contrast_views
from judgeray.report.cost_views import parsing_view, token_views
from judgeray.report.facts import RunFacts
from judgeray.report.further_sections import further_sections
from judgeray.report.method import METHODS
from judgeray.report.numbers import UNKNOWN, fixed
from judgeray.report.text import markdown
from judgeray.report.view import View


def markdown_report(tables: Mapping[str, pl.DataFrame], facts: RunFacts, chapters: Sequence[Chapter] = ()) -> str:
    """Write the whole report; text from data is escaped for Markdown and HTML."""
    blocks = [
        *([f"**{SIMULATED}**"] if facts.simulated else []),
        f"# {markdown(facts.name)}",
        "## What was run",
        items(f"{name}: {value}" for name, value in run_lines(facts)),
        *_section("Accuracy and mean total tokens", accuracy_views(tables["accuracy"])),
        *_section("Accuracy by label", class_views(tables["class_accuracy"])),
        *_section("Contrasts", contrast_views(tables["contrasts"])),
        *_section("Tokens a call: median and quartiles", token_views(tables["tokens"])),
        *_section("Accuracy difference by complexity", complexity_views(tables["complexity"])),
        *(block for chapter in chapters for block in chapter_blocks(chapter)),
        *_section("Parsing and statuses", [parsing_view(tables["parsing"]), status_view(tables["accuracy"])]),
        *_further(tables),
        "## How these numbers were made",
        items(METHODS),
        "## Read with care",
        items([*caveats(facts, tables), *facts.notes]),
    ]
    return "\n\n".join(blocks) + "\n"


def run_lines(facts: RunFacts) -> list[tuple[str, str]]:
    """List what was run as names and values of plain text."""
    statuses = ", ".join(f"{count} {status}" for status, count in facts.statuses.items() if count)
    skips = Counter((skip.dataset, skip.reason) for skip in facts.skips)
    return [
        ("Rows", f"{facts.rows} ({statuses}) on {facts.questions} source questions"),
        ("Datasets", ", ".join(facts.datasets)),
        ("Designs", ", ".join(facts.designs)),
        ("Judges", ", ".join(facts.judges)),
        ("Conditions", ", ".join(facts.conditions)),
        ("Replicates", str(facts.replicates)),
        ("Cost", _cost(facts)),
        *(("Skipped", f"{count} in {dataset}: {reason}") for (dataset, reason), count in sorted(skips.items())),
    ]


def _cost(facts: RunFacts) -> str:
    if facts.cost_usd is None:
        return f"{UNKNOWN} (no row tells its cost)"
    unknown = f", not known for {facts.cost_unknown_rows} rows" if facts.cost_unknown_rows else ""
    return f"{fixed(facts.cost_usd, 4)} USD{unknown}"


def _further(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    """Write a short section for each table beyond study 1 that has something to show."""
    sections = ((section.meaning, _section(section.title, views)) for section, views in further_sections(tables))
    return [block for meaning, blocks in sections for block in (blocks[0], markdown(meaning), *blocks[1:])]


def chapter_blocks(chapter: Chapter) -> list[str]:
    """Write what a diagnostic adds: its meaning first, its cautions last."""
    title, *views = _section(chapter.title, list(chapter.views))
    return [title, markdown(f"{chapter.meaning} Source: {chapter.source}."), *views, items(chapter.cautions)]


def _section(title: str, views: list[View]) -> list[str]:
    filled = [view for view in views if view.rows]
    body = [text for view in filled for text in (f"### {markdown(view.title)}", _grid(view))]
    return [f"## {title}", *(body or ["Nothing to show."])]


def _grid(view: View) -> str:
    rows = [
        [f"**{markdown(cell)}**" if (r, c) in view.strong else markdown(cell) for c, cell in enumerate(row)]
        for r, row in enumerate(view.rows)
    ]
    lines = [[markdown(name) for name in view.header], ["---"] * len(view.header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def items(texts: Iterable[str]) -> str:
    """Write texts as a list, escaped."""
    return "\n".join(f"- {markdown(text)}" for text in texts)
