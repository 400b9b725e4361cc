"""What failures mean on the batch routes, where they differ from a realtime call's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from judgeray.providers.batch import LostCreateError
from judgeray.providers.errors import ProviderError
from judgeray.providers.taxonomy import MODEL

TRANSFER_SECONDS = 3600.0
"""Longest upload or download of a batch."""

READ_SECONDS = 600.0
"""Longest silence during one; a whole file may be checked before the answer comes."""

NO_SUCH_BATCH = "this account has no such batch: it was deleted, or belongs to another key, project or workspace"
NO_SUCH_FILE = "the batch's results are not there: not yet, or no longer"


Translate = Callable[[Exception], Exception]
"""Says what a failure means on the route at hand."""


@asynccontextmanager
async def deadline(seconds: float, what: str) -> AsyncIterator[None]:
    """Bound a wait. Raises TimeoutError that says what was waited for."""
    try:
        async with asyncio.timeout(seconds) as limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise TimeoutError(f"{what} took more than {seconds:g} s") from error


def of_create(error: Exception) -> Exception:
    """A create that was refused made no batch; one whose answer was lost or unreadable may have."""
    if not isinstance(error, ProviderError):
        return error
    refused = error.reaction in ("row", "account") or error.code.startswith("429")
    return error if refused else LostCreateError("retry", error.message, error.retry_after_seconds, error.code)


def of_batch(error: Exception) -> Exception:
    """On a batch's own routes, 404 speaks of the batch and not of a model."""
    if not isinstance(error, ProviderError) or not error.code.startswith("404"):
        return error
    return ProviderError("account", f"{_plain(error)} ({NO_SUCH_BATCH})", code=error.code)


def of_file(error: Exception) -> Exception:
    """A batch that is known, with results that are not to be had: that may pass, and stops no account."""
    if not isinstance(error, ProviderError) or not error.code.startswith(("404", "410")):
        return error
    return ProviderError("retry", f"{_plain(error)} ({NO_SUCH_FILE})", code=error.code)


def _plain(error: ProviderError) -> str:
    return error.message.removesuffix(f" ({MODEL})")


def plainly(error: Exception) -> Exception:
    """Routes on which a failure means what it always means."""
    return error
