"""What the three APIs have in common: a route authenticates, acts, and answers with JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from judgeray.core.canonical import JSONValue
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.wire import dump_json, load_json

Headers = Mapping[str, str]
Body = dict[str, JSONValue]
Act = Callable[[web.Request], Awaitable[object]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

SIMULATED_HEADER = {"x-judgeray-simulated": "1"}
REFUSED_KEY_PREFIX = "invalid"
"""Any API key is taken but those that begin so."""

_EVERY_HEADER = {"Content-Type": "application/json", **SIMULATED_HEADER}
_CLIENT_GONE = 0


@dataclass(frozen=True)
class Api:
    """One API's manners.

    `authenticate` raises RequestRefusedError on missing or refused keys. `error_body` dresses a refusal,
    given the request's id; `headers` are those of every response, given the same.
    """

    name: str
    authenticate: Callable[[Headers], None]
    error_body: Callable[[RequestRefusedError, str], object]
    headers: Callable[[str], Headers]


def served(api: Api, simulation: Simulation, act: Act) -> Handler:
    """Make a route's handler from what it does; `act` returns the body or raises RequestRefusedError."""

    async def handle(request: web.Request) -> web.Response:
        status = _CLIENT_GONE
        request_id = simulation.next_id()
        simulation.audit.arrived()
        try:
            response = await _respond(api, act, request, request_id)
            status = response.status
            return response
        finally:
            simulation.audit.left(status)

    return handle


async def _respond(api: Api, act: Act, request: web.Request, request_id: str) -> web.Response:
    try:
        api.authenticate(request.headers)
        return json_response(200, await act(request), api.headers(request_id))
    except RequestRefusedError as refusal:
        headers = {**api.headers(request_id), **refusal.headers}
        return json_response(refusal.status, api.error_body(refusal, request_id), headers)


def json_response(status: int, body: object, headers: Headers) -> web.Response:
    """Answer with JSON, marked as simulated."""
    return web.Response(
        status=status,
        body=dump_json(body),
        headers={**_EVERY_HEADER, **headers},
    )


async def json_body(request: web.Request) -> Body:
    """The request's JSON object; anything else is refused with 400 (413 where it is too large)."""
    try:
        body = load_json(await request.read())
    except web.HTTPRequestEntityTooLarge as error:
        raise RequestRefusedError(413, "The request body is too large.") from error
    except ValueError as error:
        raise RequestRefusedError(400, "The request body is not valid JSON.") from error
    if not isinstance(body, dict):
        raise RequestRefusedError(400, "The request body is not a JSON object.")
    return body


def unknown_route(api: Api, simulation: Simulation) -> Handler:
    """The handler of every path that an API does not have."""

    async def refuse(request: web.Request) -> object:
        raise RequestRefusedError(404, f"Invalid URL ({request.method} {request.path})")

    return served(api, simulation, refuse)


def bearer_key(headers: Headers) -> str:
    """The key of an `Authorization: Bearer` header, empty where there is none."""
    scheme, _, key = headers.get("Authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""
