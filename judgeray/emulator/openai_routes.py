"""OpenAI's routes, below `/openai/v1`."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from judgeray.emulator.api import Act, Body
from judgeray.emulator.openai_api import OPENAI, unknown_model
from judgeray.emulator.openai_chat import read_chat
from judgeray.emulator.openai_forms import CHATS, RESPONSES
from judgeray.emulator.openai_responses import read_response
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.served import served, unknown_route
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.text_route import Read, text_route

PREFIX = "/openai/v1"


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """All routes of the API."""
    return [
        web.post(f"{PREFIX}/responses", text_route(RESPONSES, simulation, _reader(simulation, read_response))),
        web.post(f"{PREFIX}/chat/completions", text_route(CHATS, simulation, _reader(simulation, read_chat))),
        web.get(f"{PREFIX}/models", served(OPENAI, simulation, _list_models(simulation))),
        web.get(f"{PREFIX}/models/{{model:.+}}", served(OPENAI, simulation, _get_model(simulation))),
        web.route("*", "/openai{tail:.*}", unknown_route(OPENAI, simulation)),
    ]


def _reader(simulation: Simulation, read: Callable[[Body], Prompt]) -> Read:
    def read_known(_request: web.Request, body: Body) -> Prompt:
        prompt = read(body)
        if not simulation.serves(prompt.model):
            raise unknown_model(prompt.model)
        return prompt

    return read_known


def _list_models(simulation: Simulation) -> Act:
    async def act(_request: web.Request) -> object:
        return {"object": "list", "data": [_model(name) for name in simulation.behaviour.model_names()]}

    return act


def _get_model(simulation: Simulation) -> Act:
    async def act(request: web.Request) -> object:
        name = request.match_info["model"]
        if not simulation.serves(name):
            raise unknown_model(name)
        return _model(name)

    return act


def _model(name: str) -> object:
    return {"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "judgeray-simulated"}
