"""How a row ended: the statuses that a verdict row can have."""

from __future__ import annotations

from typing import Literal, get_args

Status = Literal["ok", "unparsed", "refused", "truncated", "undelivered", "pending"]
STATUSES: tuple[Status, ...] = get_args(Status)

# A rerun continues with these; all others are settled by a reply that is kept.
UNSETTLED: tuple[Status, ...] = ("undelivered", "pending")
