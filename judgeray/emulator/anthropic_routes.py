"""Anthropic's routes, below `/anthropic`."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from judgeray.emulator.anthropic_api import ANTHROPIC, VERSION_HEADER, unknown_model
from judgeray.emulator.anthropic_forms import MESSAGES
from judgeray.emulator.anthropic_messages import read_count, read_message, write_count
from judgeray.emulator.api import Act, Body, json_body
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.served import served, unknown_route
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.text_route import Read, text_route

PREFIX = "/anthropic"


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """All routes of the API."""
    return [
        web.post(f"{PREFIX}/v1/messages", text_route(MESSAGES, simulation, _reader(simulation, read_message))),
        web.post(f"{PREFIX}/v1/messages/count_tokens", served(ANTHROPIC, simulation, _count(simulation))),
        web.route("*", f"{PREFIX}{{tail:.*}}", unknown_route(ANTHROPIC, simulation)),
    ]


def _count(simulation: Simulation) -> Act:
    read = _reader(simulation, read_count)

    async def act(request: web.Request) -> object:
        return write_count(read(request, await json_body(request)))

    return act


def _reader(simulation: Simulation, read: Callable[[Body, str], Prompt]) -> Read:
    def read_known(request: web.Request, body: Body) -> Prompt:
        prompt = read(body, request.headers[VERSION_HEADER])
        if not simulation.serves(prompt.model):
            raise unknown_model(prompt.model)
        return prompt

    return read_known
