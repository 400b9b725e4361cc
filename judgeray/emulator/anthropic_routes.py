"""Anthropic's routes, below `/anthropic`."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from judgeray.emulator.anthropic_api import ANTHROPIC, VERSION_HEADER
from judgeray.emulator.anthropic_messages import (
    read_count,
    read_message,
    unknown_model,
    write_count,
    write_message,
)
from judgeray.emulator.api import Act, Body, json_body, served, unknown_route
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.simulation import Simulation

PREFIX = "/anthropic"


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """All routes of the API."""
    return [
        web.post(f"{PREFIX}/v1/messages", served(ANTHROPIC, simulation, _messages(simulation))),
        web.post(f"{PREFIX}/v1/messages/count_tokens", served(ANTHROPIC, simulation, _count(simulation))),
        web.route("*", f"{PREFIX}{{tail:.*}}", unknown_route(ANTHROPIC, simulation)),
    ]


def _messages(simulation: Simulation) -> Act:
    async def act(request: web.Request) -> object:
        prompt = await _prompt(request, read_message, simulation)
        return write_message(await simulation.answer(prompt))

    return act


def _count(simulation: Simulation) -> Act:
    async def act(request: web.Request) -> object:
        return write_count(await _prompt(request, read_count, simulation))

    return act


async def _prompt(request: web.Request, read: Callable[[Body, str], Prompt], simulation: Simulation) -> Prompt:
    prompt = read(await json_body(request), request.headers[VERSION_HEADER])
    if not simulation.serves(prompt.model):
        raise unknown_model(prompt.model)
    return prompt
