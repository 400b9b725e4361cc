"""OpenAI's Batch object."""

from __future__ import annotations

from judgeray.emulator.batch import Batch, Phase

UNKNOWN_STATE = "rebalancing"
_MOMENTS: dict[str, Phase] = {
    "in_progress_at": "in_progress",
    "finalizing_at": "finalizing",
    "completed_at": "completed",
    "failed_at": "failed",
    "expired_at": "expired",
    "cancelling_at": "cancelling",
    "cancelled_at": "cancelled",
}


def batch_view(batch: Batch) -> object:
    """Write a batch as it stands."""
    moments = {phase: int(at) for phase, at in batch.began.items()}
    nothing = "" if "empty_file_ids" in batch.faults and batch.ended else None
    return {
        "id": batch.id,
        "object": "batch",
        "endpoint": batch.facts["endpoint"],
        "model": next(iter(batch.tokens), None),
        "errors": _errors(batch) if batch.phase == "failed" else None,
        "input_file_id": batch.facts["input_file_id"],
        "completion_window": "24h",
        "status": UNKNOWN_STATE if "unknown_state" in batch.faults and not batch.ended else batch.phase,
        "output_file_id": batch.output_id or nothing,
        "error_file_id": batch.error_id or nothing,
        "created_at": int(batch.created),
        "expires_at": int(batch.created + batch.settings.window_seconds),
        **{name: moments.get(phase) for name, phase in _MOMENTS.items()},
        "request_counts": _counts(batch),
        "usage": _usage(batch) if batch.ended else None,
        "metadata": None if "lost_metadata" in batch.faults else batch.tag,
    }


def _counts(batch: Batch) -> object:
    # Nothing is counted before validation, nor of a batch that fails it.
    total = 0 if batch.phase in ("validating", "failed") else batch.total
    return {"total": total, "completed": batch.succeeded, "failed": batch.failed}


def _errors(batch: Batch) -> object:
    data = [
        {"code": problem.code, "line": problem.line, "message": problem.message, "param": problem.param}
        for problem in batch.problems
    ]
    return {"object": "list", "data": data}


def _usage(batch: Batch) -> object:
    return {
        "input_tokens": batch.input_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": batch.output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": batch.input_tokens + batch.output_tokens,
    }
