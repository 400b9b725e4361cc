"""Reading a scores log: a run directory or one file, checked, with defaults filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.analysis.columns import shown
from judgeray.analysis.schema import counts, flags, numbers, texts
from judgeray.analysis.scores.records import flag_in, needed_text, number_in, optional_text, places
from judgeray.core.errors import BadInputError, bad_value
from judgeray.core.status import STATUSES
from judgeray.datasets.cells import Place, count_in

UNNAMED = "unnamed"
"""The dataset of a log that names none."""

SCHEMA = (
    texts("dataset", "question_id")
    | counts("level")
    | texts("variant", "metric", "judge", "model")
    | counts("replicate")
    | texts("status")
    | numbers("value")
    | counts("total_tokens")
    | numbers("cost_usd")
    | flags("simulated")
)
"""Columns of a log as it is analysed; see `judgeray.scores` for their meaning."""

IDENTITY = ("dataset", "metric", "judge", "question_id", "variant", "replicate")
"""What makes a score one: a log holds each combination once."""

NEEDED = ("question_id", "level", "metric", "value", "judge")

_FIELDS = {**{name: (name,) for name in SCHEMA}, "value": ("value", "score"), "judge": ("judge", "model")}
_ROWS_AT_ONCE = 50_000
_LADDER_NAME = re.compile(r"A[0-9]+")


def read_scores(source: Path | str) -> pl.DataFrame:
    """Read a scores log from a run directory, a directory of Parquet, or one Parquet, CSV, JSON or JSONL file.

    Needed columns are question_id, level, metric, value (without it, score) and judge (without it, model). A row
    without a level is a control, whose name stands in `variant`; with one, `variant` is A and the level. `dataset`
    defaults to "unnamed", `replicate` to 0, and `status` to ok where a value stands, else to unparsed. NaN is no
    value. A value may be missing though the status is ok: where a metric is not defined. Further columns are left
    unread.

    Returns one row a score with the columns of `SCHEMA`, sorted by `IDENTITY`. Raises BadInputError, with one
    message that names file, row, column, value found and what is allowed, for a log that cannot be read or
    contradicts itself.
    """
    path = Path(source)
    frames = [frame for file in _files(path) for frame in _frames(file)]
    log = pl.concat(frames).sort(*IDENTITY)
    _reject_twice(log, str(path))
    return log


def _files(source: Path) -> list[Path]:
    if source.is_file():
        return [source]
    if not source.is_dir():
        raise BadInputError(f"{source}: no such file or directory")
    folder = source / "scores" if (source / "scores").is_dir() else source
    if folder == source and (source / "manifest.yaml").is_file():
        raise BadInputError(f"{source}: a run directory without scores/: nothing has been scored yet")
    found = [file for file in folder.rglob("*.parquet") if not file.name.startswith((".", "_"))]
    if not found:
        raise BadInputError(f"{folder}: no scores here: found no *.parquet file below this directory")
    return sorted(found)


def _frames(file: Path) -> Iterator[pl.DataFrame]:
    rows = map(_row, places(file, _FIELDS, NEEDED))
    while part := list(islice(rows, _ROWS_AT_ONCE)):
        yield pl.DataFrame(part, schema=SCHEMA, orient="row")


def _row(place: Place) -> tuple[Any, ...]:
    """Read one row, in the order of `SCHEMA`."""
    level, value = count_in(place, "level"), number_in(place, "value")
    return (
        optional_text(place, "dataset") or UNNAMED,
        needed_text(place, "question_id"),
        level,
        _variant(place, level),
        needed_text(place, "metric"),
        needed_text(place, "judge"),
        optional_text(place, "model"),
        count_in(place, "replicate") or 0,
        _status(place, value),
        value,
        count_in(place, "total_tokens"),
        number_in(place, "cost_usd"),
        flag_in(place, "simulated"),
    )


def _variant(place: Place, level: int | None) -> str:
    variant = optional_text(place, "variant")
    if level is not None:
        if variant not in (None, f"A{level}"):
            raise BadInputError(
                f"{place.row}: variant: found '{shown(variant)}', allowed: 'A{level}' where level is {level}"
            )
        return f"A{level}"
    if variant is None or _LADDER_NAME.fullmatch(variant):
        named = "" if variant is None else f" with variant '{variant}'"
        raise BadInputError(
            f"{place.row}: level: found nothing{named}, allowed: a whole number from 0, or nothing for a control "
            "that column 'variant' names"
        )
    return variant


def _status(place: Place, value: float | None) -> str:
    status = optional_text(place, "status") or ("unparsed" if value is None else "ok")
    if status not in STATUSES:
        raise bad_value(place.row, "status", shown(status), STATUSES)
    if status != "ok" and value is not None:
        raise BadInputError(
            f"{place.row}: {place.columns['value']}: found {value} with status '{status}', allowed: a value only "
            "where status is ok"
        )
    return status


def _reject_twice(log: pl.DataFrame, where: str) -> None:
    twice = log.select(IDENTITY).is_duplicated()
    for row in log.select(IDENTITY).filter(twice).head(1).rows(named=True):
        values = ", ".join(f"{name} '{shown(value)}'" for name, value in row.items())
        raise BadInputError(f"{where}: one score stands twice: {values}")
