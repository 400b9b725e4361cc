"""Records of benchmark files: which fields a file must have, and how odd ones are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

from judgeray.core.errors import BadInputError

PEEK_RECORDS = 100
"""How many records decide which fields a file without a schema has."""


class OddQuestionError(Exception):
    """A source question that a stated rule leaves out; becomes a Skip with this reason."""


def peek(records: Iterator[object]) -> tuple[list[str], Iterator[object]]:
    """Give the field names seen in the first records, in order, and all records again."""
    head = list(islice(records, PEEK_RECORDS))
    names = {name: None for record in head if isinstance(record, Mapping) for name in record}
    return list(names), chain(head, records)


def expect_fields(
    where: str, layout: str, records: Iterator[object], expected: Sequence[tuple[str, ...]]
) -> Iterator[object]:
    """Give back `records` if each of `expected` (alternative names of one field) occurs among the first.

    Raises BadInputError, naming what was found and what is missing, where the file has another layout.
    """
    found, records = peek(records)
    missing = [" or ".join(names) for names in expected if not set(names) & set(found)]
    if missing:
        raise BadInputError(
            f"{where}: not of layout '{layout}': found {shown(found)}; missing {', '.join(missing)}"
        )
    return records


def shown(names: Sequence[str]) -> str:
    """Write names for a message, cut after the first dozen."""
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(map(str, names[:12])) + more if names else "no fields"


def as_record(value: object, name: str) -> Mapping[str, object]:
    """Take `value` as an object with fields; raises OddQuestionError where it is something else."""
    if not isinstance(value, Mapping):
        raise OddQuestionError(f"{name} is no object")
    return value


def items_of(record: Mapping[str, object], name: str) -> list[object]:
    """Take the list in field `name`; raises OddQuestionError where it is missing or no list."""
    value = record.get(name)
    if not isinstance(value, list):
        raise OddQuestionError(f"lacks '{name}'" if value is None else f"'{name}' is no list")
    return value


def text_of(record: Mapping[str, object], *names: str) -> str:
    """Take the text in the first field of `names` that is there, verbatim.

    Raises OddQuestionError where it is missing, no text, or blank.
    """
    value = next((record[name] for name in names if record.get(name) is not None), None)
    return as_text(value, names[0])


def as_text(value: object, name: str) -> str:
    """Take `value` as a text that is not blank; raises OddQuestionError otherwise."""
    if value is None:
        raise OddQuestionError(f"lacks '{name}'")
    if not isinstance(value, str):
        raise OddQuestionError(f"'{name}' is no text")
    if not value.strip():
        raise OddQuestionError(f"'{name}' is empty")
    return value


def id_of(record: Mapping[str, object], *names: str) -> str:
    """Take the id in the first field of `names` that is there, as text; whole numbers are written out.

    Raises OddQuestionError where there is none. Floats are refused: they cannot hold ids beyond 2^53.
    """
    value = next((record[name] for name in names if record.get(name) is not None), None)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return as_text(value, names[0])
