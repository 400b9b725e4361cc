"""Gemini's routes, below `/gemini/{version}`."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from judgeray.emulator.api import Act, Body, json_body
from judgeray.emulator.gemini_api import GEMINI, VERSIONS
from judgeray.emulator.gemini_content import read_content, read_count, unknown_model, write_count
from judgeray.emulator.gemini_forms import CONTENT
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.served import served, unknown_route
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.text_route import Read, text_route

PREFIX = f"/gemini/{{version:{VERSIONS}}}"


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """All routes of the API."""
    model = f"{PREFIX}/models/{{model:[^:]+}}"
    return [
        web.post(f"{model}:generateContent", text_route(CONTENT, simulation, _reader(simulation, read_content))),
        web.post(f"{model}:countTokens", served(GEMINI, simulation, _count(simulation))),
        web.get(model, served(GEMINI, simulation, _get_model(simulation))),
        web.route("*", "/gemini{tail:.*}", unknown_route(GEMINI, simulation)),
    ]


def _count(simulation: Simulation) -> Act:
    read = _reader(simulation, read_count)

    async def act(request: web.Request) -> object:
        return write_count(read(request, await json_body(request)))

    return act


def _get_model(simulation: Simulation) -> Act:
    async def act(request: web.Request) -> object:
        name = model_name(request, simulation)
        return {
            "name": f"models/{name}",
            "version": "simulated",
            "displayName": f"simulated/{name}",
            "inputTokenLimit": 1_048_576,
            "outputTokenLimit": 65_536,
            "supportedGenerationMethods": ["generateContent", "countTokens", "batchGenerateContent"],
        }

    return act


def _reader(simulation: Simulation, read: Callable[[Body, str], Prompt]) -> Read:
    def read_known(request: web.Request, body: Body) -> Prompt:
        return read(body, model_name(request, simulation))

    return read_known


def model_name(request: web.Request, simulation: Simulation) -> str:
    """The model that a path names; refused where it does not exist here."""
    name = request.match_info["model"]
    if not simulation.serves(name):
        raise unknown_model(name, request.match_info["version"])
    return name
