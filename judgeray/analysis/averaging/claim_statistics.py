"""Table `claim_statistics`: into how many claims sentences were parted."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.averaging.parts import parts_of, wholes_of
from judgeray.analysis.diagnostics.estimates import fitted
from judgeray.analysis.schema import counts, numbers, texts

_SCHEMA = (
    texts("dataset")
    | counts("sentences", "without_claims", "claims")
    | numbers("mean_claims", "sd_claims", "share_with_two")
)


def claim_statistics(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate the claims of sentences by dataset (study 3, appendix D.2).

    Columns: dataset, sentences (with claims), without_claims (whose claims could not be had), claims, mean_claims
    and sd_claims (of a sentence; n - 1 in the denominator), share_with_two (sentences of at least two claims,
    which alone tell the minimum from the mean).
    """
    claims = pl.col("parts")
    table = wholes_of(parts_of(log, "claim")).group_by("dataset").agg(
        claims.count().alias("sentences"),
        claims.null_count().alias("without_claims"),
        claims.sum().alias("claims"),
        claims.mean().alias("mean_claims"),
        claims.sort().std().alias("sd_claims"),
        (claims > 1).mean().alias("share_with_two"),
    )  # fmt: skip
    return fitted(table, _SCHEMA).sort("dataset")
