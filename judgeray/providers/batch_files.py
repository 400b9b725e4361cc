"""Batch bodies and result files on disk, so that a batch of any size takes little memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from judgeray.providers.batch import BatchResult
from judgeray.providers.errors import ProviderError
from judgeray.providers.harvest import Harvest

CHUNK_BYTES = 1 << 18

RESULTS_AT_ONCE = 100
"""So many results are read before others on the event loop get their turn."""

Fetch = Callable[[BinaryIO], Awaitable[None]]
"""Writes a provider's file into a file of ours. Raises ProviderError; what came before stays written."""


@asynccontextmanager
async def spooled(pieces: Iterable[bytes], most_bytes: int) -> AsyncIterator[BinaryIO]:
    """Write the pieces of a body to a temporary file, off the event loop, and give it from its start.

    Raises ValueError where the body is larger than the API takes.
    """
    with TemporaryFile() as file:
        await asyncio.to_thread(file.writelines, pieces)
        if file.tell() > most_bytes:
            raise ValueError(f"a batch of {file.tell()} bytes, more than the {most_bytes} that the API takes")
        file.seek(0)
        yield cast("BinaryIO", file)


def size_of(file: BinaryIO) -> int:
    """Bytes in a file that stands at its start."""
    size = file.seek(0, 2)
    file.seek(0)
    return size


async def chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    """The rest of a file in pieces."""
    while chunk := file.read(CHUNK_BYTES):
        yield chunk


async def harvested(fetch: Fetch, harvest: Harvest) -> AsyncIterator[BatchResult]:
    """Fetch a result file and yield its results; a file that came in part gives its part, then the error."""
    with TemporaryFile() as file:
        problem = await _fetched(fetch, cast("BinaryIO", file))
        file.seek(0)
        try:
            for number, result in enumerate(harvest.read(cast("BinaryIO", file)), 1):
                yield result
                if number % RESULTS_AT_ONCE == 0:
                    await asyncio.sleep(0)
        except ProviderError as error:
            problem = problem or error
        if problem is not None:
            raise problem


async def _fetched(fetch: Fetch, file: BinaryIO) -> ProviderError | None:
    try:
        await fetch(file)
    except ProviderError as error:
        return error
    return None


async def saved(fetch: Fetch, path: Path) -> Path:
    """Fetch a result file to a path, which exists only once it is whole."""
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        await fetch(file)
    return part.replace(path)
