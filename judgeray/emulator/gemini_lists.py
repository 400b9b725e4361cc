"""Gemini's lists: `pageSize` and `pageToken` of a query, read and applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from judgeray.emulator.refusal import RequestRefusedError

Item = TypeVar("Item")
USUAL_PAGE, MOST_PAGE = 50, 100


def page_size(query: Mapping[str, str]) -> int:
    """The `pageSize` of a query; a larger one than is allowed is cut to it."""
    text = query.get("pageSize", "0")
    if not text.isdecimal():
        raise RequestRefusedError(400, f"Invalid value at 'page_size' (TYPE_INT32), {text[:40]!r}")
    return min(int(text), MOST_PAGE) or USUAL_PAGE


def page_of(
    items: Sequence[Item], ids: Sequence[str], query: Mapping[str, str]
) -> tuple[Sequence[Item], dict[str, str]]:
    """The page of `items` that a query asks for, and the token of the next one, where there is one."""
    size, token = page_size(query), query.get("pageToken")
    if token is not None and token not in ids:
        raise unknown_token()
    start = ids.index(token) + 1 if token is not None else 0
    page = items[start : start + size]
    return page, {"nextPageToken": ids[start + size - 1]} if start + size < len(items) else {}


def unknown_token() -> RequestRefusedError:
    """The refusal of a token that no list gave."""
    return RequestRefusedError(400, "The page token is invalid.")
