"""Anthropic's MessageBatch object."""

from __future__ import annotations

from aiohttp import web

from judgeray.emulator.anthropic_routes import PREFIX
from judgeray.emulator.batch import Batch
from judgeray.emulator.times import rfc3339

UNKNOWN_STATE = "rebalancing"


def batch_view(batch: Batch, request: web.Request) -> object:
    """Write a batch as it stands; its results are where the request came to."""
    status = "ended" if batch.ended else "canceling" if batch.phase == "cancelling" else "in_progress"
    if "unknown_state" in batch.faults and not batch.ended:
        status = UNKNOWN_STATE
    moments = {phase: rfc3339(at) for phase, at in batch.began.items()}
    path = f"{PREFIX}/v1/messages/batches/{batch.id}/results"
    return {
        "id": batch.id,
        "type": "message_batch",
        "processing_status": status,
        "request_counts": _counts(batch),
        "ended_at": moments[batch.phase] if batch.ended else None,
        "created_at": rfc3339(batch.created),
        "expires_at": rfc3339(batch.created + batch.settings.window_seconds),
        "archived_at": None,
        "cancel_initiated_at": moments.get("cancelling"),
        "results_url": f"{request.scheme}://{request.host}{path}" if batch.ended else None,
    }


def _counts(batch: Batch) -> object:
    """No progress is told: all rows are processing until the batch has ended."""
    ended = batch.ended
    return {
        "processing": 0 if ended else batch.total,
        "succeeded": batch.succeeded if ended else 0,
        "errored": batch.failed if ended else 0,
        "canceled": batch.unfinished if batch.phase == "cancelled" else 0,
        "expired": batch.unfinished if batch.phase == "expired" else 0,
    }
