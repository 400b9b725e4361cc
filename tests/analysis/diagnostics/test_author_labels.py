"""Judges against construction and author labels: the 60 rows of study 1, section 6.1."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from judgeray.analysis.accuracy import accuracy
from judgeray.analysis.contrasts import contrasts
from judgeray.analysis.diagnostics.standard_accuracy import standard_accuracy
from judgeray.analysis.diagnostics.standard_agreement import standard_agreement
from judgeray.analysis.diagnostics.standard_contrasts import standard_contrasts
from judgeray.analysis.diagnostics.standard_disagreements import standard_disagreements
from judgeray.analysis.diagnostics.standards import read_standards
from judgeray.analysis.grid import grid_of
from tests.analysis.diagnostics.made_standards import P, S, U
from tests.analysis.made_logs import make_log

TABLE_4 = {
    "opus": {"C": (53, 54), "H": (55, 52), "R": (59, 50)},
    "gpt": {"C": (49, 54), "H": (50, 53), "R": (56, 51)},
    "gemini": {"C": (48, 55), "H": (50, 53), "R": (55, 52)},
}
"""Rows right of 60 by judge and design, by construction and by the author (study 1, Tables 4 and 13)."""

OTHER_LABEL = {"truthfulqa": U, "asqa": P, "qampari": P}
DISPUTED = 9
"""ASQA partial rows that the author labelled supported."""


def paper_rows() -> list[tuple[str, str, str, str, str]]:
    """Dataset, question, row, label by construction and by the author: the disputed rows come first."""
    rows = [
        (dataset, f"q{question}", f"{dataset}:q{question}:{label}", label, label)
        for dataset, other in OTHER_LABEL.items()
        for question in range(10)
        for label in (other, S)
    ]
    asqa = [row for row in rows if row[0] == "asqa" and row[3] == P]
    disputed = [(*row[:4], S) for row in asqa[:DISPUTED]]
    return disputed + [row for row in rows if row not in asqa[:DISPUTED]]


def paper_verdicts(construction: int, author: int) -> list[str]:
    """Verdicts on `paper_rows` with so many right by either standard.

    Of the disputed rows some say what construction says and some what the author says; the other rows, on which
    both agree, make up the rest.
    """
    rows = paper_rows()
    apart = construction - author
    for by_author in range(DISPUTED + 1):
        by_construction, agreed = by_author + apart, author - by_author
        if 0 <= by_construction <= DISPUTED - by_author and agreed <= len(rows) - DISPUTED:
            break
    disputed = [P] * by_construction + [S] * by_author + [U] * (DISPUTED - by_construction - by_author)
    wrong = {S: U, P: U, U: S}
    return disputed + [
        label if number < agreed else wrong[label] for number, (*_, label) in enumerate(rows[DISPUTED:])
    ]


def paper_log() -> pl.DataFrame:
    """540 verdicts: three judges, three designs, 60 rows."""
    names = ("dataset", "question_id", "row_id", "label")
    return make_log(
        [
            dict(zip(names, row[:4], strict=True)) | {"judge": judge, "design": design, "verdict": verdict}
            for judge, designs in TABLE_4.items()
            for design, right in designs.items()
            for row, verdict in zip(paper_rows(), paper_verdicts(*right), strict=True)
        ]
    )


@pytest.fixture(scope="module")
def standards(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """The author's 60 labels, read from a file."""
    path = tmp_path_factory.mktemp("author") / "labels.csv"
    lines = [f"{row},author,{label}" for _, _, row, _, label in paper_rows()]
    path.write_text("\n".join(["row_id,annotator,label", *lines]))
    return read_standards(path, paper_log())


def test_table_13_agreement_comes_out(standards: pl.DataFrame) -> None:
    """20 of 20, 11 of 20, 20 of 20, and 51 of 60: 85.0 %."""
    table = standard_agreement(standards)
    assert table.select("dataset", "a", "b", "rows", "agree").rows() == [
        (None, "construction", "author", 60, 51),
        ("asqa", "construction", "author", 20, 11),
        ("qampari", "construction", "author", 20, 20),
        ("truthfulqa", "construction", "author", 20, 20),
    ]
    assert [round(100 * share, 1) for share in table["share"]] == [85.0, 55.0, 100.0, 100.0]
    asqa = table.row(1, named=True)
    assert asqa["cohen_kappa"] == pytest.approx((11 / 20 - 1 / 2) / (1 / 2))
    assert asqa["cohen_kappa_low"] < asqa["cohen_kappa"] < asqa["cohen_kappa_high"]
    assert table["krippendorff_alpha"].null_count() == 4


def test_tables_4_and_13_accuracy_come_out(standards: pl.DataFrame) -> None:
    """Every printed count of right rows, of 60, under both standards."""
    table = standard_accuracy(paper_log(), standards).filter(pl.col("dataset").is_null())
    counts = {(row["judge"], row["design"], row["standard"]): row["right"] for row in table.rows(named=True)}
    printed = {
        (judge, design, standard): right
        for judge, designs in TABLE_4.items()
        for design, both in designs.items()
        for standard, right in zip(("construction", "author"), both, strict=True)
    }
    assert counts == printed
    assert table["rows"].to_list() == [60] * 18
    assert (table["accuracy_low"] < table["accuracy"]).all()


def test_the_author_turns_the_order_of_every_judge(standards: pl.DataFrame) -> None:
    """R > H > C by construction, C > H > R by the author, every pair of designs reversed for every judge."""
    table = standard_contrasts(paper_log(), standards).filter(pl.col("dataset").is_null())
    assert table["reversed"].to_list() == [True] * 9
    assert set(table["order_construction"]) == {"R > H > C"}
    assert set(table["order_standard"]) == {"C > H > R"}
    for row in table.rows(named=True):
        for by, place in (("construction", 0), ("standard", 1)):
            right = TABLE_4[row["judge"]]
            delta = (right[row["a"]][place] - right[row["b"]][place]) / 60
            assert row[f"delta_{by}"] == pytest.approx(delta)
            assert row[f"delta_{by}_low"] <= row[f"delta_{by}"] <= row[f"delta_{by}_high"]
    assert set(table.select("rows", "questions", "standard").rows()) == {(60, 30, "author")}


def test_table_14_rows_come_out(standards: pl.DataFrame) -> None:
    """The nine disputed rows, all ASQA, partial by construction and supported by the author."""
    table = standard_disagreements(standards)
    assert table.columns == ["row_id", "dataset", "question_id", "variant", "construction", "author"]
    assert table.height == DISPUTED
    assert set(table.select("dataset", "construction", "author").rows()) == {("asqa", P, S)}
    assert table["question_id"].is_sorted()


def test_datasets_of_equal_question_ids_are_clusters_of_their_own(standards: pl.DataFrame) -> None:
    """Question q0 stands in three datasets: pooled, these are three questions, not one."""
    table = standard_contrasts(paper_log(), standards)
    assert set(table.group_by("dataset").agg(pl.col("questions").unique().first()).rows()) == {
        (None, 30),
        *((dataset, 10) for dataset in OTHER_LABEL),
    }


def test_construction_gives_the_tables_of_the_analysis(standards: pl.DataFrame) -> None:
    """Where all rows are labelled, accuracy, contrasts and intervals are those of `accuracy` and `contrasts`."""
    grid = grid_of(paper_log())
    ends = ["accuracy", "accuracy_low", "accuracy_high"]
    keys = ["dataset", "design", "judge", "condition"]
    mine = standard_accuracy(paper_log(), standards).drop_nulls("dataset").sort(keys)
    assert_frame_equal(
        mine.filter(pl.col("standard") == "construction").select(*keys, *ends), accuracy(grid).select(*keys, *ends)
    )
    keys = ["dataset", "judge", "condition", "a", "b"]
    ends = ["delta_accuracy", "delta_accuracy_low", "delta_accuracy_high"]
    deltas = standard_contrasts(paper_log(), standards).drop_nulls("dataset").sort(keys)
    found = deltas.select(*keys, *(pl.col(end.replace("accuracy", "construction")).alias(end) for end in ends))
    assert_frame_equal(found, contrasts(grid).sort(keys).select(*keys, *ends))


def test_rows_of_the_log_that_nobody_labelled_have_no_effect(standards: pl.DataFrame) -> None:
    """A whole study may stand around the labelled subset."""
    more = make_log(
        [
            {"question_id": "q99", "row_id": f"x{n}", "dataset": "asqa", "judge": "opus", "design": "C"}
            for n in range(9)
        ]
    )
    log = pl.concat([paper_log(), more])
    assert_frame_equal(standard_accuracy(log, standards), standard_accuracy(paper_log(), standards))
    assert_frame_equal(standard_contrasts(log, standards), standard_contrasts(paper_log(), standards))


def test_without_rows_the_tables_have_their_columns(standards: pl.DataFrame) -> None:
    """An empty set of standards gives empty tables."""
    none, log = standards.clear(), paper_log()
    for table in (standard_accuracy, standard_contrasts):
        assert (table(log, none).height, table(log, none).schema) == (0, table(log, standards).schema)
    assert (standard_agreement(none).height, standard_agreement(none).schema) == (
        0,
        standard_agreement(standards).schema,
    )
    assert standard_disagreements(none).height == 0
