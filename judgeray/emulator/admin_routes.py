"""Routes of the emulator itself, without keys: what was counted, and forgetting it."""

from __future__ import annotations

from aiohttp import web

from judgeray.emulator.api import SIMULATED_HEADER, json_response
from judgeray.emulator.simulation import Simulation

PREFIX = "/_judgeray"


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """`GET /_judgeray/counts` and `behaviour`, `POST /_judgeray/reset`, and a 404 for every other path."""

    async def counts(_request: web.Request) -> web.Response:
        return json_response(200, simulation.audit.counts(), {})

    async def reset(_request: web.Request) -> web.Response:
        simulation.audit.reset()
        return json_response(200, simulation.audit.counts(), {})

    async def behaviour(_request: web.Request) -> web.Response:
        return json_response(200, {"digest": simulation.behaviour.digest()}, {})

    async def unknown(_request: web.Request) -> web.Response:
        return web.Response(status=404, text="No such path.", headers=SIMULATED_HEADER)

    return [
        web.get(f"{PREFIX}/counts", counts),
        web.get(f"{PREFIX}/behaviour", behaviour),
        web.post(f"{PREFIX}/reset", reset),
        web.route("*", "/{tail:.*}", unknown),
    ]
