"""What a source of an analysis holds: verdicts, or the records of another kind of study."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

FOLDERS = {"scores": "perturbation", "sentences": "averaging"}
"""Folder of a run directory -> the kind of study that writes it."""

COLUMNS = {"level": "perturbation", "sentence_index": "averaging"}
"""Column that a file of one kind of study has, and verdict logs have not."""


def kind_of(source: Path) -> str:
    """Name the kind of study whose records a run directory or file holds.

    `grid` stands for verdicts, and for what cannot be read: whoever reads it next says why.
    """
    if source.is_dir():
        return next((kind for folder, kind in FOLDERS.items() if (source / folder).is_dir()), "grid")
    try:
        names = _columns(source) if source.is_file() else []
    except (OSError, ValueError, pa.ArrowException):
        names = []
    return next((kind for column, kind in COLUMNS.items() if column in names), "grid")


def _columns(file: Path) -> list[str]:
    """Read the names of a file's columns; of JSON Lines, those of the first line."""
    if file.suffix == ".parquet":
        return list(pq.read_schema(file).names)
    with file.open(encoding="utf-8-sig", newline="") as lines:
        if file.suffix == ".csv":
            return next(csv.reader(lines), [])
        first = json.loads(lines.readline() or "{}")
        return list(first) if isinstance(first, dict) else []
