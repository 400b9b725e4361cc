"""OpenAI's routes, below `/openai/v1`."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from judgeray.emulator.api import Act, Body, Handler, json_body, served, unknown_route
from judgeray.emulator.openai_api import OPENAI, unknown_model
from judgeray.emulator.openai_chat import read_chat, write_chat
from judgeray.emulator.openai_responses import read_response, write_response
from judgeray.emulator.prompt import Completion, Prompt
from judgeray.emulator.simulation import Simulation

PREFIX = "/openai/v1"

Read = Callable[[Body], Prompt]
Write = Callable[[Completion, Body], object]


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """All routes of the API."""
    return [
        web.post(f"{PREFIX}/responses", _text_route(simulation, read_response, write_response)),
        web.post(f"{PREFIX}/chat/completions", _text_route(simulation, read_chat, write_chat)),
        web.get(f"{PREFIX}/models", served(OPENAI, simulation, _list_models(simulation))),
        web.get(f"{PREFIX}/models/{{model:.+}}", served(OPENAI, simulation, _get_model(simulation))),
        web.route("*", "/openai{tail:.*}", unknown_route(OPENAI, simulation)),
    ]


def _text_route(simulation: Simulation, read: Read, write: Write) -> Handler:
    async def act(request: web.Request) -> object:
        body = await json_body(request)
        prompt = read(body)
        if not simulation.serves(prompt.model):
            raise unknown_model(prompt.model)
        return write(await simulation.answer(prompt), body)

    return served(OPENAI, simulation, act)


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
