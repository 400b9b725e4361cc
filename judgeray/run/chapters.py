"""What diagnostics make of a run directory or a verdict log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.analysis.diagnostics.standards import read_standards
from judgeray.report.chapter import Chapter
from judgeray.report.extras import read_provenance
from judgeray.samples import labels_path
from judgeray.studies.diagnostics.diagnostic import StudyLog
from judgeray.studies.diagnostics.registry import DIAGNOSTICS


def chapters_of(source: Path, log: pl.DataFrame, labels: Path | None = None) -> Sequence[Chapter]:
    """Let every diagnostic look at a log; `labels` is a file of label standards, else the manifest's is taken.

    Raises BadInputError for a file of label standards that does not fit the log.
    """
    study = study_log(source, log, labels)
    found = (diagnostic.chapter(study) for diagnostic in DIAGNOSTICS.values())
    return [chapter for chapter in found if chapter is not None]


def study_log(source: Path, log: pl.DataFrame, labels: Path | None = None) -> StudyLog:
    """Gather what a run directory holds beside its verdicts; a plain log has nothing."""
    provenance = (read_provenance(source) if source.is_dir() else None) or {}
    judges: Mapping[str, Mapping[str, Any]] = provenance.get("judges", {})
    stated = provenance.get("manifest", {}).get("diagnostics", {})
    asked = {name: spec for name, spec in stated.items() if spec is not None}
    path = labels or asked.get("label_standards", {}).get("path")
    limited = labels is None or provenance.get("options", {}).get("limit") is not None
    return StudyLog(
        verdicts=log,
        pairs=_records(source / "pairs"),
        texts=_records(source / "texts"),
        standards=_standards(labels_path(str(path)), log, limited) if path else None,
        models={name: facts["model"] for name, facts in judges.items() if "model" in facts},
        families={name: facts["family"] for name, facts in judges.items() if "family" in facts},
        asked=asked,
    )


def _standards(path: Path, log: pl.DataFrame, partial: bool) -> pl.DataFrame | None:
    """Read label standards; None where none of the labelled rows was judged."""
    standards = read_standards(path, log, partial=partial)
    return None if standards.is_empty() else standards


def _records(folder: Path) -> pl.DataFrame | None:
    files = sorted(folder.rglob("*.parquet")) if folder.is_dir() else []
    return pl.read_parquet(files, hive_partitioning=False) if files else None
