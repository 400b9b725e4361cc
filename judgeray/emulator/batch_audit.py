"""What the audit tells of each batch."""

from __future__ import annotations

from typing import TypedDict

from judgeray.core.canonical import JSONValue
from judgeray.emulator.batch import Batch


class BatchAudit(TypedDict):
    """One batch in `GET /_judgeray/batches`.

    `tag` is OpenAI's metadata or Gemini's display name as they were sent, and null at Anthropic. `state` is in
    OpenAI's words for all APIs. `executed` counts rows that were answered and `unfinished` those that were not;
    `listed`, `retrieved`, `cancelled`, `downloaded` count what clients did. Times are seconds since 1970.
    """

    api: str
    id: str
    tag: JSONValue
    models: list[str]
    state: str
    faults: list[str]
    problems: list[str]
    rows: int
    executed: int
    failed: int
    unfinished: int
    created_at: float
    ended_at: float | None
    listed: int
    retrieved: int
    cancelled: int
    downloaded: int
    deleted: bool


def batch_audit(batch: Batch) -> BatchAudit:
    """What there is to tell of one batch."""
    return {
        "api": batch.api,
        "id": batch.id,
        "tag": batch.tag,
        "models": sorted(batch.tokens),
        "state": batch.phase,
        "faults": sorted(batch.faults),
        "problems": [problem.code for problem in batch.problems],
        "rows": batch.total,
        "executed": batch.succeeded,
        "failed": batch.failed,
        "unfinished": batch.unfinished,
        "created_at": batch.created,
        "ended_at": batch.began[batch.phase] if batch.ended else None,
        "listed": batch.uses.get("listed", 0),
        "retrieved": batch.uses.get("retrieved", 0),
        "cancelled": batch.uses.get("cancelled", 0),
        "downloaded": batch.uses.get("downloaded", 0),
        "deleted": batch.deleted,
    }
