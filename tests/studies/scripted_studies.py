"""Studies on rows that name their labels, and whether an estimate holds what is true."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.studies.scripted import GPT, Scripted, manifest_of, scripted
from tests.studies.scripted_judges import Judges, data_rows, write_rows


def study(
    folder: Path, diagnostics: str, judges: Judges, questions: int = 12, models: str = GPT, **more: Any
) -> Scripted:
    """Run diagnostics on rows that name their labels."""
    write_rows(folder, more.pop("rows", data_rows(questions)))
    return scripted(folder, manifest_of(diagnostics, models, **more), judges)


def holds(line: Mapping[str, Any], name: str, truth: float) -> bool:
    """Whether the interval of an estimate holds what is true."""
    low, high = line[f"{name}_low"], line[f"{name}_high"]
    assert low <= line[name] <= high
    return bool(low <= truth <= high)
