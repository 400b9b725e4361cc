"""The batches of one API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from judgeray.emulator.batch import Batch


class Page(NamedTuple):
    """Part of a list, and whether more of it follows."""

    batches: Sequence[Batch]
    more: bool


class BatchBook:
    """Batches by id, oldest first; deleted ones stay for the audit."""

    def __init__(self) -> None:
        self._batches: dict[str, Batch] = {}

    def add(self, batch: Batch) -> None:
        """Add a batch under its id."""
        self._batches[batch.id] = batch

    def get(self, batch_id: str) -> Batch | None:
        """The batch of this id, None where there is none (any more)."""
        batch = self._batches.get(batch_id)
        return None if batch is None or batch.deleted else batch

    def all(self) -> list[Batch]:
        """Every batch, oldest first, deleted ones too."""
        return list(self._batches.values())

    def running(self) -> list[Batch]:
        """Batches that have not ended."""
        return [batch for batch in self._batches.values() if not batch.ended]

    def page(self, limit: int, after: str | None = None, before: str | None = None) -> Page | None:
        """Part of the list, newest first, beyond a batch or up to one; None where that batch is not in the list."""
        listed = [batch for batch in reversed(self._batches.values()) if batch.visible]
        ids = [batch.id for batch in listed]
        if any(cursor is not None and cursor not in ids for cursor in (after, before)):
            return None
        start = ids.index(after) + 1 if after is not None else 0
        if before is not None:
            end = ids.index(before)
            start = max(start, end - limit)
            return _seen(listed[start:end], more=start > 0)
        return _seen(listed[start : start + limit], more=start + limit < len(listed))


def _seen(batches: Sequence[Batch], *, more: bool) -> Page:
    for batch in batches:
        batch.used("listed")
    return Page(batches, more)
