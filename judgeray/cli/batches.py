"""`judgeray cancel`: ending open batches."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

from judgeray.cli.guard import guarded
from judgeray.cli.places import place
from judgeray.core.errors import bad_value
from judgeray.engine.batches.cancel import cancel_batches
from judgeray.engine.batches.record import BatchRecord, BatchRecords
from judgeray.run.emulated import open_accounts
from judgeray.run.mirror import SMALL, work_on
from judgeray.run.reopen import reopen, replies_folder
from judgeray.run.say import say


def cancel_command(arguments: Sequence[str]) -> int:
    """`judgeray cancel RUN [TAG ...]`: end open batches at their providers; returns the exit code."""
    parser = argparse.ArgumentParser(prog="judgeray cancel", description="End open batches at their providers.")
    parser.add_argument("run", type=place, help="run directory or its URL")
    parser.add_argument("tags", nargs="*", help="tags of batches (default: all that are open)")
    parser.add_argument(
        "--forget", action="store_true", help="give up batches that are gone for good; their calls are bought again"
    )
    given = parser.parse_args(arguments)
    if given.forget and not given.tags:
        parser.error("--forget needs the tags of the batches to give up")
    command = _forget if given.forget else _cancel

    def on_run(console: Console) -> int:
        with work_on(given.run, only=SMALL) as run:
            return command(run, given.tags, console)

    return guarded(on_run)


def _cancel(run: Path, tags: Sequence[str], console: Console) -> int:
    experiment = reopen(run)
    records = _chosen(run, tags, experiment.manifest.replies)
    with ExitStack() as stack:
        ended = cancel_batches(records, open_accounts(experiment, stack))
    for record in records:
        say(console, f"{record.provider} {record.batch_id or record.tag}: {ended[record.tag]}")
    say(console, f"{len(records)} batches. What had run is kept; the next run takes it in.")
    return 0


def _forget(run: Path, tags: Sequence[str], console: Console) -> int:
    replies = reopen(run).manifest.replies
    records = BatchRecords(replies_folder(run, replies).batches)
    for record in _chosen(run, tags, replies):
        records.change(record, step="harvested", unfinished=record.calls, problem="given up by hand")
        name = f"{record.provider} {record.batch_id or record.tag}"
        say(console, f"{name}: given up; its {record.calls:,} calls are wanted again")
    return 0


def _chosen(run: Path, tags: Sequence[str], replies: str | None) -> list[BatchRecord]:
    """Open batches, all or those of these tags. Raises BadInputError for a tag that no open batch has."""
    found = {record.tag: record for record in open_batches(run, replies)}
    for tag in tags:
        if tag not in found:
            raise bad_value(str(run), "open batch", tag, found)
    return [record for tag, record in found.items() if not tags or tag in tags]


def open_batches(run: Path, replies: str | None = None) -> list[BatchRecord]:
    """The batches of a run that something is still to be done with."""
    return BatchRecords(replies_folder(run, replies).batches).open()
