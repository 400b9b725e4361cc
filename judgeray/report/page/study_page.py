"""The page of a study of its own: the same frame, filled with chapters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from judgeray import __version__
from judgeray.report.chapter import Chapter
from judgeray.report.figures.figure import Names
from judgeray.report.page.build import page_controls, page_document
from judgeray.report.page.chapter_pages import chapter_pages
from judgeray.report.page.charts import Charts, legends
from judgeray.report.page.embed import SCRIPTS, chart_library, content_policy, inert_script, json_block, packaged
from judgeray.report.page.environment import environment
from judgeray.report.page.grids import Places
from judgeray.report.page.provenance_grids import provenance_grids

BEFORE = (("run", "What was run"), ("results", "Results"))
AFTER = (("method", "How it was computed"), ("claims", "Read with care"))
"""Sections of the page; between these stand its chapters."""


def study_page(
    *,
    name: str,
    warning: str,
    facts: Sequence[tuple[str, str]],
    datasets: Sequence[str],
    judges: Sequence[str],
    chapters: Sequence[Chapter],
    methods: Sequence[str],
    claims: Sequence[str],
    provenance: Mapping[str, Any] | None,
) -> str:
    """Write the report as one self-contained HTML file; the same input gives the same bytes.

    Nothing in it is fetched, and its Content-Security-Policy forbids it. Text from data is shown, never obeyed.
    """
    names = Names(tuple(datasets), tuple(judges), (), ())
    parts = {"dataset": names.datasets, "judge": names.judges, "design": (), "condition": ()}
    charts = Charts(Places(parts))
    pages = chapter_pages(chapters, Places(parts), names, charts)
    scripts = [chart_library(), *(inert_script(packaged(script)) for script in SCRIPTS)]
    context = {
        "version": __version__,
        "name": name,
        "simulated": warning,
        "facts": facts,
        "claims": claims,
        "methods": methods,
        "legends": legends(names, ()),
        "controls": page_controls([("d", "Datasets", "checkbox", datasets), ("j", "Judges", "checkbox", judges)]),
        "chapters": pages,
        "contents": [*BEFORE, *((page.anchor, page.chapter.title) for page in pages), *AFTER],
        "provenance": provenance_grids(provenance) if provenance else [],
        "document": page_document(provenance),
        "data": Markup(json_block(charts.data(names))),  # noqa: S704 - JSON without < > &
        "style": Markup(packaged("style.css")),  # noqa: S704 - our own file
        "scripts": [Markup(script) for script in scripts],  # noqa: S704 - our own files and the chart library
        "policy": content_policy(scripts),
    }
    return environment("judgeray.report", "page").get_template("study.html.j2").render(context)
