"""Rows of an Anthropic message batch: requests read, result lines written."""

from __future__ import annotations

import re

from judgeray.emulator.anthropic_api import ANTHROPIC, unknown_model
from judgeray.emulator.anthropic_forms import MESSAGES
from judgeray.emulator.anthropic_messages import read_message
from judgeray.emulator.api import Body
from judgeray.emulator.batch_row import Key, Line, Row, RowDesk, RowProblemError, json_row, read_row
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.text_form import Reply

_CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_UNFINISHED = {"cancelled": "canceled", "expired": "expired"}


def anthropic_desk(simulation: Simulation, version: str) -> RowDesk:
    """How the rows of a batch are read and written; the version of its creation governs all of them."""

    def read(params: Body) -> Prompt:
        prompt = read_message(params, version)
        if not simulation.serves(prompt.model):
            raise unknown_model(prompt.model)
        return prompt

    def read_element(raw: bytes) -> Row:
        row = json_row(raw)
        for name in row:
            if name not in ("custom_id", "params"):
                raise _invalid(name, "Extra inputs are not permitted")
        key, params = row.get("custom_id"), row.get("params")
        if not isinstance(key, str):
            raise _invalid("custom_id", "Field required" if key is None else "Input should be a valid string")
        if not _CUSTOM_ID.fullmatch(key):
            raise _invalid("custom_id", "String should match pattern '^[a-zA-Z0-9_-]{1,64}$'")
        if not isinstance(params, dict):
            raise _invalid("params", "Field required" if params is None else "Input should be a valid dictionary")
        return read_row(key, params, read)

    return RowDesk(MESSAGES, read_element, _answered, _refused, _unfinished)


def _invalid(field: str, message: str) -> RowProblemError:
    return RowProblemError("invalid_request_error", f"{field}: {message}", field)


def _answered(key: Key, reply: Reply, _request_id: str) -> Line:
    if reply["usage"] is not None:
        reply["usage"]["service_tier"] = "batch"
    return {"custom_id": key, "result": {"type": "succeeded", "message": reply}}


def _refused(key: Key, refusal: RequestRefusedError, request_id: str) -> Line:
    return {"custom_id": key, "result": {"type": "errored", "error": ANTHROPIC.error_body(refusal, request_id)}}


def _unfinished(key: Key, ending: str) -> Line | None:
    return {"custom_id": key, "result": {"type": _UNFINISHED[ending]}} if ending in _UNFINISHED else None
