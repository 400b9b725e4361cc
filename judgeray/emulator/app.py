"""The application: every API's routes over one simulation. A new group of routes is one file and one line."""

from __future__ import annotations

from aiohttp import web

from judgeray.emulator import (
    admin_routes,
    anthropic_batches,
    anthropic_routes,
    gemini_batches,
    gemini_files,
    gemini_routes,
    openai_batches,
    openai_files,
    openai_routes,
)
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.how import How
from judgeray.emulator.simulation import Simulation

MOST_BODY_BYTES = 64 * 1024 * 1024

# An API's text routes come after its others, and the admin's last: among them is the answer to every path that
# nothing else serves.
ROUTES = (
    openai_files.routes,
    openai_batches.routes,
    openai_routes.routes,
    anthropic_batches.routes,
    anthropic_routes.routes,
    gemini_files.routes,
    gemini_batches.routes,
    gemini_routes.routes,
    admin_routes.routes,
)


def create_app(behaviour: Behaviour, how: How | None = None) -> web.Application:
    """Build the application for one behaviour, served as `how` says."""
    simulation = Simulation(behaviour, how)
    app = web.Application(client_max_size=MOST_BODY_BYTES)
    for routes in ROUTES:
        app.add_routes(routes(simulation))

    async def close(_app: web.Application) -> None:
        await simulation.close()

    app.on_cleanup.append(close)
    return app
