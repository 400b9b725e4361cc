"""Table `self_preference`: whether judges call answers of their own family supported more often than others'."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from judgeray.analysis.arms import main_condition
from judgeray.analysis.diagnostics.estimates import Measure, fitted, interval, with_estimates
from judgeray.analysis.diagnostics.generated_rows import FULL, generated_rows, mapped
from judgeray.analysis.diagnostics.own_answers import ARM, own_contrasts
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.stats.bootstrap import clustered_means
from judgeray.stats.sign_test import sign_test_p

FEW_DIFFER = 10
FEW_CAUTION = "fewer than 10 questions carry a difference: the interval is too narrow"
UNKNOWN_CAUTION = "the judge's family is not known"
NO_OWN_CAUTION = "no question has answers of the judge's family and of others"
NO_OTHER_CAUTION = "no judge of another family: own answers may simply be better or worse"
WRITER_CAUTION = "a judge of another family wrote some of the other answers: its own preference adds to `adjusted`"

_SHARES = ("own_supported", "others_supported")
_SCORES = ("own_score", "others_score")
_SCHEMA = (
    texts(*ARM, "family")
    | counts("questions", "rows")
    | numbers(*_SHARES, *interval("preference"), *interval("adjusted"))
    | counts("other_judges", "differing", "wins_own", "wins_others")
    | numbers("p_sign")
    | counts("score_questions")
    | numbers(*_SCORES, *interval("score_preference"), *interval("score_adjusted"))
    | texts("caution")
)


def self_preference(log: pl.DataFrame, families: Mapping[str, str]) -> pl.DataFrame:
    """Tabulate dataset, judge, design, family, and how own answers fare against others', on whole answers.

    `log` is a verdict log (see `generated_rows`), taken in its main condition; `families` names the family of each
    judge and generator. Own answers are those of generators of the judge's family. Only rows with a verdict count,
    and only questions that have own answers and others.

    - own_supported, others_supported: mean over questions of the share of answers called supported; `preference`
      with interval is their difference, own minus others. Own answers may be better.
    - adjusted, with interval: each question's difference minus the mean of the differences that judges of other
      families (`other_judges` of them) make between the same answers, which takes the answers' quality out.
    - differing questions carry a difference: `wins_own` favour own answers, `wins_others` the others; `p_sign` is
      the exact sign test between them, unadjusted.
    - score_questions, own_score, others_score, score_preference, score_adjusted: the same for the mean score.

    `caution` says what weakens the row. Null where nothing is known.
    """
    rows = _rows(log, families)
    supported = own_contrasts(rows, "supported")
    table = rows.select(*ARM, "family").unique().join(_summed(supported), on=ARM, how="left")
    table = _with_contrasts(table, supported, "preference", "adjusted", "share of answers")
    scored = own_contrasts(rows, "score")
    scores = scored.group_by(ARM).agg(pl.len().alias("score_questions"), *_means(_SCORES))
    table = _with_contrasts(
        table.join(scores, on=ARM, how="left"), scored, "score_preference", "score_adjusted", "score"
    )
    counted = [name for name, kind in _SCHEMA.items() if kind == pl.Int64()]
    table = table.with_columns(pl.col(counted).fill_null(0), _p_sign(table).alias("p_sign"))
    return fitted(table.join(_writers(rows), on=ARM, how="left").with_columns(_caution()), _SCHEMA).sort(ARM)


def _rows(log: pl.DataFrame, families: Mapping[str, str]) -> pl.DataFrame:
    """Give the whole answers with a verdict, with the families of judge and author."""
    rows = generated_rows(log)
    if rows.height:
        rows = rows.filter(pl.col("condition") == main_condition(rows))
    read = rows.filter((pl.col("length") == FULL) & pl.col("verdict").is_not_null())
    return read.with_columns(
        family=mapped(pl.col("judge"), families),
        author=mapped(pl.col("generator"), families),
        supported=(pl.col("verdict") == "supported").cast(pl.Float64),
    )


def _summed(contrasts: pl.DataFrame) -> pl.DataFrame:
    gain = pl.col("numerator")
    return contrasts.group_by(ARM).agg(
        pl.len().alias("questions"),
        (pl.col("own_rows") + pl.col("others_rows")).sum().alias("rows"),
        *_means(_SHARES),
        pl.col("controls").max().alias("other_judges"),
        (gain != 0).sum().alias("differing"),
        (gain > 0).sum().alias("wins_own"),
        (gain < 0).sum().alias("wins_others"),
    )


def _means(names: tuple[str, str]) -> list[pl.Expr]:
    """Average the questions' means of own and of other answers."""
    return [
        (pl.col(f"{side}_sum") / pl.col(f"{side}_rows")).sort().mean().alias(name)
        for side, name in zip(("own", "others"), names, strict=True)
    ]


def _with_contrasts(
    table: pl.DataFrame, contrasts: pl.DataFrame, raw: str, adjusted: str, unit: str
) -> pl.DataFrame:
    measures = [
        Measure(raw, "numerator", "denominator", unit, clustered_means),
        Measure(adjusted, "adjusted", "compared", unit, clustered_means),
    ]
    compared = contrasts.with_columns(compared=pl.col("control").is_not_null().cast(pl.Int64))
    return with_estimates(table, compared, ARM, measures)


def _p_sign(table: pl.DataFrame) -> pl.Series:
    wins = [table[name].fill_null(0).to_numpy() for name in ("wins_own", "wins_others")]
    return pl.Series(sign_test_p(*wins), dtype=pl.Float64).set(table["questions"].is_null(), None)


def _writers(rows: pl.DataFrame) -> pl.DataFrame:
    """Say of each arm whether a judge of another family judged beside it whose family wrote answers too."""
    place = ("dataset", "design")
    judges = rows.select(*ARM, "family").drop_nulls().unique()
    authors = rows.select(*place, pl.col("author").alias("family")).drop_nulls().unique()
    writing = judges.join(authors, on=[*place, "family"]).select(*place, pl.col("family").alias("writer")).unique()
    others = judges.join(writing, on=place).filter(pl.col("family") != pl.col("writer"))
    return others.select(ARM).unique().with_columns(other_writes=pl.lit(value=True))


def _caution() -> pl.Expr:
    known, own = pl.col("family").is_not_null(), pl.col("questions") > 0
    controlled = pl.col("other_judges") > 0
    reasons = {
        UNKNOWN_CAUTION: ~known,
        NO_OWN_CAUTION: known & ~own,
        FEW_CAUTION: own & (pl.col("differing") < FEW_DIFFER),
        NO_OTHER_CAUTION: own & ~controlled,
        WRITER_CAUTION: own & controlled & pl.col("other_writes").fill_null(value=False),
    }
    told = [pl.when(holds).then(pl.lit(reason)) for reason, holds in reasons.items()]
    return pl.concat_str(told, separator="; ", ignore_nulls=True).replace("", None).alias("caution")
