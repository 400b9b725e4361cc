"""The viewer's pages: a table that pages through verdicts, and one row with its texts. No script runs in them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from markupsafe import Markup

from judgeray.core.errors import BadInputError
from judgeray.report.caveats import SIMULATED
from judgeray.report.page.case_views import shortened
from judgeray.report.page.embed import packaged
from judgeray.report.page.environment import environment
from judgeray.run.show import key_of, show_row
from judgeray.run.verdict_log import scan_verdicts
from judgeray.viewer.query import CHOICES, OUTCOMES, SORTS, answer, has_simulated, read_query, values

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
COLUMNS = (
    "row_id", "label", "verdict", "status", "design", "judge", "condition", "replicate", "parse_branch", "score",
    "confidence", "output_tokens", "total_tokens", "cost_usd", "latency_seconds", "attempts", "simulated", "error",
)  # fmt: skip
NAMES = ("127.0.0.1", "localhost")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def create_app(run: Path) -> web.Application:
    """Build the viewer of one run directory. Raises BadInputError where it has no verdicts."""
    viewer = Viewer(run)
    app = web.Application(middlewares=[guard])
    app.add_routes([web.get("/", viewer.table), web.get("/row", viewer.row)])
    return app


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer only requests made to this machine by its own name, so that no web page can read through here."""
    if request.url.host not in NAMES:
        return web.Response(status=403, text="judgeray view answers 127.0.0.1 only\n", headers=HEADERS)
    try:
        return await handler(request)
    except BadInputError as error:
        page = _rendered("sorry.html.j2", message=str(error), title="Not found", simulated="")
        return web.Response(status=404, text=page, content_type="text/html", headers=HEADERS)


class Viewer:
    """Answers for one run; reading happens in threads, so that one slow page holds up no other."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self._verdicts = scan_verdicts(run)
        self._values = values(self._verdicts)
        self._told = f"Some rows of this run are {SIMULATED}." if has_simulated(self._verdicts) else ""

    async def table(self, request: web.Request) -> web.Response:
        """Show one page of verdict rows."""
        query = read_query(request.query)
        page = await asyncio.to_thread(answer, self._verdicts, query)
        rows = [(_row_address(row), [row[name] for name in COLUMNS]) for row in page.rows]
        context: dict[str, Any] = {
            "query": query, "page": page, "rows": rows, "columns": COLUMNS, "choices": CHOICES,
            "values": self._values, "outcomes": OUTCOMES, "sorts": SORTS, "run": self._run.name,
        }  # fmt: skip
        return _page("table.html.j2", title=self._run.name, simulated=self._told, **context)

    async def row(self, request: web.Request) -> web.Response:
        """Show one row under all arms."""
        row_id = request.query.get("row_id", "")
        found = await asyncio.to_thread(show_row, self._run, row_id)
        arms = [(verdict, found.evidence.get(key_of(verdict))) for verdict in found.verdicts]
        context = {"arms": arms, "lacking": found.lacking or "", "shortened": shortened}
        return _page("row.html.j2", title=row_id, simulated=self._told, **context)


def _row_address(row: dict[str, Any]) -> str:
    return "/row?" + urlencode({"row_id": row["row_id"]}, errors="backslashreplace")


def _page(template: str, **context: Any) -> web.Response:  # noqa: ANN401 - whatever the template takes
    return web.Response(text=_rendered(template, **context), content_type="text/html", headers=HEADERS)


def _rendered(template: str, **context: Any) -> str:  # noqa: ANN401 - whatever the template takes
    style = Markup(packaged("style.css"))  # noqa: S704 - our own file
    return environment("judgeray.viewer", "pages").get_template(template).render(style=style, **context)
