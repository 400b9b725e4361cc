"""What a source of an analysis holds: verdicts, or the records of another kind of study."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

FOLDERS = {"scores": "perturbation", "sentences": "averaging"}
"""Folder of a run directory -> the kind of study that writes it."""

COLUMNS = {"sentence_index": "averaging", "level": "perturbation"}
"""Column that a file of one kind of study has -> the kind; a verdict log may have it besides its own."""

_OF_VERDICTS = frozenset({"verdict", "design"})
_FIRST_CHARACTERS = 1_000_000


def kind_of(source: Path) -> str:
    """Name the kind of study whose records a run directory, a directory of Parquet, or a file holds.

    `grid` stands for verdicts, and for what cannot be read: whoever reads it next says why.
    """
    if not source.is_dir():
        return _kind_of_file(source)
    found = next((kind for folder, kind in FOLDERS.items() if (source / folder).is_dir()), None)
    if found is None and not (source / "manifest.yaml").is_file():
        first = min(source.rglob("*.parquet"), default=None)
        return _kind_of_file(first) if first else "grid"
    return found or "grid"


def _kind_of_file(source: Path) -> str:
    try:
        names = set(_columns(source)) if source.is_file() else set()
    except (OSError, ValueError, RecursionError, csv.Error, pa.ArrowException):
        names = set()
    kinds = () if names >= _OF_VERDICTS else COLUMNS.items()
    return next((kind for column, kind in kinds if column in names), "grid")


def _columns(file: Path) -> list[str]:
    """Read the names of a file's columns; of JSON, those of the first record."""
    ending = file.suffix.lower()
    if ending == ".parquet":
        return list(pq.read_schema(file).names)
    with file.open(encoding="utf-8-sig", newline="") as opened:
        if ending == ".csv":
            return next(csv.reader(opened), [])
        return _first_keys(opened.read(_FIRST_CHARACTERS).lstrip())


def _first_keys(text: str) -> list[str]:
    """Give the keys of the first object of JSON Lines, or of a list of objects."""
    record, _ = json.JSONDecoder().raw_decode(text.removeprefix("[").lstrip())
    return list(record) if isinstance(record, dict) else []
