"""Table `composition`: summaries that are faithful throughout, nowhere, or in parts, to people and to judges."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from judgeray.analysis.averaging.parts import WHOLE, named, parts_of
from judgeray.analysis.averaging.whole_scores import whole_scores
from judgeray.analysis.diagnostics.estimates import Measure, fitted, interval, with_estimates
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.sentence_verdicts import Unit

KINDS = ("all_unfaithful", "mixed", "all_faithful")

PEOPLE, JUDGE, ALL_JUDGES = SOURCES = ("people", "judge", "all judges")

_KEY = ("dataset", "source", "judge")

_SCHEMA = (
    texts(*_KEY)
    | counts("summaries", "missing", *KINDS)
    | numbers(*(column for kind in KINDS for column in interval(f"{kind}_share")))
)


def composition(log: pl.DataFrame, located: pl.DataFrame | None = None, unit: Unit = "sentence") -> pl.DataFrame:
    """Tabulate what summaries of several sentences are made of (study 3, appendix C.3 and Figure 5).

    Columns: dataset, source (people, judge, all judges), judge (null but for source judge), summaries, missing,
    all_unfaithful, mixed, all_faithful (counts), and each one's share with 95 % interval by document. Only mixed
    summaries tell the minimum from the mean: their share is the power of the diagnostic.

    People's are those of which an annotator marked every sentence, by the clear ones; missing are those marked in
    part, or unclear throughout. A judge's are those with a label for every sentence, each replicate by itself. All
    judges pools the judges.
    """
    judged = whole_scores(parts_of(log, unit), "hard").select(*WHOLE, "judge", "mean")
    sources = [judged.with_columns(source=pl.lit(JUDGE)), _pooled(judged)]
    if located is not None:
        sources.append(_marked(located).with_columns(source=pl.lit(PEOPLE), judge=pl.lit(None, pl.String)))
    columns = [*WHOLE, "source", "judge", "mean"]
    return named(_tabulated(pl.concat([source.select(columns) for source in sources])), unit)


def _pooled(judged: pl.DataFrame) -> pl.DataFrame:
    return judged.with_columns(source=pl.lit(ALL_JUDGES), judge=pl.lit(None, pl.String))


def _marked(located: pl.DataFrame) -> pl.DataFrame:
    """Average what each annotator said of the clear parts of a whole; null where parts are not marked."""
    several = located.filter(pl.col("parts") > 1)
    return several.group_by(*WHOLE, "annotator").agg(
        pl.when(pl.len() == pl.col("parts").first()).then(pl.col("faithful").mean()).alias("mean")
    )


def _tabulated(wholes: pl.DataFrame) -> pl.DataFrame:
    kinds = dict(zip(KINDS, _kinds(), strict=True))
    found = [test.sum().cast(pl.Int64).alias(kind) for kind, test in kinds.items()]
    known = pl.col("mean").count().cast(pl.Int64).alias("summaries")
    table = wholes.group_by(_KEY).agg(known, pl.col("mean").null_count().cast(pl.Int64).alias("missing"), *found)
    documents = wholes.group_by(*_KEY, "document_id").agg(known, *found)
    measures = [Measure(f"{kind}_share", kind, "summaries", "share of summaries") for kind in KINDS]
    shares = with_estimates(table, documents, list(_KEY), measures, ("document_id",))
    return fitted(shares.sort("dataset", pl.col("source").cast(pl.Enum(SOURCES)), "judge"), _SCHEMA)


def _kinds() -> Iterator[pl.Expr]:
    mean = pl.col("mean")
    yield mean == 0
    yield (mean > 0) & (mean < 1)
    yield mean == 1
