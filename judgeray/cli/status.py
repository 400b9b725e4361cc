"""`judgeray status`: how a live, ended or dead run is, for people and, with --json, for programs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

from rich.console import Console

from judgeray.cli.guard import guarded
from judgeray.cli.places import place
from judgeray.core.errors import BadInputError
from judgeray.run.costs import Costs, costs_of
from judgeray.run.mirror import SMALL, work_on
from judgeray.run.plan_tables import dollars
from judgeray.run.say import say
from judgeray.run.status import RunStatus, status_of
from judgeray.storage.place import Place


def status_command(arguments: Sequence[str]) -> int:
    """`judgeray status RUN [--json]`: tell how a run is without disturbing it; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="judgeray status",
        description="How a run is: running, ended or died; how far; batches, costs, time left.",
    )
    parser.add_argument("run", type=place, help="run directory or its URL")
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")
    given = parser.parse_args(arguments)

    def status(console: Console) -> int:
        with work_on(given.run, only=SMALL) as run:
            found, costs = status_of(run, _say_aside), _costs(run)
        if given.json:
            print(json.dumps(_document(given.run, found, costs), indent=2))
            return 0
        for line in _lines(given.run, found, costs):
            say(console, line)
        return 0

    return guarded(status)


def _say_aside(text: str) -> None:
    """Tell of a wait where it is no part of what programs read."""
    print(text, file=sys.stderr, flush=True)


def _costs(run: Path) -> Costs | str:
    """What the run costs, or why that is not shown."""
    try:
        return costs_of(run)
    except BadInputError as error:
        return str(error).splitlines()[0]


def _document(run: Place, found: RunStatus, costs: Costs | str) -> dict[str, Any]:
    known = not isinstance(costs, str)
    return {
        "run": str(run),
        "state": found.state,
        "doing": found.doing,
        "since": found.since.isoformat(timespec="seconds") if found.since else None,
        "age_seconds": found.age_seconds,
        "providers": found.providers,
        "replies_in_journals": found.waiting,
        "bytes_in_journals": found.waiting_bytes,
        "stops": [{"provider": name, "reason": reason} for name, reason in found.stops.items()],
        "open_batches": [asdict(record) for record in found.open_batches],
        "shared_replies": found.shared,
        "costs": asdict(costs) if not isinstance(costs, str) else None,
        "costs_missing": None if known else costs,
    }


def _lines(run: Place, found: RunStatus, costs: Costs | str) -> Iterator[str]:
    yield f"{run.name}: {_state(found)}"
    if found.shared and found.state == "running":
        yield f"  its replies folder {found.shared} is shared: it may be another run that uses it now"
    for name, facts in found.providers.items():
        yield f"  {name}: {_progress(facts)}"
    if found.waiting or (found.waiting is None and found.waiting_bytes):
        waiting = f"{found.waiting:,}" if found.waiting else f"{found.waiting_bytes:,} bytes of"
        then = "" if found.state == "running" else "; the next run takes them in"
        yield f"  {waiting} replies are in journals and not in the ledger yet{then}"
    for provider, reason in found.stops.items():
        yield f"  {provider or 'all providers'} stopped: {reason or 'the run was told to stop'}"
    for record in found.open_batches:
        where = f"{record.provider} batch {record.batch_id or '(not sent yet)'}"
        state = record.state or record.step
        yield f"  {where}: {record.calls:,} calls, {state}, tag {record.tag}, since {record.written_at}"
    if isinstance(costs, str):
        yield f"  costs are not shown: {costs}"
        return
    told = f"  cost: ${costs.spent_usd:,.2f} for kept replies, {dollars(costs.left)} for what is left"
    yield told + (f", budget ${costs.budget_usd:,.2f}" if costs.budget_usd is not None else "")


def _state(found: RunStatus) -> str:
    """Say the state, and where a run died, when it last gave a sign and what continues it."""
    if found.state == "unknown":
        return "nobody holds it, and no progress was written down: its command starts it, or starts it again"
    written = f"{found.since:%Y-%m-%d %H:%M:%S} UTC, {_ago(found)} ago" if found.since else "never"
    if found.state == "died":
        return f"died while {found.doing}: nobody holds it, last sign {written}. The same command continues."
    if found.state == "running":
        if found.doing in (None, "done", "interrupted"):
            return "running: a command holds it and has not written down any progress yet"
        return f"running: {found.doing} (written {_ago(found)} ago)"
    goes_on = ": the same command continues" if found.state == "interrupted" else ""
    return f"{found.state} ({written}){goes_on}"


def _ago(found: RunStatus) -> str:
    return str(timedelta(seconds=max(0, int(found.age_seconds or 0))))


def _progress(facts: Mapping[str, Any]) -> str:
    """One account: calls, and while it runs its rate and the time left."""
    told = f"{facts.get('done', 0):,} of {facts.get('total', 0):,} calls, {facts.get('failed', 0):,} failed"
    rate, left = facts.get("calls_per_second"), facts.get("eta_seconds")
    if rate is not None:
        told += f", {rate:,.1f} calls/s"
    if left is not None:
        told += f", {timedelta(seconds=int(left))} left"
    return told
