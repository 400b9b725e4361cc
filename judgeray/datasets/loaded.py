"""What every door does with items: the first so many units, no id twice, clear words for an unreadable file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from judgeray.core.errors import BadInputError
from judgeray.datasets.files import reading_errors, unreadable
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.tally import Tally
from judgeray.rows import Skip

T = TypeVar("T")


def loaded(
    source: DatasetSource, read: Callable[[], Iterator[T | Skip]], noun: str, identify: Callable[[T], str]
) -> Iterator[T | Skip]:
    """Pass items on as they are read; `noun` names what has the id.

    Raises BadInputError for a file that cannot be read, and for an id that comes twice.
    """
    try:
        if source.ids_checked:
            yield from read()
            return
        with Tally() as ids:
            for item in read():
                if not isinstance(item, Skip) and ids.count(identify(item)) > 1:
                    where = f"dataset '{source.name}', {source.path}"
                    raise BadInputError(f"{where}: {noun} id '{identify(item)}' comes twice")
                yield item
    except reading_errors() as error:
        raise unreadable(source.name, source.path, error) from error


def first_units(items: Iterator[T | Skip], limit: int | None, unit: Callable[[T], str]) -> Iterator[T | Skip]:
    """Keep the items of the first `limit` units (all without one); what is skipped does not count.

    Items of one unit need not stand together, so that reading goes on to the end.
    """
    if limit is None:
        yield from items
        return
    accepted: set[str] = set()
    for item in items:
        name = item.question_id if isinstance(item, Skip) else unit(item)
        if len(accepted) >= limit and name not in accepted:
            continue
        if not isinstance(item, Skip):
            accepted.add(name)
        yield item
