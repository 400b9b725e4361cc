"""The faults that can be injected: their names, where each can happen, and whether a retry passes.

Status faults refuse a request before anything is executed. Wire faults spoil the connection or the bytes. Content
faults change a reply that arrives in good order. Row faults befall single rows of a batch, batch faults whole ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

StatusFault = Literal[
    "rate_limited",  # 429 that says how long to wait
    "rate_limited_silently",  # 429 that does not
    "quota_exhausted",  # 429 that no wait cures
    "bad_request",
    "unauthorized",
    "forbidden",
    "not_found",
    "context_length",
    "server_error",  # 500
    "bad_gateway",  # 502 with a web page for a body
    "unavailable",  # 503
    "gateway_timeout",  # 504
    "overloaded",  # 529
]
WireFault = Literal[
    "hang",  # nothing is executed, nothing comes, the connection stays open
    "slow",
    "disconnect",  # before execution
    "lost_response",  # executed, then the connection is dropped
    "malformed_json",  # status 200, length right, JSON cut in half
    "text_200",  # status 200, plain text
    "truncated_body",  # half the announced length, then the connection is dropped
]
ContentFault = Literal[
    "refusal",
    "content_filter",
    "prompt_block",  # not executed
    "empty_candidates",
    "no_text",  # the whole output budget went to reasoning
    "length",
    "null_usage",
]
RowFault = Literal[
    "row_error",
    "duplicate_lines",
    "missing_lines",  # executed, yet without a line
    "wrong_keys",  # the line carries the key of another row, and the other row's line this one's
    "foreign_keys",  # the line carries a key that nobody sent
]
BatchFault = Literal[
    "expired",  # after a share of its rows
    "failed",
    "all_rows_failed",  # while the batch itself succeeds
    "stuck",
    "unknown_state",  # until it ends
    "lost_create",  # created, but the connection is dropped
    "lost_metadata",
    "empty_file_ids",  # "" where there is no file
    "shuffled_lines",  # also where the API documents an order
    "truncated_results",  # a download that ends within a line
    "cut_download",  # a download whose connection is dropped half-way
]
FaultName = StatusFault | WireFault | ContentFault | RowFault | BatchFault
Place = Literal["realtime", "row", "batch", "upload", "create", "poll", "list", "cancel", "results", "delete"]

STATUS_FAULTS = frozenset(get_args(StatusFault))
WIRE_FAULTS = frozenset(get_args(WireFault))
CONTENT_FAULTS = frozenset(get_args(ContentFault))
ROW_FAULTS = frozenset(get_args(RowFault))
BATCH_FAULTS = frozenset(get_args(BatchFault))
DOWNLOAD_FAULTS: tuple[BatchFault, ...] = ("truncated_results", "cut_download")
"""Batch faults whose `times` count downloads."""
ALL_FAULTS = STATUS_FAULTS | WIRE_FAULTS | CONTENT_FAULTS | ROW_FAULTS | BATCH_FAULTS

_LASTING = CONTENT_FAULTS - {"empty_candidates"} | {
    *("quota_exhausted", "bad_request", "unauthorized", "forbidden", "not_found", "context_length"),
}
_REQUESTS: frozenset[Place] = frozenset(get_args(Place)[3:])
_PLACES: Mapping[frozenset[str], frozenset[Place]] = {
    STATUS_FAULTS: _REQUESTS | {"realtime", "row"},
    WIRE_FAULTS: _REQUESTS | {"realtime"},
    CONTENT_FAULTS: frozenset({"realtime", "row"}),
    ROW_FAULTS: frozenset({"row"}),
    BATCH_FAULTS: frozenset({"batch"}),
}


def places(fault: str) -> frozenset[Place]:
    """Where a fault can happen: to prompts (`realtime`, `row`), to whole batches, on other routes."""
    return next(found for names, found in _PLACES.items() if fault in names)


def usual_places(fault: str) -> frozenset[Place]:
    """Where a fault happens unless a rule names routes: wherever prompts are answered."""
    return places(fault) - _REQUESTS


def usual_times(fault: str) -> int | None:
    """How many arrivals of a prompt meet a fault unless a rule says so: one, or all (None) of a lasting one."""
    return None if fault in _LASTING else 1
