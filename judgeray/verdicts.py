"""The verdict row: the columns that the engine writes and every analysis reads."""

from __future__ import annotations

import pyarrow as pa

NEEDED_COLUMNS = ("dataset", "question_id", "row_id", "label", "design", "judge", "verdict")
"""The columns without which a verdict log cannot be analysed; all others have defaults or may be null."""

_text, _count, _number = pa.large_string(), pa.int64(), pa.float64()

VERDICT_SCHEMA = pa.schema(
    [
        pa.field("dataset", _text, nullable=False),
        pa.field("question_id", _text, nullable=False),
        pa.field("row_id", _text, nullable=False),
        pa.field("variant", _text),
        pa.field("label", _text, nullable=False),
        pa.field("design", _text, nullable=False),
        pa.field("judge", _text, nullable=False),
        pa.field("condition", _text, nullable=False),
        pa.field("replicate", _count, nullable=False),
        pa.field("status", _text, nullable=False),
        pa.field("verdict", _text),
        pa.field("score", _number),
        pa.field("confidence", _number),
        pa.field("parse_branch", _text),
        pa.field("input_tokens", _count),
        pa.field("output_tokens", _count),
        pa.field("reasoning_tokens", _count),
        pa.field("cached_tokens", _count),
        pa.field("total_tokens", _count),
        pa.field("cost_usd", _number),
        pa.field("provider", _text),
        pa.field("model", _text),
        pa.field("served_model", _text),
        pa.field("mode", _text),
        pa.field("call_keys", pa.large_list(_text)),
        pa.field("attempts", _count),
        pa.field("latency_seconds", _number),
        pa.field("finish_reason", _text),
        pa.field("complexity", _count),
        pa.field("simulated", pa.bool_()),
        pa.field("error", _text),
    ]
)
"""One row per row x arm. `verdict` is null unless `status` is ok. Null means not known, never zero."""
