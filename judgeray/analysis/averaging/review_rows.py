"""Rows of sheets for annotators: what every judge objects to, or a sample to measure judges' errors on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from judgeray.analysis.averaging.parts import PART, WHOLE, parts_of, several, wholes_of
from judgeray.analysis.averaging.suspicious import suspicious_sentences
from judgeray.analysis.diagnostics.estimates import fitted
from judgeray.analysis.schema import counts, flags, texts
from judgeray.sentence_verdicts import Unit
from judgeray.stats.draws import SEED

Documents = Mapping[tuple[str, str], str]
"""Texts of source documents by dataset and document id."""

MOST_SUMMARIES = 25
"""Summaries of a dataset that go to annotators (study 3, appendix C)."""

SHEET = (
    texts("dataset", "document_id", "summary_id")
    | counts("sentence_index", "claim_index")
    | texts("sentence", "document")
    | flags("asked")
)
"""Columns of a sheet's rows, whole after whole; `asked` rows are to be annotated, the others are shown too."""


def suspicious_rows(
    log: pl.DataFrame, documents: Documents, unit: Unit = "sentence", most: int = MOST_SUMMARIES
) -> pl.DataFrame:
    """Lay out suspicious summaries for review: all their sentences, those that every judge flags `asked`.

    The first `most` summaries of each dataset by document id are taken, of those that have such a sentence which is
    no fragment (study 3, appendix C.2). `document` is null where `documents` does not have it.
    """
    flagged = suspicious_sentences(log, unit).filter("by_every_judge")
    is_claim = unit == "claim"
    asked = flagged.select(
        *("dataset", "document_id", "summary_id"),
        pl.col("sentence_index") if is_claim else pl.lit(None, pl.Int64).alias("sentence_index"),
        pl.col("claim_index" if is_claim else "sentence_index").alias("part"),
        asked=True,
    )
    wholes = _first(asked.select(WHOLE).unique().sort(*WHOLE), most)
    return _laid_out(log, unit, wholes, asked, documents)


def sampled_rows(
    log: pl.DataFrame, documents: Documents, unit: Unit = "sentence", most: int = MOST_SUMMARIES, seed: int = SEED
) -> pl.DataFrame:
    """Lay out `most` summaries of each dataset, drawn without replacement, with every sentence `asked`.

    For `read_annotations` (study 3, appendix C.1). The draw is PCG64's from the sorted summaries of several
    sentences, afresh for each dataset.
    """
    wholes = wholes_of(several(parts_of(log, unit))).select(WHOLE).sort(*WHOLE)
    drawn = [_drawn(part, most, seed) for part in wholes.partition_by("dataset", maintain_order=True)]
    chosen = pl.concat([wholes.clear(), *drawn])
    asked = parts_of(log, unit).select(PART).unique().with_columns(asked=True)
    return _laid_out(log, unit, chosen, asked, documents)


def _first(wholes: pl.DataFrame, most: int) -> pl.DataFrame:
    return wholes.filter(pl.int_range(pl.len()).over("dataset") < most)


def _drawn(wholes: pl.DataFrame, most: int, seed: int) -> pl.DataFrame:
    generator = np.random.Generator(np.random.PCG64(seed))
    places = generator.choice(wholes.height, min(most, wholes.height), replace=False)
    return wholes[sorted(places.tolist())]


def _laid_out(
    log: pl.DataFrame, unit: Unit, wholes: pl.DataFrame, asked: pl.DataFrame, documents: Documents
) -> pl.DataFrame:
    parts = parts_of(log, unit).unique(PART, keep="first", maintain_order=True)
    shown = parts.join(wholes, on=WHOLE, how="semi", nulls_equal=True, maintain_order="left")
    rows = shown.join(asked, on=PART, how="left", nulls_equal=True, maintain_order="left")
    keys = rows.select("dataset", "document_id").rows()
    is_claim = unit == "claim"
    laid_out = rows.with_columns(
        pl.Series("document", [documents.get(key) for key in keys], pl.String),
        sentence_index=pl.col("sentence_index" if is_claim else "part"),
        claim_index=pl.col("part") if is_claim else pl.lit(None, pl.Int64),
        asked=pl.col("asked").fill_null(value=False),
    )
    return fitted(laid_out, SHEET)
