"""Rows of an OpenAI batch: lines of the input file read, lines of the output and error files written."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from judgeray.emulator.api import Body
from judgeray.emulator.batch_row import Key, Line, Problem, Row, RowDesk, RowProblemError, json_row, read_row
from judgeray.emulator.openai_api import OPENAI
from judgeray.emulator.openai_chat import read_chat
from judgeray.emulator.openai_forms import CHATS, RESPONSES
from judgeray.emulator.openai_responses import read_response
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.text_form import Reply, TextForm

ENDPOINTS: Mapping[str, tuple[TextForm, Callable[[Body], Prompt]]] = {
    "/v1/responses": (RESPONSES, read_response),
    "/v1/chat/completions": (CHATS, read_chat),
}
QUEUE_FULL = Problem(
    "token_limit_exceeded",
    "Enqueued token limit reached in organization org-simulated. Please try again once some in_progress batches "
    "have been completed.",
)
"""Why a sound batch fails at OpenAI: there was no room for it, nothing ran, and later it may pass."""

_UNFINISHED = {
    "expired": ("batch_expired", "This request could not be executed before the completion window expired."),
    "cancelled": ("batch_cancelled", "This request was not executed because the batch was cancelled."),
}


def openai_desk(endpoint: str) -> RowDesk:
    """How the rows of a batch for one endpoint are read and written."""
    form, read = ENDPOINTS[endpoint]
    return RowDesk(
        form,
        lambda raw: _read(raw, endpoint, read),
        _answered,
        _refused,
        _unfinished,
        separate_errors=True,
        failure=QUEUE_FULL,
    )


def _read(raw: bytes, endpoint: str, read: Callable[[Body], Prompt]) -> Row:
    row = json_row(raw)
    for name in ("custom_id", "method", "url", "body"):
        if not row.get(name):
            raise RowProblemError("missing_required_parameter", f"Missing required parameter: '{name}'.", name)
    key, body = row["custom_id"], row["body"]
    if not isinstance(key, str):
        raise RowProblemError("invalid_type", "The custom_id must be a string.", "custom_id")
    if row["method"] != "POST":
        raise RowProblemError("invalid_method", "The method must be POST.", "method")
    if row["url"] != endpoint:
        message = "The URL provided for this request does not match the batch endpoint."
        raise RowProblemError("url_mismatch", message, "url")
    if not isinstance(body, dict):
        raise RowProblemError("invalid_type", "The body must be an object.", "body")
    if not isinstance(body.get("model"), str):
        raise RowProblemError("missing_required_parameter", "Missing required parameter: 'model'.", "body.model")
    return read_row(key, body, read)


def _answered(key: Key, reply: Reply, request_id: str) -> Line:
    return _line(key, request_id, 200, reply)


def _refused(key: Key, refusal: RequestRefusedError, request_id: str) -> Line:
    return _line(key, request_id, refusal.status, OPENAI.error_body(refusal, request_id))


def _line(key: Key, request_id: str, status: int, body: object) -> Line:
    response = {"status_code": status, "request_id": f"req_{request_id}", "body": body}
    return {"id": f"batch_req_{request_id}", "custom_id": key, "response": response, "error": None}


def _unfinished(key: Key, ending: str) -> Line | None:
    if ending not in _UNFINISHED:
        return None
    code, message = _UNFINISHED[ending]
    # The API's published samples repeat line ids; these do too.
    return {
        "id": "batch_req_none",
        "custom_id": key,
        "response": None,
        "error": {"code": code, "message": message},
    }
