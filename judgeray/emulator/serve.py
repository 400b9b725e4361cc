"""Serving: bind to loopback, say where, and end when told to."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import threading
from importlib import import_module
from importlib.util import find_spec

from aiohttp import web

from judgeray.core.errors import bad_value
from judgeray.emulator.app import create_app
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.how import How

HOST = "127.0.0.1"
_SHUTDOWN_SECONDS = 1.0
_WAITING_CONNECTIONS = 4096
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


def serve(
    behaviour: Behaviour,
    port: int,
    host: str = HOST,
    *,
    how: How | None = None,
    stop_with_parent: bool = False,
) -> None:
    """Serve as `how` says until SIGTERM, SIGINT or, with `stop_with_parent`, the end of standard input.

    Once ready, prints one JSON line with `port` and the base URLs `openai`, `anthropic` and `gemini`.
    Port 0 takes a free one. Raises BadInputError for any host but 127.0.0.1: what answers here takes any key
    and must not be reachable from elsewhere.
    """
    if host != HOST:
        raise bad_value("emulator", "host", host, [HOST])
    # uvloop is faster where it happens to be installed; nothing needs it.
    new_loop = import_module("uvloop").new_event_loop if find_spec("uvloop") else None
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(_serve(create_app(behaviour, how), port, stop_with_parent))


async def _serve(app: web.Application, port: int, stop_with_parent: bool) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if stop_with_parent:
        threading.Thread(target=_watch_input, args=(loop, stop), daemon=True).start()
    # What is loaded by now stays; collecting only what requests leave behind saves about 5 % of their time.
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_SHUTDOWN_SECONDS)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, port, backlog=_WAITING_CONNECTIONS).start()
        _announce(runner.addresses[0][1])
        await stop.wait()
    finally:
        await runner.cleanup()


def _watch_input(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    # Reads the descriptor itself: a thread blocked inside sys.stdin would hold a lock that exit needs.
    try:
        while os.read(0, 4096):
            pass
    finally:
        loop.call_soon_threadsafe(stop.set)


def _announce(port: int) -> None:
    base = f"http://{HOST}:{port}"
    ready = {
        "port": port,
        "openai": f"{base}/openai/v1",
        "anthropic": f"{base}/anthropic",
        "gemini": f"{base}/gemini",
    }
    sys.stdout.write(f"{json.dumps(ready)}\n")
    sys.stdout.flush()
