"""Gemini's routes, below `/gemini/{version}`."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from judgeray.emulator.api import Act, Body, json_body, served, unknown_route
from judgeray.emulator.gemini_api import GEMINI, VERSIONS
from judgeray.emulator.gemini_content import (
    read_content,
    read_count,
    unknown_model,
    write_content,
    write_count,
)
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.simulation import Simulation

PREFIX = f"/gemini/{{version:{VERSIONS}}}"


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """All routes of the API."""
    model = f"{PREFIX}/models/{{model:[^:]+}}"
    return [
        web.post(f"{model}:generateContent", served(GEMINI, simulation, _generate(simulation))),
        web.post(f"{model}:countTokens", served(GEMINI, simulation, _count(simulation))),
        web.get(model, served(GEMINI, simulation, _get_model(simulation))),
        web.route("*", "/gemini{tail:.*}", unknown_route(GEMINI, simulation)),
    ]


def _generate(simulation: Simulation) -> Act:
    async def act(request: web.Request) -> object:
        prompt = await _prompt(request, read_content, simulation)
        return write_content(await simulation.answer(prompt))

    return act


def _count(simulation: Simulation) -> Act:
    async def act(request: web.Request) -> object:
        return write_count(await _prompt(request, read_count, simulation))

    return act


def _get_model(simulation: Simulation) -> Act:
    async def act(request: web.Request) -> object:
        name = _model_name(request, simulation)
        return {
            "name": f"models/{name}",
            "version": "simulated",
            "displayName": f"simulated/{name}",
            "inputTokenLimit": 1_048_576,
            "outputTokenLimit": 65_536,
            "supportedGenerationMethods": ["generateContent", "countTokens"],
        }

    return act


async def _prompt(request: web.Request, read: Callable[[Body, str], Prompt], simulation: Simulation) -> Prompt:
    return read(await json_body(request), _model_name(request, simulation))


def _model_name(request: web.Request, simulation: Simulation) -> str:
    name = request.match_info["model"]
    if not simulation.serves(name):
        raise unknown_model(name, request.match_info["version"])
    return name
