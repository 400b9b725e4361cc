"""The body that creates a message batch: its rows found on disk, and what is around them checked."""

from __future__ import annotations

import asyncio
from pathlib import Path

from judgeray.emulator.json_array import element_spans
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.row_file import RowFile
from judgeray.emulator.wire import load_json

_SPANS_PER_TURN = 256


async def find_rows(path: Path) -> RowFile:
    """Find the elements of `requests` in a body."""
    rows = RowFile(path)
    for count, span in enumerate(element_spans(path, "requests")):
        if count % _SPANS_PER_TURN == 0:
            await asyncio.sleep(0)
        rows.add(span)
    return rows


def check_envelope(rows: RowFile, most: int) -> None:
    """Refuse a body that is no JSON object of `requests` alone, or that does not hold 1 to `most` objects there."""
    try:
        body = load_json(rows.rest(b"null"))
    except ValueError as error:
        raise RequestRefusedError(400, "The request body is not valid JSON.") from error
    if not isinstance(body, dict) or not isinstance(body.get("requests"), list):
        raise RequestRefusedError(400, "requests: Field required")
    for name in body:
        if name != "requests":
            raise RequestRefusedError(400, f"{name}: Extra inputs are not permitted")
    count = len(body["requests"])
    if not 1 <= count <= most:
        bound = "at least 1 item" if not count else f"at most {most} items"
        raise RequestRefusedError(400, f"requests: List should have {bound} after validation, not {count}")
    if len(rows) < count:
        raise RequestRefusedError(400, "requests: Input should be valid dictionaries")
