"""The sentence verdict: what a run of study 3 records of each sentence or claim, and every analysis of it reads."""

from __future__ import annotations

from typing import Literal, get_args

import pyarrow as pa

from judgeray.usage_columns import USAGE_COLUMNS

Unit = Literal["sentence", "claim"]
UNITS: tuple[Unit, ...] = get_args(Unit)
"""What is judged by itself: the sentences of a summary, or the claims of a sentence."""

_text, _count, _number = pa.large_string(), pa.int64(), pa.float64()

SENTENCE_SCHEMA = pa.schema(
    [
        pa.field("dataset", _text, nullable=False),
        pa.field("subset", _text),
        pa.field("document_id", _text, nullable=False),
        pa.field("summary_id", _text, nullable=False),
        pa.field("label", _count, nullable=False),
        pa.field("sentence_index", _count, nullable=False),
        pa.field("sentences", _count, nullable=False),
        pa.field("fragment", pa.bool_(), nullable=False),
        pa.field("sentence", _text, nullable=False),
        pa.field("claim_index", _count),
        pa.field("unit", _text, nullable=False),
        pa.field("judge", _text, nullable=False),
        pa.field("replicate", _count, nullable=False),
        pa.field("status", _text, nullable=False),
        pa.field("faithful", _count),
        pa.field("soft", _number),
        *USAGE_COLUMNS,
    ]
)
"""One row per sentence (or claim) x judge x replicate; indices count from 0, `sentences` counts those of the
summary.

`label` is what people said of the whole, 1 faithful and 0 not: of the summary where `unit` is sentence, of the
sentence where it is claim; `sentence` holds the text that was judged. `claim_index` is null for sentences, and
for a sentence whose claims could not be had, which then has one row without a value. `faithful` (0 or 1) and
`soft` (the judge's probability of 1) are null unless `status` is ok; `soft` also where the provider tells no
probabilities.
"""
