"""The whole page: tables, facts and extras in, one HTML text out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from markupsafe import Markup, escape

from judgeray import __version__
from judgeray.report.cases import CASES_PER_CELL
from judgeray.report.caveats import SIMULATED, caveats
from judgeray.report.chapter import Chapter
from judgeray.report.extras import Extras
from judgeray.report.facts import RunFacts
from judgeray.report.figures.figure import Names, colour
from judgeray.report.markdown import run_lines
from judgeray.report.method import METHODS
from judgeray.report.numbers import fixed
from judgeray.report.page.case_views import cell_views
from judgeray.report.page.chapter_pages import chapter_pages
from judgeray.report.page.charts import Charts, figure_views, legends
from judgeray.report.page.claims import further_claims
from judgeray.report.page.embed import SCRIPTS, chart_library, content_policy, inert_script, json_block, packaged
from judgeray.report.page.environment import environment
from judgeray.report.page.grids import Places
from judgeray.report.page.provenance_grids import provenance_grids
from judgeray.report.page.result_grids import further_grids, result_grids
from judgeray.report.text import block

SECTIONS = (
    ("run", "What was run"),
    ("winners", "Which design wins"),
    ("differences", "Where designs differ"),
    ("diagnostics", "Diagnostics"),
    ("unread", "What could not be read"),
    ("cost", "What it cost"),
    ("cases", "Rows to read"),
    ("more", "Further tables"),
    ("method", "How it was computed"),
    ("claims", "Read with care"),
)


HOW = ("providers", "replies", "emulator_url", "budget_usd")
"""Parts of a manifest that say how calls travel: they change no verdict, and so no report."""


def html_report(
    tables: Mapping[str, pl.DataFrame], facts: RunFacts, extras: Extras, chapters: Sequence[Chapter] = ()
) -> str:
    """Write the report as one self-contained HTML file; the same tables, facts and extras give the same bytes.

    Nothing in it is fetched, and its Content-Security-Policy forbids it. Text from data is shown, never
    obeyed: escaped by the template, control characters and direction marks written out.
    """
    names = Names(facts.datasets, facts.judges, facts.designs, facts.conditions)
    places = Places({"dataset": names.datasets, "judge": names.judges, "design": names.designs,
                     "condition": names.conditions})  # fmt: skip
    charts, several = Charts(places), len(facts.conditions) > 1
    more = further_grids(tables, places)
    empty = {anchor for anchor, part in (("more", more), ("diagnostics", chapters)) if not part}
    scripts = [chart_library(), *(inert_script(packaged(name)) for name in SCRIPTS)]
    context = {
        **_told(tables, facts, extras),
        "figures": figure_views(tables, extras, names, charts),
        "grids": result_grids(tables, extras, places, several),
        "more": more,
        "legends": legends(names, _branches(tables)),
        "cells": cell_views(extras, places, several),
        "controls": _controls(facts),
        "chapters": chapter_pages(chapters, places, names, charts),
        "contents": [(anchor, title) for anchor, title in SECTIONS if anchor not in empty],
        "provenance": provenance_grids(extras.provenance) if extras.provenance else [],
        "document": page_document(extras.provenance),
        "data": Markup(json_block(charts.data(names))),  # noqa: S704 - JSON without < > &
        "style": Markup(packaged("style.css")),  # noqa: S704 - our own file
        "scripts": [Markup(script) for script in scripts],  # noqa: S704 - our own files and the chart library
        "policy": content_policy(scripts),
    }
    return environment("judgeray.report", "page").get_template("report.html.j2").render(context)


def _told(tables: Mapping[str, pl.DataFrame], facts: RunFacts, extras: Extras) -> dict[str, Any]:
    """Everything that is said in words."""
    return {
        "version": __version__,
        "name": facts.name,
        "simulated": f"{facts.simulated_rows:,} of {facts.rows:,} rows are {SIMULATED}." if facts.simulated else "",
        "facts": run_lines(facts),
        "claims": [*caveats(facts, tables), *further_claims(tables), *facts.notes],
        "methods": METHODS,
        "contrast_count": tables["contrasts"].drop_nulls("p_sign").height,
        "condition": facts.main_condition,
        "condition_count": len(facts.conditions),
        "complexities": "complexity" in tables and tables["complexity"].height,
        "unread": _unread(facts),
        "cost": _cost(facts),
        "per_cell": max((len(cell.cases) for cell in extras.cells), default=CASES_PER_CELL),
        "run_argument": "RUN",
        "lacking": extras.lacking or "",
    }


def _unread(facts: RunFacts) -> str:
    silent = {name: count for name, count in facts.statuses.items() if name != "ok" and count}
    if not silent:
        return f"All {facts.rows:,} rows have a verdict that was read from the model's own text."
    told = ", ".join(f"{count:,} {name}" for name, count in silent.items())
    return (
        f"{sum(silent.values()):,} of {facts.rows:,} rows have no verdict: {told}. None was given a default label."
    )


def _cost(facts: RunFacts) -> str:
    if facts.cost_usd is None:
        return "No row tells its cost."
    billed = (
        " Nothing was billed for simulated rows; their cost is what the model would have cost." * facts.simulated
    )
    unknown = f" The cost of {facts.cost_unknown_rows:,} rows is not known." * bool(facts.cost_unknown_rows)
    return f"{fixed(facts.cost_usd, 4)} USD in all.{unknown}{billed}"


def _branches(tables: Mapping[str, pl.DataFrame]) -> set[str | None]:
    return set(tables["parsing"]["parse_branch"]) if "parsing" in tables else set()


Control = tuple[str, str, str, Sequence[str]]
"""Letter, title, kind of input, and the names to choose from."""


def _controls(facts: RunFacts) -> list[dict[str, Any]]:
    parts: list[Control] = [
        ("d", "Datasets", "checkbox", facts.datasets),
        ("j", "Judges", "checkbox", facts.judges),
        ("g", "Designs", "checkbox", facts.designs),
        ("c", "Condition", "radio", facts.conditions),
    ]
    return page_controls(parts, facts.main_condition)


def page_controls(parts: Sequence[Control], chosen: str | None = None) -> list[dict[str, Any]]:
    """Lay controls out, those with one name left out; of a radio, `chosen` is on."""
    return [
        {"letter": letter, "title": title, "type": kind, "options": [
            {"name": name, "on": kind == "checkbox" or name == chosen, "colour": colour(n)}
            for n, name in enumerate(names)]}
        for letter, title, kind, names in parts if len(names) > 1
    ]  # fmt: skip


def page_document(provenance: Mapping[str, Any] | None) -> Markup | None:
    """Spell what a run was made of, without what says how calls travelled; None for a plain log."""
    if provenance is None:
        return None
    manifest = provenance.get("manifest", {})
    what = {name: value for name, value in manifest.items() if name not in HOW}
    return escape(block(json.dumps({**provenance, "manifest": what}, indent=1, sort_keys=True, ensure_ascii=True)))
