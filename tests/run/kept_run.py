"""Run directories around replies of Python functions, made by the command itself: no provider, no Ray."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from uuid import uuid4

from rich.console import Console

from judgeray.core.reply import Answer
from judgeray.engine.journal import JournalWriter
from judgeray.engine.layout import RepliesFolder
from judgeray.run.grid import RunOptions, run_grid
from judgeray.run.resolve import read_experiment
from judgeray.studies.parts import parts
from tests.studies.scripted import settled
from tests.studies.scripted_judges import Judges


def journaled(run: Path, manifest: Path, judges: Judges) -> RepliesFolder:
    """Answer all calls of a manifest into a journal of the run directory, as a run does that is killed then."""
    experiment, known = read_experiment(manifest), dict[str, Answer]()
    for part in parts(experiment.sources, experiment.arms, experiment.study):
        settled(part.shard().tasks, judges, known, {})
    replies = RepliesFolder(run / "replies")
    replies.make()
    writer = JournalWriter(replies.journal, f"actor-{uuid4().hex}")
    for answer in known.values():
        writer.append(answer)
    writer.close()
    return replies


def kept_run(run: Path, manifest: Path, judges: Judges) -> Path:
    """A run directory with all that a run leaves, but for progress.json; returns it."""
    journaled(run, manifest, judges)
    reanalyzed(run, manifest)
    return run


def reanalyzed(run: Path, manifest: Path) -> tuple[int, str]:
    """Read the kept replies again; returns exit code and what was said."""
    screen = StringIO()
    options = RunOptions(manifest, output=run, reanalyze=True)
    return run_grid(options, Console(file=screen, width=200)), screen.getvalue()


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, but for its locks."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
