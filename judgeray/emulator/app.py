"""The application: every API's routes over one simulation. A new group of routes is one file and one line."""

from __future__ import annotations

from aiohttp import web

from judgeray.emulator import admin_routes, anthropic_routes, gemini_routes, openai_routes
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.simulation import Simulation

MOST_BODY_BYTES = 64 * 1024 * 1024

# The admin's come last: among them is the answer to every path that nothing else serves.
ROUTES = (openai_routes.routes, anthropic_routes.routes, gemini_routes.routes, admin_routes.routes)


def create_app(behaviour: Behaviour) -> web.Application:
    """Build the application for one behaviour."""
    simulation = Simulation(behaviour)
    app = web.Application(client_max_size=MOST_BODY_BYTES)
    for routes in ROUTES:
        app.add_routes(routes(simulation))
    return app
