"""Columns that every kind of record has: what its calls used, who answered, and what went wrong."""

from __future__ import annotations

import pyarrow as pa

_text, _count, _number = pa.large_string(), pa.int64(), pa.float64()

USAGE_COLUMNS = (
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
    pa.field("simulated", pa.bool_()),
    pa.field("error", _text),
)
"""Null means not known, never zero. Verdict rows have `complexity` before the last two."""
