"""The score row and the ladder row: what a run of study 2 records, and every analysis of it reads."""

from __future__ import annotations

import pyarrow as pa

from judgeray.usage_columns import USAGE_COLUMNS

CONTROL = "control."
"""How the variant of a control starts: an answer that was changed without touching its facts."""

_text, _count, _number = pa.large_string(), pa.int64(), pa.float64()

SCORE_SCHEMA = pa.schema(
    [
        pa.field("dataset", _text, nullable=False),
        pa.field("question_id", _text, nullable=False),
        pa.field("level", _count),
        pa.field("variant", _text, nullable=False),
        pa.field("metric", _text, nullable=False),
        pa.field("judge", _text, nullable=False),
        pa.field("replicate", _count, nullable=False),
        pa.field("status", _text, nullable=False),
        pa.field("value", _number),
        pa.field("detail", _text),
        *USAGE_COLUMNS,
    ]
)
"""One row per answer x metric x judge x replicate. `level` counts degradation from 0 and is null for controls;
`variant` is A0, A1, ... by level, or the name of a control. `value` is null unless `status` is ok, and also where
the metric is not defined on the texts. `detail` (JSON) is what the value was made of: claims and verdicts."""

LADDER_SCHEMA = pa.schema(
    [
        pa.field("dataset", _text, nullable=False),
        pa.field("question_id", _text, nullable=False),
        pa.field("variant", _text, nullable=False),
        pa.field("level", _count),
        pa.field("status", _text, nullable=False),
        pa.field("text", _text),
        pa.field("flags", pa.large_list(_text)),
        pa.field("spans", _text),
        pa.field("protected", _text),
        pa.field("groups", _text),
        pa.field("lost", _text),
        pa.field("paraphrase_model", _text),
        pa.field("rank_model", _text),
        pa.field("perturb_model", _text),
        *USAGE_COLUMNS,
    ]
)
"""One row per question x variant (levels and controls); `text` and `flags` are null where it was not written.
`status` is ok where the ladder is settled, whole or lost; `lost` is `step: reason`, or null for a whole ladder.
`spans` are those of A0, `protected` and `groups` hold indices into them (all JSON). Status, lost, spans, protected,
groups, models and the usage of the whole ladder are the question's, and the same in each of its rows."""
