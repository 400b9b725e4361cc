"""Settings of batches: how long they take, and how large they may be."""

from __future__ import annotations

from pydantic import Field

from judgeray.emulator.settings import Amount, Seconds, Settings

_MIB = 1024 * 1024


class Batches(Settings):
    """How batches run. Changes hold for batches created afterwards.

    A batch takes `batch_seconds` (median of a lognormal with sigma `spread`), or longer where its rows take
    longer to answer; what has not ended after `window_seconds` expires. `cancel_seconds` pass between a
    cancellation and the end. New batches are missing from lists for `listing_lag_seconds`.

    The sizes are those of the APIs: OpenAI 50,000 rows and 200 MB a batch, files of 512 MB; Anthropic 100,000
    rows and 256 MB; Gemini 20 MB inline and files of 2 GB. Quotas are None for unlimited: input tokens enqueued
    by model (or `default`), rows in Anthropic's queue, and unfinished batches at Gemini.
    """

    batch_seconds: Seconds = 1.0
    spread: Seconds = 0.0
    window_seconds: Seconds = 24 * 3600.0
    cancel_seconds: Seconds = 0.1
    listing_lag_seconds: Seconds = 0.0

    openai_rows: Amount = 50_000
    openai_bytes: Amount = 200 * _MIB
    openai_file_bytes: Amount = 512 * _MIB
    anthropic_rows: Amount = 100_000
    anthropic_bytes: Amount = 256 * _MIB
    gemini_inline_bytes: Amount = 20 * _MIB
    gemini_file_bytes: Amount = 2048 * _MIB

    openai_enqueued_tokens: dict[str, Amount] = Field(default_factory=dict)
    gemini_enqueued_tokens: dict[str, Amount] = Field(default_factory=dict)
    anthropic_queued_rows: Amount | None = None
    gemini_running_batches: Amount | None = 100
