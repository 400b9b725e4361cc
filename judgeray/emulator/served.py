"""Serving a route: it authenticates, meets the faults that are set for it, acts, and is answered."""

from __future__ import annotations

from aiohttp import web

from judgeray.emulator.answer import Answer, FileAnswer
from judgeray.emulator.api import EVERY_HEADER, Act, Api, Handler
from judgeray.emulator.delivery import ConnectionDroppedError, drop, hang, send, send_file, slowed
from judgeray.emulator.fault_names import STATUS_FAULTS, WIRE_FAULTS, FaultName, Place
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.wire import dump_json

_HTML = {"Content-Type": "text/html; charset=utf-8"}
_CLIENT_GONE = 0
# A slow answer is whole all the same.
_WHOLE = (None, "slow")


def served(api: Api, simulation: Simulation, act: Act, place: Place | None = None) -> Handler:
    """Make a route's handler from what it does; `act` returns the body or an Answer, or raises RequestRefusedError.

    With a `place`, requests to the route can meet the faults that are set for it.
    """

    async def handle(request: web.Request) -> web.StreamResponse:
        status, answer, whole = _CLIENT_GONE, None, False
        request_id = simulation.next_id()
        simulation.audit.arrived()
        try:
            answer = await _answered(api, simulation, act, request, place)
            response = await _sent(api, simulation, request, answer, request_id)
        except ConnectionError:
            return drop(request)
        else:
            status, whole = response.status, answer.fault in _WHOLE
            return response
        finally:
            simulation.audit.left(status)
            if answer is not None and answer.settled is not None:
                answer.settled(whole)

    return handle


async def _answered(
    api: Api, simulation: Simulation, act: Act, request: web.Request, place: Place | None
) -> Answer:
    try:
        api.authenticate(request.headers)
        fault = simulation.faults.of_request(api.name, place) if place else None
        if fault is not None:
            await meet(fault, api, simulation, request)
        given = await act(request)
    except RequestRefusedError as refusal:
        return Answer(refusal=refusal)
    answer = given if isinstance(given, Answer) else Answer(given)
    if fault in WIRE_FAULTS:
        answer.fault = fault
    return answer


async def meet(
    fault: FaultName, api: Api, simulation: Simulation, request: web.Request, model: str = "simulated"
) -> None:
    """Let a request meet a fault before anything is executed; returns where the fault comes later."""
    settings = simulation.faults.settings
    if fault in STATUS_FAULTS:
        raise api.fault(fault, model, settings.retry_after_seconds)
    if fault == "hang":
        await hang(request, settings.hang_seconds)
    if fault == "disconnect":
        raise ConnectionDroppedError


async def _sent(
    api: Api, simulation: Simulation, request: web.Request, answer: Answer, request_id: str
) -> web.StreamResponse:
    headers = {**EVERY_HEADER, **api.headers(request_id), **answer.headers}
    if answer.fault == "slow":
        await slowed(request, simulation.faults.settings.slow_seconds)
    if isinstance(answer, FileAnswer):
        return await send_file(request, answer, headers)
    refusal = answer.refusal
    if refusal is None:
        return await send(request, 200, headers, dump_json(answer.body), answer.fault)
    headers.update(refusal.headers)
    body = dump_json(api.error_body(refusal, request_id))
    if refusal.page is not None:
        headers, body = {**headers, **_HTML}, refusal.page.encode()
    return await send(request, refusal.status, headers, body, answer.fault)


def unknown_route(api: Api, simulation: Simulation) -> Handler:
    """The handler of every path that an API does not have."""

    async def refuse(request: web.Request) -> object:
        raise RequestRefusedError(404, f"Invalid URL ({request.method} {request.path})")

    return served(api, simulation, refuse)
