"""What a verdict log must hold to be analysed: checked before any number is computed."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from judgeray.analysis.columns import shown
from judgeray.analysis.consistency import is_consistent
from judgeray.analysis.place import Place
from judgeray.core.errors import BadInputError, bad_value
from judgeray.core.status import STATUSES

IDENTITY = ("dataset", "row_id", "design", "judge", "condition", "replicate")
"""What makes a verdict row one: a log holds each combination once."""


def check_values(log: pl.DataFrame, labels: Sequence[str], place: Place) -> None:
    """Check the values of rows one by one.

    Raises BadInputError, naming the row (from 1), for a null id or label, a label, verdict or status that is
    not known, and a verdict that contradicts its status.
    """
    for name in ("dataset", "question_id", "row_id", "label", "design", "judge"):
        _reject_missing(log, name, place)
    _reject_unknown(log, "label", labels, place)
    _reject_unknown(log, "verdict", labels, place)
    _reject_unknown(log, "status", STATUSES, place)
    contradiction = (log["status"] == "ok") != log["verdict"].is_not_null()
    for row in contradiction.arg_true().head(1):
        status, verdict = log["status"][row], log["verdict"][row]
        found = "no verdict" if verdict is None else f"verdict '{verdict}'"
        raise BadInputError(
            f"{place.row(row)}: status '{status}' with {found}; a verdict stands exactly where status is ok"
        )


def check_rows(log: pl.DataFrame, where: str) -> None:
    """Check rows against each other.

    Raises BadInputError for a log without rows, a row that stands twice, and a row id with two labels or two
    questions.
    """
    if log.is_empty():
        raise BadInputError(f"{where}: no verdict rows: the log is empty")
    if is_consistent(log):
        return
    twice = log.select(IDENTITY).is_duplicated()
    if twice.any():
        found = log.select(IDENTITY).filter(twice).sort(IDENTITY).row(0, named=True)
        values = ", ".join(f"{name} '{shown(value)}'" for name, value in found.items())
        raise BadInputError(f"{where}: one verdict stands twice: {values}")
    for name in ("label", "question_id"):
        _reject_two(log, name, where)


def _reject_missing(log: pl.DataFrame, name: str, place: Place) -> None:
    if log[name].null_count():
        row = log[name].is_null().arg_true()[0]
        raise BadInputError(f"{place.row(row)}: {name}: found nothing, allowed: a value in every row")


def _reject_unknown(log: pl.DataFrame, name: str, allowed: Sequence[str], place: Place) -> None:
    values = log[name]
    for row in (~values.is_in(list(allowed))).fill_null(value=False).arg_true().head(1):
        raise bad_value(f"{place.row(row)}", name, shown(values[row]), allowed)


def _reject_two(log: pl.DataFrame, name: str, where: str) -> None:
    found = log.group_by("dataset", "row_id").agg(pl.col(name).unique().sort())
    for dataset, row_id, values in (
        found.filter(pl.col(name).list.len() > 1).sort("dataset", "row_id").head(1).rows()
    ):
        listed = ", ".join(f"'{shown(value)}'" for value in values)
        raise BadInputError(
            f"{where}: dataset '{shown(dataset)}', row_id '{shown(row_id)}': found more than one {name}: {listed}"
        )
