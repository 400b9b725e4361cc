"""From the lines of a result file to results: joined by id, each once, nothing guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, BinaryIO

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers.batch import BatchMismatchError, BatchResult
from judgeray.providers.body import decode, encode, text_of
from judgeray.providers.client import to_reply
from judgeray.providers.content import Content
from judgeray.providers.errors import ProviderError
from judgeray.providers.words import fit_to_show

MOST_LINE_BYTES = 1 << 26
"""A result is smaller than this; a file without line ends must not fill the memory."""


@dataclass(frozen=True, slots=True)
class LineFormat:
    """How one API writes a result line.

    `body_of` takes a line and the API key and returns the response body and the request id; it raises ProviderError
    where the line holds an error instead. `read_body` is the realtime reader of the same body.
    """

    id_field: str
    body_of: Callable[[dict[str, Any], str], tuple[dict[str, Any], str | None]]
    read_body: Callable[[dict[str, Any], str], Content]


class Harvest:
    """Reads the result files of one batch, one after the other.

    What is protected: a result goes to the call whose id its line bears, and to no other; an id that comes twice
    with different content, and one and the same response under two ids, are refused. What is not: an answer that
    the provider itself computed from another line's prompt, since no API repeats the prompt in its answer.
    """

    def __init__(
        self, by_id: Mapping[str, Call], line_format: LineFormat, headers: Mapping[str, str], key: str
    ) -> None:
        self._by_id, self._format, self._headers, self._key = by_id, line_format, headers, key
        self._seen: dict[str, bytes] = {}
        self._owners: dict[bytes, str] = {}

    def read(self, file: BinaryIO) -> Iterator[BatchResult]:
        """Yield the results of a file that stands at its start.

        Raises BatchMismatchError at once; ProviderError (retry) at the end, where lines were cut or garbled.
        """
        problem: ProviderError | None = None
        for number, line in enumerate(_lines(file), 1):
            try:
                record = decode(text_of(line))
            except ProviderError as error:
                problem = problem or self._unreadable(number, line, error)
                continue
            if (result := self._read(number, record)) is not None:
                yield result
        if problem is not None:
            raise problem

    def _unreadable(self, number: int, line: bytes, error: ProviderError) -> ProviderError:
        """Valid JSON that is no object cannot be joined; all else is a matter of transport."""
        if error.code == "body:not_an_object":
            raise BatchMismatchError(f"line {number} of the results is no JSON object")
        # The end of a line is what is missing where a file was cut.
        where = f"line {number} of the results" + ("" if line.endswith(b"\n") else ", which has no end,")
        return ProviderError("retry", f"{where} cannot be read: {error.message}", code=error.code)

    def _read(self, number: int, record: dict[str, Any]) -> BatchResult | None:
        """Read one line; None where it repeats an earlier one."""
        custom_id = record.get(self._format.id_field)
        call = self._by_id.get(custom_id) if isinstance(custom_id, str) else None
        if call is None or not isinstance(custom_id, str):
            shown = fit_to_show(repr(custom_id), self._key, most_characters=80)
            raise BatchMismatchError(f"line {number} of the results has an id that was not asked for: {shown}")
        result = self._result(custom_id, call, record)
        return result if self._is_new(number, result) else None

    def _result(self, custom_id: str, call: Call, record: dict[str, Any]) -> BatchResult:
        try:
            return BatchResult(custom_id, self._reply(call, record))
        except ProviderError as error:
            reaction = "retry" if error.reaction == "busy" else error.reaction
            settled = ProviderError(reaction, error.message, None, error.code, error.blames_row)
            return BatchResult(custom_id, error=settled)

    def _reply(self, call: Call, record: dict[str, Any]) -> Reply:
        body, request_id = self._format.body_of(record, self._key)
        content = self._format.read_body(body, self._key)
        return replace(to_reply(call, content, _raw(body), self._headers, request_id), mode="batch")

    def _is_new(self, number: int, result: BatchResult) -> bool:
        trace, custom_id = _trace(result), result.custom_id
        earlier = self._seen.get(custom_id)
        if earlier is not None:
            if earlier != trace:
                raise BatchMismatchError(
                    f"line {number} of the results gives '{custom_id}' again, with other content"
                )
            return False
        self._seen[custom_id] = trace
        # A response's own id is part of its body, so that equal bodies are one response and not two alike.
        if result.reply is not None and result.reply.response_id:
            owner = self._owners.setdefault(trace, custom_id)
            if owner != custom_id:
                raise BatchMismatchError(
                    f"line {number} of the results gives '{custom_id}' the very response of '{owner}'"
                )
        return True


def ids_in(file: BinaryIO, line_format: LineFormat) -> set[str]:
    """The ids in a result file that stands at its start; lines that cannot be read give none."""
    found: set[str] = set()
    for line in _lines(file):
        try:
            found.add(str(decode(text_of(line)).get(line_format.id_field)))
        except ProviderError:
            continue
    return found


def _raw(body: dict[str, Any]) -> str:
    """Spell a response body as JSON of its own; inside a line it has no bytes that are its alone."""
    try:
        return encode(body).decode("ascii")
    except RecursionError:
        fault = "the response body is nested too deeply"
    raise ProviderError("retry", fault, code="body:too_deep")


def _trace(result: BatchResult) -> bytes:
    told = f"{result.reaction} {result.message}" if result.reply is None else result.reply.raw
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines that hold something. Raises ProviderError (retry) at one that is too long to be a result."""
    while line := file.readline(MOST_LINE_BYTES):
        if len(line) == MOST_LINE_BYTES and not line.endswith(b"\n"):
            raise ProviderError("retry", "the results have a line without end", code="body:endless_line")
        if line.strip():
            yield line
