"""Table `contrasts`: design against design on the same questions (study 1, Tables 3, 17 and 18)."""

from __future__ import annotations

from functools import partial

import polars as pl

from judgeray.analysis.cells import Matrix, per_cell
from judgeray.analysis.pairs import PAIR, design_pairs, paired_questions
from judgeray.stats.bootstrap import clustered_means
from judgeray.stats.estimate import Estimate
from judgeray.stats.multiplicity import benjamini_hochberg, holm
from judgeray.stats.sign_test import SignTest, sign_test
from judgeray.stats.stability import sign_stability

_COUNTS = ("wins_a", "wins_b", "ties")
_ACCURACY = ("delta_accuracy", "delta_accuracy_low", "delta_accuracy_high")
_TOKENS = ("delta_tokens", "delta_tokens_low", "delta_tokens_high")
_SCHEMA = {
    **dict.fromkeys(PAIR, pl.String),
    "questions": pl.Int64,
    **dict.fromkeys((*_ACCURACY, *_TOKENS), pl.Float64),
    **dict.fromkeys(_COUNTS, pl.Int64),
    **dict.fromkeys(("p_sign", "p_holm", "p_bh", "stability"), pl.Float64),
}


def contrasts(log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate every pair of designs (a, b) for each dataset, judge and condition; differences are a minus b.

    Only rows that both designs settled are compared, and `questions` counts the questions that have such rows
    (replicates count as rows). A difference is the mean over questions of the question's mean difference. A
    question is won by the design with more correct rows in it. `p_sign` is the exact sign test on won
    questions; `p_holm` and `p_bh` adjust it over all contrasts of the table. Null where nothing is known: a
    pair without common questions, intervals and stability with fewer than two, stability without a difference.
    """
    questions = paired_questions(log)
    pairs = questions.select(PAIR).unique(maintain_order=True)
    measured = pairs.hstack(_measures(questions))
    table = _all_pairs(log).join(measured, on=PAIR, how="left").sort(PAIR)
    table = table.with_columns(pl.col("questions", *_COUNTS).fill_null(0))
    p = table["p_sign"].to_numpy()
    adjusted = [
        pl.Series("p_holm", holm(p)).fill_nan(None),
        pl.Series("p_bh", benjamini_hochberg(p)).fill_nan(None),
    ]
    return table.with_columns(adjusted).select(*_SCHEMA)


def _measures(questions: pl.DataFrame) -> pl.DataFrame:
    """Estimate one row a pair, in the order of the pairs."""
    correct, tokens = ["correct_difference", "rows"], ["token_difference", "token_rows"]
    accuracy = per_cell(questions, PAIR, correct, partial(clustered_means, unit="share of rows"))
    token = per_cell(questions, PAIR, tokens, partial(clustered_means, unit="tokens a call"))
    tests = per_cell(questions, PAIR, correct, _sign_tests)
    stability = per_cell(questions, PAIR, correct, sign_stability)
    rows = [
        (
            test.wins_a + test.wins_b + test.ties,
            *_ends(delta),
            *_ends(cost),
            test.wins_a,
            test.wins_b,
            test.ties,
            test.p,
            same.value,
        )
        for delta, cost, test, same in zip(accuracy, token, tests, stability, strict=True)
    ]
    schema = {name: kind for name, kind in _SCHEMA.items() if name not in (*PAIR, "p_holm", "p_bh")}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _sign_tests(differences: Matrix, _rows: Matrix) -> list[SignTest]:
    return [sign_test(cell) for cell in differences]


def _ends(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    return estimate.value, estimate.low, estimate.high


def _all_pairs(log: pl.DataFrame) -> pl.DataFrame:
    """List the pairs that the log holds, also those without a row in common."""
    arms = log.group_by("dataset", "judge", "condition").agg(pl.col("design").unique())
    found = [(*place, a, b) for *place, designs in arms.rows() for a, b in design_pairs(designs)]
    return pl.DataFrame(found, schema=dict.fromkeys(PAIR, pl.String), orient="row")
