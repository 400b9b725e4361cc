"""Rows of a Gemini batch: lines of a file, or inline requests; keys, and the lines of the result."""

from __future__ import annotations

from collections.abc import Mapping

from judgeray.emulator.batch_row import Key, Line, Problem, Row, RowDesk, RowProblemError, json_row, read_row
from judgeray.emulator.gemini_api import kind_of
from judgeray.emulator.gemini_content import read_content
from judgeray.emulator.gemini_forms import CONTENT
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.text_form import Reply

_FAILED = Problem("INTERNAL", "Internal error encountered.")
GRPC_CODES: Mapping[str, int] = {
    "CANCELLED": 1,
    "UNKNOWN": 2,
    "INVALID_ARGUMENT": 3,
    "DEADLINE_EXCEEDED": 4,
    "NOT_FOUND": 5,
    "PERMISSION_DENIED": 7,
    "RESOURCE_EXHAUSTED": 8,
    "INTERNAL": 13,
    "UNAVAILABLE": 14,
    "UNAUTHENTICATED": 16,
}
"""Codes of google.rpc.Code by name."""


def gemini_desk(model: str, label: str) -> RowDesk:
    """How rows are read and written; `label` is `key` in files and `metadata` for inline requests."""

    def read(raw: bytes) -> Row:
        row = json_row(raw)
        key, request = row.get(label), row.get("request")
        if label == "key" and not isinstance(key, str):
            raise RowProblemError("INVALID_ARGUMENT", "each line needs a 'key' that is a string", "key")
        if not isinstance(request, dict):
            raise RowProblemError("INVALID_ARGUMENT", "each line needs a 'request' that is an object", "request")
        return read_row(key, request, lambda body: read_content(body, model))

    def answered(key: Key, reply: Reply, _request_id: str) -> Line:
        return _labelled(label, key, {"response": reply})

    def refused(key: Key, refusal: RequestRefusedError, _request_id: str) -> Line:
        code = GRPC_CODES.get(kind_of(refusal), GRPC_CODES["UNKNOWN"])
        return _labelled(label, key, {"error": {"code": code, "message": refusal.message}})

    return RowDesk(CONTENT, read, answered, refused, lambda _key, _ending: None, failure=_FAILED)


def _labelled(label: str, key: Key, line: Line) -> Line:
    return line if key is None else {label: key, **line}
