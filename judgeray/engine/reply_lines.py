"""Replies as lines of JSON, by a library eight times as fast as the standard one wherever it can spell them."""

from __future__ import annotations

import json
from typing import Any

import orjson

from judgeray.core.reply import Reply


def to_line(reply: Reply) -> bytes:
    """One line of JSON without its end; every text in it survives, lone surrogates as escapes."""
    if reply.token_logprobs is None:  # orjson would turn a log-probability of minus infinity into null
        try:
            return orjson.dumps(reply.to_record())
        except orjson.JSONEncodeError:
            pass  # a lone surrogate has no UTF-8; the standard library escapes it
    return reply.to_json().encode("ascii")


def record_of(line: bytes) -> dict[str, Any]:
    """The fields of a reply (`Reply.to_record`) from a line that `to_line` or `Reply.to_json` wrote."""
    try:
        record: dict[str, Any] = orjson.loads(line)
    except orjson.JSONDecodeError:
        record = json.loads(line)
    return record


def from_line(line: bytes) -> Reply:
    """The reply of a line that `to_line` or `Reply.to_json` wrote."""
    return Reply.from_record(record_of(line))
