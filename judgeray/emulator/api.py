"""What the three APIs have in common: keys, headers, error bodies, and JSON both ways."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from judgeray.core.canonical import JSONValue
from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.wire import dump_json, load_json

Headers = Mapping[str, str]
Body = dict[str, JSONValue]
Act = Callable[[web.Request], Awaitable[object]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

SIMULATED_HEADER = {"x-judgeray-simulated": "1"}
REFUSED_KEY_PREFIX = "invalid"
"""Any API key is taken but those that begin so."""

EVERY_HEADER = {"Content-Type": "application/json", **SIMULATED_HEADER}


@dataclass(frozen=True)
class Api:
    """One API's manners.

    `key` reads the API key from headers; `authenticate` raises RequestRefusedError on missing or refused ones.
    `error_body` dresses a refusal, given the request's id; `headers` are those of every response, given the same.
    `fault` is the refusal of a status fault, given the model asked for and a time to wait in seconds.
    """

    name: str
    key: Callable[[Headers], str]
    authenticate: Callable[[Headers], None]
    error_body: Callable[[RequestRefusedError, str], object]
    headers: Callable[[str], Headers]
    fault: Callable[[FaultName, str, float], RequestRefusedError]


def json_response(status: int, body: object, headers: Headers) -> web.Response:
    """Answer with JSON, marked as simulated."""
    return web.Response(status=status, body=dump_json(body), headers={**EVERY_HEADER, **headers})


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


def bearer_key(headers: Headers) -> str:
    """The key of an `Authorization: Bearer` header, empty where there is none."""
    scheme, _, key = headers.get("Authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""
