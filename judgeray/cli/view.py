"""`judgeray view`: page through the verdicts of a run in a browser on this machine."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
from collections.abc import Sequence

from aiohttp import web
from rich.console import Console

from judgeray.cli.guard import guarded
from judgeray.cli.places import place
from judgeray.core.errors import BadInputError
from judgeray.run.mirror import work_on
from judgeray.run.say import say
from judgeray.viewer.app import create_app

HOST = "127.0.0.1"
_SHUTDOWN_SECONDS = 1.0


def view_command(arguments: Sequence[str]) -> int:
    """`judgeray view RUN [--port N]`: serve until interrupted; returns the exit code."""
    parser = argparse.ArgumentParser(prog="judgeray view", description="Page through verdicts in a local browser.")
    parser.add_argument("run", type=place, help="run directory or its URL")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: a free one)")
    given = parser.parse_args(arguments)

    def view(console: Console) -> int:
        with work_on(given.run) as run, contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(create_app(run), given.port, console))
        return 0

    return guarded(view)


async def _serve(app: web.Application, port: int, console: Console) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_SHUTDOWN_SECONDS)
    await runner.setup()
    try:
        site = web.TCPSite(runner, HOST, port)
        await site.start()
        say(console, f"http://{HOST}:{runner.addresses[0][1]}/  (Ctrl-C ends)")
        await stop.wait()
    except OSError as error:
        raise BadInputError(f"--port {port}: cannot be used: {error.strerror or error}") from error
    finally:
        await runner.cleanup()
