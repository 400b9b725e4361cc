"""Gemini's batches as the operations that its REST API shows."""

from __future__ import annotations

from typing import Any

from judgeray.emulator.batch import Batch, Phase
from judgeray.emulator.gemini_batch_rows import GRPC_CODES
from judgeray.emulator.times import rfc3339
from judgeray.emulator.wire import load_json

UNKNOWN_STATE = "BATCH_STATE_REBALANCING"
_TYPE = "type.googleapis.com/google.ai.generativelanguage.v1main"
_STATES: dict[Phase, str] = {
    "validating": "BATCH_STATE_PENDING",
    "in_progress": "BATCH_STATE_RUNNING",
    "finalizing": "BATCH_STATE_RUNNING",
    "cancelling": "BATCH_STATE_RUNNING",
    "completed": "BATCH_STATE_SUCCEEDED",
    "failed": "BATCH_STATE_FAILED",
    "expired": "BATCH_STATE_EXPIRED",
    "cancelled": "BATCH_STATE_CANCELLED",
}
_ERRORS: dict[Phase, tuple[int, str]] = {
    "failed": (13, "The batch failed."),
    "expired": (4, "The batch expired before it could be processed."),
    "cancelled": (1, "The batch was cancelled."),
}


def operation_view(batch: Batch, *, with_results: bool) -> dict[str, Any]:
    """Write a batch as it stands; inline results only `with_results`, which lists are not."""
    state = UNKNOWN_STATE if "unknown_state" in batch.faults and not batch.ended else _STATES[batch.phase]
    moments = [rfc3339(at) for at in batch.began.values()]
    metadata: dict[str, Any] = {
        "@type": f"{_TYPE}.GenerateContentBatch",
        "name": f"batches/{batch.id}",
        "model": f"models/{batch.facts['model']}",
        "state": state,
        "createTime": moments[0],
        "updateTime": moments[-1],
        "batchStats": _stats(batch),
    }
    if batch.tag is not None and "lost_metadata" not in batch.faults:
        metadata["displayName"] = batch.tag
    if batch.facts["file"] is not None:
        metadata["inputConfig"] = {"fileName": batch.facts["file"]}
    view: dict[str, Any] = {"name": f"batches/{batch.id}", "metadata": metadata}
    if batch.ended:
        _finish(view, batch, with_results=with_results)
    return view


def _finish(view: dict[str, Any], batch: Batch, *, with_results: bool) -> None:
    view["done"] = True
    view["metadata"]["endTime"] = rfc3339(batch.began[batch.phase])
    if batch.phase in _ERRORS:
        code, message = _ERRORS[batch.phase]
        if batch.problems:
            problem = batch.problems[0]
            # What is wrong with the input has no name of google.rpc.Code here.
            code, message = GRPC_CODES.get(problem.code, GRPC_CODES["INVALID_ARGUMENT"]), problem.message
        view["error"] = {"code": code, "message": message}
        return
    output = _output(batch) if with_results or batch.facts["file"] is not None else {}
    view["metadata"]["output"] = output
    view["response"] = {"@type": f"{_TYPE}.GenerateContentBatchOutput", **output}


def _output(batch: Batch) -> dict[str, Any]:
    if batch.facts["file"] is not None:
        missing = batch.output_id is None or "empty_file_ids" in batch.faults
        return {"responsesFile": "" if missing else f"files/{batch.output_id}"}
    return {"inlinedResponses": {"inlinedResponses": _inline(batch)}}


def _inline(batch: Batch) -> list[Any]:
    lines: list[Any] = [load_json(line) for line in batch.output.read_bytes().splitlines()]
    if "lost_metadata" in batch.faults:
        for line in lines:
            line.pop("metadata", None)
    return lines


def _stats(batch: Batch) -> dict[str, str]:
    counts = {
        "requestCount": batch.total,
        "successfulRequestCount": batch.succeeded,
        "failedRequestCount": batch.failed,
        "pendingRequestCount": batch.total - batch.succeeded - batch.failed,
    }
    return {name: str(count) for name, count in counts.items() if count or name == "requestCount"}
