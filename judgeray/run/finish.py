"""After the last reply: provenance, tables and report, all derived and all rebuildable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from judgeray.analysis import analyze, read_log
from judgeray.report.extras import extras_of, read_provenance
from judgeray.report.facts import RunFacts, facts_of
from judgeray.report.terminal import terminal_report
from judgeray.report.write import write_report
from judgeray.run.evidence import RunEvidence
from judgeray.run.provenance import write_provenance
from judgeray.run.reopen import replies_of
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts
from judgeray.run.verdict_files import VerdictFiles


def finish_run(
    output: Path,
    experiment: Experiment,
    surveyed: Mapping[str, DatasetFacts],
    verdicts: VerdictFiles,
    console: Console,
) -> None:
    """Write provenance.json, tables/, report.md and report.html, and show the main tables."""
    write_provenance(output / "provenance.json", experiment, surveyed, verdicts.served_models)
    log = read_log(output)
    tables = analyze(log)
    facts = replace(facts_of(log, experiment.manifest.name), notes=tuple(_notes(surveyed)))
    evidence = RunEvidence(experiment, replies_of(output, experiment))
    write_report(tables, facts, output, extras_of(log, evidence, read_provenance(output)))
    _mark_tables(output / "tables" / "SIMULATED.txt", facts)
    console.print(*terminal_report(tables, facts), sep="\n")


def _mark_tables(path: Path, facts: RunFacts) -> None:
    """Tables have no place of their own for it: a file beside them says that an emulator answered."""
    if facts.simulated:
        told = (
            f"{facts.simulated_rows} of {facts.rows} rows behind these tables are simulated: no model gave them.\n"
        )
        path.write_text(told, encoding="utf-8")
    else:
        path.unlink(missing_ok=True)


def _notes(surveyed: Mapping[str, DatasetFacts]) -> Iterator[str]:
    """What was left out of each dataset, by which rule."""
    for name, facts in surveyed.items():
        for reason, count in sorted(facts.skips.items()):
            yield f"{name}: {count} source questions left out: {reason}."
