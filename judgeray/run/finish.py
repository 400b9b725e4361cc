"""After the last reply: provenance, tables and report, all derived and all rebuildable."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
from rich.console import Console, RenderableType

from judgeray.analysis import analyze, read_log
from judgeray.analysis.write import csv_text, write_whole
from judgeray.engine.layout import RepliesFolder
from judgeray.report.extras import extras_of, read_provenance
from judgeray.report.facts import facts_of
from judgeray.report.study_report import StudyReport, write_study
from judgeray.report.study_terminal import study_terminal
from judgeray.report.terminal import terminal_report
from judgeray.report.write import write_report
from judgeray.run.averaging_report import averaging_report
from judgeray.run.chapters import chapters_of
from judgeray.run.derived import forget_derived, note_derived, still_derived
from judgeray.run.evidence import RunEvidence
from judgeray.run.provenance import write_provenance
from judgeray.run.record_files import RecordFiles
from judgeray.run.reopen import replies_of
from judgeray.run.resolve import Experiment
from judgeray.run.say import say
from judgeray.run.scores_report import scores_report
from judgeray.run.survey import DatasetFacts

REPORTS: dict[str, Callable[[Path, str, Sequence[str]], StudyReport]] = {
    "perturbation": scores_report,
    "averaging": averaging_report,
}
"""Studies with a report of their own, by name."""


def finish_run(
    output: Path,
    experiment: Experiment,
    surveyed: Mapping[str, DatasetFacts],
    records: RecordFiles,
    console: Console,
) -> None:
    """Write provenance.json, tables/, report.md and report.html, and show the main tables.

    Where nothing has changed since they were last written, they are left as they are.
    """
    write_provenance(output / "provenance.json", experiment, surveyed, records.served_models)
    # Other people's labels are read beside the records, and are in no provenance.
    alone = experiment.study.name not in REPORTS and not experiment.manifest.diagnostics.asked()
    if alone and not records.changed and still_derived(output):
        say(console, "Nothing has changed: tables and report stand as they were.")
        return
    forget_derived(output)
    shown = write_results(output, experiment, surveyed, replies_of(output, experiment))
    note_derived(output)
    console.print(*shown, sep="\n")


def write_results(
    output: Path, experiment: Experiment, surveyed: Mapping[str, DatasetFacts], replies: RepliesFolder
) -> list[RenderableType]:
    """Write tables/, report.md and report.html from a folder's records and provenance.json.

    Returns the main tables for a screen. Texts of the report come from `replies`.
    """
    notes = tuple(_notes(surveyed))
    if experiment.study.name in REPORTS:
        report = REPORTS[experiment.study.name](output, experiment.manifest.name, notes)
        write_study(report, output)
        _remove_stale(output / "tables", {name for chapter in report.chapters for name in chapter.tables})
        _mark_tables(output / "tables" / "SIMULATED.txt", report.simulated, report.rows)
        return study_terminal(report)
    log = read_log(output)
    tables = analyze(log)
    facts = replace(facts_of(log, experiment.manifest.name), notes=notes)
    evidence = RunEvidence(experiment, replies)
    extras = extras_of(log, evidence, read_provenance(output))
    chapters = chapters_of(output, log)
    write_report(tables, facts, output, extras, chapters)
    _remove_stale(output / "tables", {*tables, *(name for chapter in chapters for name in chapter.tables)})
    _write_swaps(output / "tables" / "swapped_references.csv", experiment)
    _mark_tables(output / "tables" / "SIMULATED.txt", facts.simulated_rows, facts.rows)
    return terminal_report(tables, facts)


def _remove_stale(folder: Path, names: Collection[str]) -> None:
    """Remove tables of an earlier run that this one does not make."""
    for path in folder.glob("*.csv"):
        if path.stem not in names:
            path.unlink()


def _write_swaps(path: Path, experiment: Experiment) -> None:
    """Record which question lent its reference to which."""
    swaps = [
        (dataset, taker, swap.question_id, swap.same_text)
        for dataset, setting in sorted(experiment.settings.items())
        for taker, swap in setting.swaps.items()
    ]
    if swaps:
        columns = ["dataset", "question_id", "reference_of", "same_text"]
        write_whole(path, csv_text(pl.DataFrame(swaps, schema=columns, orient="row")))
    else:
        path.unlink(missing_ok=True)


def _mark_tables(path: Path, simulated: int, rows: int) -> None:
    """Tables have no place of their own for it: a file beside them says that an emulator answered."""
    if simulated:
        told = f"{simulated} of {rows} rows behind these tables are simulated: no model gave them.\n"
        path.write_text(told, encoding="utf-8")
    else:
        path.unlink(missing_ok=True)


def _notes(surveyed: Mapping[str, DatasetFacts]) -> Iterator[str]:
    """What was left out of each dataset, by which rule."""
    for name, facts in surveyed.items():
        for reason, count in sorted(facts.skips.items()):
            yield f"{name}: {count} source questions left out: {reason}."
