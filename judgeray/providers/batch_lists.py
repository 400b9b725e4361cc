"""Reading a provider's list of batches, page by page, to its end or to a time before which nothing is sought."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from judgeray.providers.batch import SKEW_SECONDS
from judgeray.providers.body import name_or_none, objects, text_or_none
from judgeray.providers.errors import ProviderError

MOST_PAGES = 1000

GetPage = Callable[[str | None], Awaitable[dict[str, Any]]]
"""Asks for the page behind a cursor, None for the first."""


async def pages(get: GetPage, next_cursor: Callable[[dict[str, Any]], str | None]) -> AsyncIterator[dict[str, Any]]:
    """Yield page after page. Raises ProviderError (retry) where the list goes on without end."""
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await get(cursor)
        yield page
        following = next_cursor(page)
        if following is None:
            return
        if following == cursor:
            break
        cursor = following
    raise ProviderError("retry", "the provider's list of batches does not end", code="body:endless_list")


async def newest_first(
    get: GetPage, since: datetime, created_at: Callable[[dict[str, Any]], datetime | None]
) -> AsyncIterator[dict[str, Any]]:
    """Yield the batches created since then (and, for unequal clocks, a little before), newest first.

    For lists of `{"data", "has_more"}` (OpenAI, Anthropic), whose cursor is the id of a page's last batch. A page
    on which everything is older is the last one read; a batch without a readable time counts as new.
    """
    earliest = since.astimezone(UTC) - timedelta(seconds=SKEW_SECONDS)
    async for page in pages(get, _last_id):
        batches = _data(page)
        recent = [batch for batch in batches if (created_at(batch) or earliest) >= earliest]
        for batch in recent:
            yield batch
        if batches and not recent:
            return


def _data(page: dict[str, Any]) -> list[dict[str, Any]]:
    """The batches on a page; an answer without a list says nothing about what exists."""
    if not isinstance(page.get("data"), list):
        raise ProviderError("retry", "the provider's list of batches has no data", code="body:no_list")
    return objects(page["data"])


def _last_id(page: dict[str, Any]) -> str | None:
    if page.get("has_more") is not True:
        return None
    batches = objects(page.get("data"))
    last = text_or_none(batches[-1].get("id")) if batches else None
    if last is None:
        raise ProviderError("retry", "the provider's list of batches names no next page", code="body:no_cursor")
    return last


def from_epoch(value: object) -> datetime | None:
    """Read a time in Unix seconds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def from_rfc3339(value: object) -> datetime | None:
    """Read a time in RFC 3339."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def id_of(batch: dict[str, Any]) -> str | None:
    """The id of a batch in an answer; None where the answer names none."""
    return name_or_none(batch.get("id") or batch.get("name")) or None


def ids_of(batches: list[dict[str, Any]]) -> list[str]:
    """The ids of batches in a list."""
    return [batch_id for batch in batches if (batch_id := id_of(batch)) is not None]
