"""Logs of judged sentences are read from anywhere, and every defect is named with its row and column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from judgeray.core.errors import BadInputError
from judgeray.core.status import STATUSES
from judgeray.run.sentence_log import read_sentence_log
from judgeray.sentence_verdicts import SENTENCE_SCHEMA
from tests.analysis.averaging.made_sentences import claims_said, said, sentence_log

LOG = sentence_log([*said({"a:1": ("101", 1), "b:1": ("1-", 0)}), *claims_said({"a:1/0": ("10", 1)})])


def file(folder: Path, frame: pl.DataFrame) -> Path:
    """Write a log."""
    path = folder / "log.parquet"
    frame.write_parquet(path)
    return path


def refused(path: Path) -> str:
    """What is said of a log that must be refused, after its name."""
    with pytest.raises(BadInputError) as caught:
        read_sentence_log(path)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_log_is_read_as_it_was_written(tmp_path: Path) -> None:
    """All columns, in the order of the schema, whatever else the file has."""
    mixed = LOG.select(reversed(LOG.columns)).with_columns(note=pl.lit("x"))
    found = read_sentence_log(file(tmp_path, mixed))
    assert found.equals(LOG)
    assert found.columns == SENTENCE_SCHEMA.names


def test_other_widths_of_numbers_are_the_same(tmp_path: Path) -> None:
    """What other programs write: 32 bits, unsigned, flags for 0 and 1, categories for text."""
    other = LOG.cast(
        {"sentence_index": pl.Int32, "sentences": pl.UInt8, "judge": pl.Categorical, "soft": pl.Float32}
    )
    assert read_sentence_log(file(tmp_path, other)).equals(LOG)
    flags = LOG.with_columns(pl.col("faithful", "label").cast(pl.Boolean))
    assert read_sentence_log(file(tmp_path, flags)).equals(LOG)


def test_what_may_be_null_may_be_missing(tmp_path: Path) -> None:
    """A log that knows nothing of tokens, costs, claims and providers is read with nulls in their place."""
    needed = [field.name for field in SENTENCE_SCHEMA if not field.nullable]
    sentences = LOG.filter(pl.col("unit") == "sentence")
    found = read_sentence_log(file(tmp_path, sentences.select(*needed, "faithful")))
    assert found.equals(sentences.with_columns(pl.lit(None, LOG.schema[name]).alias(name) for name in LOG.columns
                                               if name not in (*needed, "faithful")))  # fmt: skip


@pytest.mark.parametrize("within", ["sentences", "."])
def test_all_files_of_a_run_are_one_log(tmp_path: Path, within: str) -> None:
    """In a run directory or any other; folders name dataset, design and judge, and say nothing that rows do not."""
    folder = tmp_path / within / "dataset=zzz" / "judge=nobody"
    folder.mkdir(parents=True)
    LOG.head(2).write_parquet(folder / "a.parquet")
    LOG.slice(2).write_parquet(folder / "b.parquet")
    assert read_sentence_log(tmp_path).equals(LOG)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("faithful", 2, "row 1: faithful: found '2', allowed: 0 or 1"),
        ("label", -1, "row 1: label: found '-1', allowed: 0 or 1"),
        ("label", None, "row 1: label: found nothing, allowed: a value in every row"),
        ("summary_id", None, "row 1: summary_id: found nothing, allowed: a value in every row"),
        ("soft", 1.5, "row 1: soft: found '1.5', allowed: a probability"),
        ("soft", float("nan"), "row 1: soft: found 'nan', allowed: a probability"),
        ("unit", "word", "row 1: unit: found 'word', allowed: sentence, claim"),
        ("status", "fine", f"row 1: status: found 'fine', allowed: {', '.join(STATUSES)}"),
        ("sentence_index", 3, "row 1: sentence_index: found '3', allowed: less than `sentences`"),
        ("sentence_index", -1, "row 1: sentence_index: found '-1', allowed: less than `sentences`"),
        ("sentence_index", 1, "row 2: sentence_index: found '1', allowed: each once a judge and replicate"),
    ],
)  # fmt: skip
def test_values_out_of_range_are_named(tmp_path: Path, column: str, value: Any, message: str) -> None:
    """Row, column, what was found and what is allowed."""
    first = pl.int_range(pl.len()) == 0
    wrong = LOG.with_columns(pl.when(first).then(pl.lit(value, LOG.schema[column])).otherwise(column).alias(column))
    assert refused(file(tmp_path, wrong)) == message


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    """With those that are there."""
    assert refused(file(tmp_path, LOG.select("dataset", "sentence_index"))) == (
        "missing column 'document_id'; columns found: dataset, sentence_index"
    )


def test_a_column_of_another_type_is_named(tmp_path: Path) -> None:
    """Text where numbers belong."""
    wrong = LOG.with_columns(label=pl.lit("faithful"))
    assert refused(file(tmp_path, wrong)) == "label: found String, allowed: Int64"


def test_what_is_no_log_is_named(tmp_path: Path) -> None:
    """Another format, a broken file, no rows."""
    (tmp_path / "log.csv").write_text("sentence_index\n1\n")
    assert refused(tmp_path / "log.csv") == "suffix: found '.csv', allowed: .parquet."
    (tmp_path / "log.parquet").write_text("no Parquet")
    assert refused(tmp_path / "log.parquet").startswith("cannot be read: ")
    assert refused(tmp_path / "gone.parquet").startswith("cannot be read: ")
    assert refused(file(tmp_path, LOG.clear())) == "no rows: the log is empty"
