"""Table `subsets`: how much there is of each part of a benchmark (study 3, Tables 1 and 7)."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.diagnostics.estimates import fitted
from judgeray.analysis.schema import counts, numbers, texts

_KEY = ("dataset", "subset")
_SCHEMA = (
    texts(*_KEY)
    | counts("documents", "summaries", "faithful", "unfaithful", "sentences", "fragments")
    | numbers("mean_sentences", "sd_sentences")
)


def subsets(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate dataset, subset, documents, summaries, faithful and unfaithful ones by human label, sentences.

    Summaries are those whose sentences were judged, of two sentences and more. `fragments` are sentences of fewer
    than five words, `mean_sentences` and `sd_sentences` (n - 1) are over summaries; null where there are too few.
    """
    judged = log.filter(pl.col("unit").cast(pl.String) == "sentence")
    rows = judged.select(
        *(pl.col(name).cast(pl.String) for name in (*_KEY, "document_id", "summary_id")),
        *(pl.col(name).cast(pl.Int64) for name in ("sentence_index", "sentences", "label")),
        "fragment",
    ).unique(["dataset", "document_id", "summary_id", "sentence_index"])
    wholes = rows.group_by(*_KEY, "document_id", "summary_id").agg(
        pl.col("label", "sentences").first(), pl.col("fragment").sum().cast(pl.Int64).alias("fragments")
    )
    table = wholes.group_by(_KEY).agg(
        pl.col("document_id").n_unique().cast(pl.Int64).alias("documents"),
        pl.len().cast(pl.Int64).alias("summaries"),
        (pl.col("label") == 1).sum().cast(pl.Int64).alias("faithful"),
        (pl.col("label") == 0).sum().cast(pl.Int64).alias("unfaithful"),
        pl.col("sentences").sum(),
        pl.col("fragments").sum(),
        pl.col("sentences").sort().mean().alias("mean_sentences"),
        pl.col("sentences").sort().std().alias("sd_sentences"),
    )
    return fitted(table, _SCHEMA).sort(_KEY)
