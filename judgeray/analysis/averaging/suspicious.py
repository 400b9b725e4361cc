"""Tables `suspicious` and `suspicious_sentences`: what people call faithful and every judge objects to."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.averaging.flagged import flagged_parts, flagged_wholes
from judgeray.analysis.averaging.parts import WHOLE, named
from judgeray.analysis.diagnostics.estimates import Measure, fitted, interval, with_estimates
from judgeray.analysis.schema import counts, flags, numbers, texts
from judgeray.sentence_verdicts import Unit

_SUSPICIOUS = (
    texts("dataset")
    | counts("judges", "summaries", "unknown", "suspicious")
    | numbers(*interval("share"))
    | counts("flagged_by_all", "fragments", "reviewable")
)

_SENTENCES = (
    texts("dataset", "subset", "document_id", "summary_id")
    | counts("sentence_index", "claim_index", "judges_flagging", "judges")
    | flags("by_every_judge")
    | texts("sentence")
)


def suspicious(log: pl.DataFrame, unit: Unit = "sentence") -> pl.DataFrame:
    """Count, by dataset, human-faithful summaries in which every judge flags a sentence (study 3, Figure 4).

    Columns: dataset, judges, summaries (human-faithful ones of several sentences), unknown (of these, without the
    labels to tell), suspicious, share (of those known) with 95 % interval by document, flagged_by_all (sentences of
    suspicious summaries that all judges flag), fragments (among these), reviewable (suspicious summaries with a
    flagged_by_all sentence that is no fragment). Where `unit` is claim, wholes are sentences.
    """
    wholes = flagged_wholes(log, unit)
    known = pl.col("suspicious").is_not_null()
    table = wholes.group_by("dataset").agg(
        pl.len().cast(pl.Int64).alias("summaries"),
        (~known).sum().cast(pl.Int64).alias("unknown"),
        pl.col("suspicious").sum().cast(pl.Int64).alias("suspicious"),
    )
    documents = wholes.group_by("dataset", "document_id").agg(
        pl.col("suspicious").sum().cast(pl.Int64).alias("sums"), known.sum().cast(pl.Int64).alias("counts")
    )
    measure = Measure("share", "sums", "counts", f"share of {'sentences' if unit == 'claim' else 'summaries'}")
    shares = with_estimates(table, documents, ["dataset"], [measure], ("document_id",))
    judges = flagged_parts(log, unit).select("dataset", "judges").unique()
    counted = shares.join(judges, on="dataset").join(_agreed(log, unit), on="dataset", how="left")
    filled = counted.with_columns(pl.col("flagged_by_all", "fragments", "reviewable").fill_null(0))
    return named(fitted(filled, _SUSPICIOUS).sort("dataset"), unit)


def suspicious_sentences(log: pl.DataFrame, unit: Unit = "sentence") -> pl.DataFrame:
    """List the sentences of suspicious summaries that a judge flags, fragments left out.

    Columns: dataset, subset, document_id, summary_id, sentence_index, claim_index, judges_flagging, judges,
    by_every_judge (these go to review, study 3, appendix C), sentence. Sorted by dataset, document, summary, index;
    where `unit` is claim, `sentence` holds the claim.
    """
    found = _of_suspicious(log, unit).filter((pl.col("judges_flagging") > 0) & ~pl.col("fragment"))
    is_claim = unit == "claim"
    listed = found.with_columns(
        sentence_index=pl.col("sentence_index" if is_claim else "part"),
        claim_index=pl.col("part") if is_claim else pl.lit(None, pl.Int64),
        by_every_judge=pl.col("judges_flagging") == pl.col("judges"),
    )
    return fitted(listed, _SENTENCES)


def _of_suspicious(log: pl.DataFrame, unit: Unit) -> pl.DataFrame:
    wholes = flagged_wholes(log, unit).filter(pl.col("suspicious"))
    return flagged_parts(log, unit).join(wholes, on=WHOLE, how="semi", nulls_equal=True, maintain_order="left")


def _agreed(log: pl.DataFrame, unit: Unit) -> pl.DataFrame:
    agreed = _of_suspicious(log, unit).filter(pl.col("judges_flagging") == pl.col("judges"))
    whole = pl.struct(WHOLE).filter(~pl.col("fragment")).n_unique()
    return agreed.group_by("dataset").agg(
        pl.len().cast(pl.Int64).alias("flagged_by_all"),
        pl.col("fragment").sum().cast(pl.Int64).alias("fragments"),
        whole.cast(pl.Int64).alias("reviewable"),
    )
