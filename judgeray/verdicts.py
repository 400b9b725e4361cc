"""The verdict row: the columns that the engine writes and every analysis reads."""

from __future__ import annotations

import pyarrow as pa

from judgeray.usage_columns import USAGE_COLUMNS

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
        *USAGE_COLUMNS[:-2],
        pa.field("complexity", _count),
        *USAGE_COLUMNS[-2:],
    ]
)
"""One row per row x arm. `verdict` is null unless `status` is ok. Null means not known, never zero."""

PAIR_LABELS = ("first", "second", "tie")
"""Verdicts of pairwise designs: which candidate of a pair is better, wherever it was shown."""

PAIR_SCHEMA = pa.schema(
    [
        *VERDICT_SCHEMA,
        pa.field("position", _text),
        pa.field("score_first", _number),
        pa.field("score_second", _number),
    ]
)
"""One row per pair of candidates x arm: `row_id` is the pair's, `label` the better candidate, `condition` full
where the first candidate is shown as Answer A and reversed where the second is. `position` is what the judge said:
A, B or tie. `score` is null: each candidate has its own."""

TEXT_SCHEMA = pa.schema(
    [
        pa.field("dataset", _text, nullable=False),
        pa.field("question_id", _text, nullable=False),
        pa.field("text_id", _text, nullable=False),
        pa.field("writer", _text, nullable=False),
        pa.field("generator", _text, nullable=False),
        pa.field("status", _text, nullable=False),
        pa.field("text", _text),
        pa.field("partial", _text),
        pa.field("identical", pa.bool_()),
        pa.field("parameters", _text),
        *USAGE_COLUMNS,
    ]
)
"""One row per question x generator: the written answer, its nominal partial, and the parameters sent (JSON).
`identical` tells that the partial is the whole text plus a period. `status` is that of the writer's call."""
