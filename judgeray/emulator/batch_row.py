"""One row of a batch: how an API reads it, and how it writes what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from judgeray.core.canonical import JSONValue
from judgeray.emulator.api import Body
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.text_form import Reply, TextForm
from judgeray.emulator.wire import load_json

_FOREIGN = "-of-nobody"
_LONGEST_OWN_PART = 40

Key = JSONValue
Line = dict[str, Any]


class Row(NamedTuple):
    """A row that was read: its key, its request's body, and the prompt or why the request is refused."""

    key: Key
    body: Body
    asked: Prompt | RequestRefusedError


class Problem(NamedTuple):
    """What is wrong with a batch; `line` counts from 1 and is None where it is not about one row."""

    code: str
    message: str
    line: int | None = None
    param: str | None = None


@dataclass(eq=False)
class RowProblemError(Exception):
    """A row that spoils its whole batch."""

    code: str
    message: str
    param: str | None = None


@dataclass(frozen=True)
class RowDesk:
    """How the rows of one batch are read and written.

    `read` takes a row's bytes and raises RowProblemError. `answered` and `refused` write a line, given its key and
    the reply, or the refusal and a request id. `unfinished` writes the line of a row that was not executed, given
    its key and how the batch ended; None where the API writes none. Lines other than answers go to a file of
    their own with `separate_errors`. `failure` is why a batch fails for no fault of its rows; None where
    batches as such cannot fail, and all their rows do instead.
    """

    form: TextForm
    read: Callable[[bytes], Row]
    answered: Callable[[Key, Reply, str], Line]
    refused: Callable[[Key, RequestRefusedError, str], Line]
    unfinished: Callable[[Key, str], Line | None]
    separate_errors: bool = False
    failure: Problem | None = None


def json_row(raw: bytes) -> dict[str, JSONValue]:
    """Parse a row; raises RowProblemError where it is no JSON object."""
    try:
        row = load_json(raw)
    except ValueError as error:
        raise RowProblemError("invalid_json_line", "This line is not parseable as valid JSON.") from error
    if not isinstance(row, dict):
        raise RowProblemError("invalid_json_line", "This line is not a JSON object.")
    return row


def read_row(key: Key, body: Body, read: Callable[[Body], Prompt]) -> Row:
    """A row from its request's body; what the API would refuse becomes the row's refusal."""
    try:
        return Row(key, body, read(body))
    except RequestRefusedError as refusal:
        return Row(key, body, refusal)


def foreign_key(key: Key) -> Key:
    """A key that nobody sent, made from one that was; None stays None."""
    if key is None:
        return None
    if isinstance(key, dict):
        return {name: foreign_key(value) for name, value in key.items()}
    return f"{str(key)[:_LONGEST_OWN_PART]}{_FOREIGN}"
