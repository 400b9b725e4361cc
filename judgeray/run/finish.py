"""After the last reply: provenance, tables and report, all derived and all rebuildable."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from judgeray.run.provenance import write_provenance
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts
from judgeray.run.verdict_files import VerdictFiles


def finish_run(
    output: Path,
    experiment: Experiment,
    facts: Mapping[str, DatasetFacts],
    verdicts: VerdictFiles,
    console: Console,
) -> None:
    """Write provenance.json, tables/ and report.md, and show the main tables."""
    write_provenance(output / "provenance.json", experiment, facts, verdicts.served_models)
    console.print()
