"""Routes of the emulator itself, without keys: what was counted, forgetting it, and how it serves."""

from __future__ import annotations

from aiohttp import web
from pydantic import ValidationError

from judgeray.emulator.api import SIMULATED_HEADER, json_response
from judgeray.emulator.batch_audit import batch_audit
from judgeray.emulator.how import How
from judgeray.emulator.settings import first_mistake
from judgeray.emulator.simulation import Simulation

PREFIX = "/_judgeray"


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """`GET` of `counts`, `prompts`, `batches`, `behaviour` and `how`, `POST` of `reset` and `how`; else 404.

    All below `/_judgeray`.
    """
    admin = _Admin(simulation)
    return [
        web.get(f"{PREFIX}/counts", admin.counts),
        web.get(f"{PREFIX}/prompts", admin.prompts),
        web.get(f"{PREFIX}/batches", admin.batches),
        web.get(f"{PREFIX}/behaviour", admin.behaviour),
        web.get(f"{PREFIX}/how", admin.how),
        web.post(f"{PREFIX}/how", admin.adopt),
        web.post(f"{PREFIX}/reset", admin.reset),
        web.route("*", "/{tail:.*}", admin.unknown),
    ]


class _Admin:
    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    async def counts(self, _request: web.Request) -> web.Response:
        return json_response(200, self._simulation.audit.counts(), {})

    async def prompts(self, _request: web.Request) -> web.Response:
        return json_response(200, self._simulation.audit.prompts(), {})

    async def batches(self, _request: web.Request) -> web.Response:
        found = [batch for book in self._simulation.batches.values() for batch in book.all()]
        found.sort(key=lambda batch: batch.created)
        return json_response(200, [batch_audit(batch) for batch in found], {})

    async def reset(self, _request: web.Request) -> web.Response:
        """Forget all counts; batches and files stay."""
        self._simulation.audit.reset()
        return json_response(200, self._simulation.audit.counts(), {})

    async def behaviour(self, _request: web.Request) -> web.Response:
        return json_response(200, {"digest": self._simulation.behaviour.digest()}, {})

    async def how(self, _request: web.Request) -> web.Response:
        return json_response(200, self._simulation.how.model_dump(mode="json"), {})

    async def adopt(self, request: web.Request) -> web.Response:
        try:
            how = How.model_validate_json(await request.read())
        except ValidationError as error:
            return json_response(400, {"error": first_mistake(error, "how")}, {})
        self._simulation.adopt(how)
        return json_response(200, how.model_dump(mode="json"), {})

    async def unknown(self, _request: web.Request) -> web.Response:
        return web.Response(status=404, text="No such path.", headers=SIMULATED_HEADER)
