"""OpenAI's lists: `limit` and `after` of a query, read and applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from judgeray.emulator.refusal import RequestRefusedError

Item = TypeVar("Item")


def limit_of(query: Mapping[str, str], usual: int, most: int) -> int:
    """The `limit` of a query; refused where it is no number from 1 to `most`."""
    text = query.get("limit", str(usual))
    if not text.isdecimal() or not 1 <= int(text) <= most:
        message = f"Invalid 'limit': expected an integer from 1 to {most}, but got {text[:40]!r}."
        raise RequestRefusedError(400, message, code="invalid_value", param="limit")
    return int(text)


def page_of(
    items: Sequence[Item], ids: Sequence[str], query: Mapping[str, str], usual: int, most: int
) -> tuple[Sequence[Item], bool]:
    """The page of `items` that a query asks for, and whether more follow."""
    limit, after = limit_of(query, usual, most), query.get("after")
    if after is not None and after not in ids:
        raise unknown_cursor(after)
    start = ids.index(after) + 1 if after is not None else 0
    return items[start : start + limit], start + limit < len(items)


def unknown_cursor(after: str) -> RequestRefusedError:
    """The refusal of an `after` that is not in the list."""
    return RequestRefusedError(400, f"Invalid 'after': no object with id {after!r}.", param="after")
