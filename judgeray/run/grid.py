"""The grid command: read the manifest, then plan it, run it, or read its replies again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from judgeray.engine.layout import RepliesFolder
from judgeray.run.plan import by_account, plan
from judgeray.run.plan_tables import account_table, arm_table
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.say import say
from judgeray.run.session import Session
from judgeray.run.survey import DatasetFacts, survey


@dataclass(frozen=True)
class RunOptions:
    """What the command line says beyond the manifest."""

    manifest: Path
    output: Path | None = None
    dry_run: bool = False
    limit: int | None = None
    reanalyze: bool = False
    emulate: bool = False


def run_grid(options: RunOptions, console: Console) -> int:
    """Run, plan (`dry_run`) or read again (`reanalyze`) an experiment; returns the exit code.

    Raises BadInputError for anything that the user must mend; then nothing was sent.
    """
    experiment = read_experiment(options.manifest, options.limit, options.emulate)
    facts = survey(experiment.sources)
    output = options.output or Path("runs") / experiment.manifest.name
    replies = RepliesFolder(Path(experiment.manifest.replies or output / "replies"))
    _announce(experiment, facts, console)
    if options.dry_run:
        plans = plan(experiment, replies)
        console.print(arm_table(plans, experiment.behaviour is not None))
        console.print(account_table(experiment, by_account(experiment, plans)))
        return 0
    session = Session(experiment, facts, output, replies, console)
    return session.reanalyze() if options.reanalyze else session.run()


def _announce(experiment: Experiment, facts: Mapping[str, DatasetFacts], console: Console) -> None:
    """Say what will be judged, and which source questions were left out by which rule."""
    say(console, f": {len(experiment.arms)} arms", lead=experiment.manifest.name)
    if experiment.behaviour is not None:
        told = ": judgeray's emulator answers; no model gives these verdicts."
        say(console, told, lead="SIMULATED", lead_style="bold yellow")
    for name, found in facts.items():
        labels = ", ".join(f"{count} {label}" for label, count in sorted(found.labels.items()))
        say(console, f"  {name}: {found.questions} questions, {found.rows} rows ({labels})")
        for reason, count in sorted(found.skips.items()):
            say(console, f"    left out: {count} questions: {reason}")
