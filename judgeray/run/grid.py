"""The grid command: read the manifest, then plan it, run it, or read its replies again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from judgeray.core.errors import BadInputError
from judgeray.engine.layout import RepliesFolder
from judgeray.run.annotated import check_annotated
from judgeray.run.mirror import write_to
from judgeray.run.plan import by_account, plan
from judgeray.run.plan_tables import account_table, arm_table
from judgeray.run.reopen import replies_folder
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.say import say
from judgeray.run.scale.mix import mix_of
from judgeray.run.scale.tables import scale_tables
from judgeray.run.score_files import check_score_files
from judgeray.run.session import Session
from judgeray.run.survey import DatasetFacts, known
from judgeray.run.surveyed import surveyed
from judgeray.storage.place import Place
from judgeray.studies.arm import arm_name


@dataclass(frozen=True)
class RunOptions:
    """What the command line says beyond the manifest."""

    manifest: Path
    output: Place | None = None
    dry_run: bool = False
    limit: int | None = None
    reanalyze: bool = False
    emulate: bool = False
    samples: bool = False
    study: str | None = None
    scale: int | None = None


def run_grid(options: RunOptions, console: Console) -> int:
    """Run, plan (`dry_run`, for `scale` rows of its mix) or read again (`reanalyze`); returns the exit code.

    Raises BadInputError for anything that the user must mend; then nothing was sent.
    """
    experiment = read_experiment(options.manifest, options.limit, options.emulate, options.samples)
    if options.study not in (None, experiment.study.name):
        raise BadInputError(
            f"{options.manifest}: found a manifest of a {experiment.study.name} study; this job takes one with "
            f"'{options.study}:'. judgeray run takes any."
        )
    output = options.output or Path("runs") / experiment.manifest.name
    replies = replies_folder(output, experiment.manifest.replies)
    with write_to(output) as (folder, mirror):
        facts = surveyed(experiment, folder)
        experiment = replace(experiment, sources=known(experiment.sources, facts))
        _check_work(options.manifest, experiment, facts)
        check_annotated(experiment, facts)
        check_score_files(experiment)
        _announce(experiment, facts, console)
        if options.dry_run:
            _print_plan(experiment, facts, replies, folder, options.scale, console)
            return 0
        session = Session(experiment, facts, folder, replies, console, mirror)
        return session.reanalyze() if options.reanalyze else session.run()


def _print_plan(
    experiment: Experiment,
    facts: Mapping[str, DatasetFacts],
    replies: RepliesFolder,
    folder: Path,
    scale: int | None,
    console: Console,
) -> None:
    """Print what a run would still buy, or what one of `scale` rows would take."""
    plans = plan(experiment, replies)
    if scale is not None:
        mix = mix_of(experiment, facts, plans, replies, folder)
        console.print(*scale_tables(mix, scale, experiment.behaviour is not None), sep="\n")
        return
    console.print(arm_table(plans, experiment.behaviour is not None))
    console.print(account_table(experiment, by_account(experiment, plans)))


def _check_work(manifest: Path, experiment: Experiment, facts: Mapping[str, DatasetFacts]) -> None:
    """Raise BadInputError for an arm that finds nothing to ask about in its dataset."""
    if experiment.study.may_be_empty:
        return
    for arm in experiment.arms:
        if arm.size(facts[arm.dataset].sizes) == 0:
            raise BadInputError(
                f"{manifest}: {arm_name(arm)}: dataset '{arm.dataset}' holds nothing for it; pairs need a "
                "supported candidate and one with another label in the same question."
            )


def _announce(experiment: Experiment, facts: Mapping[str, DatasetFacts], console: Console) -> None:
    """Say what will be judged, and which source questions were left out by which rule."""
    say(console, f": {len(experiment.arms)} arms", lead=experiment.manifest.name)
    if experiment.behaviour is not None:
        told = ": judgeray's emulator answers; no model gives these verdicts."
        say(console, told, lead="SIMULATED", lead_style="bold yellow")
    for name, found in facts.items():
        labels = ", ".join(f"{count} {label}" for label, count in sorted(found.labels.items()))
        units, rows = experiment.study.words
        told = f"{found.questions} {units}, {found.rows} {rows}{f' ({labels})' if labels else ''}"
        say(console, f"  {name}: {told}")
        for reason, count in sorted(found.skips.items()):
            say(console, f"    left out: {count} {experiment.study.skips}: {reason}")
