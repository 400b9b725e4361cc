"""`judgeray show`: one row of a run, whole."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from typing import Any

from rich.console import Console
from rich.text import Text

from judgeray.cli.guard import guarded
from judgeray.cli.places import place
from judgeray.report.evidence import Evidence
from judgeray.report.text import block, visible
from judgeray.run.mirror import work_on
from judgeray.run.show import ShownRow, key_of, show_row

_READING = ("label", "verdict", "status", "parse_branch", "score", "confidence", "value", "detail")
"""What was read of replies; scores of metrics have the last two, verdicts the others."""

_USED = (
    "input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cached_tokens",
    "total_tokens",
    "cost_usd",
    "attempts",
)


def show_command(arguments: Sequence[str]) -> int:
    """`judgeray show RUN ROW_ID [--design D] [--judge J]`; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="judgeray show",
        description="One row: question, reference, candidate; prompt, reply and reading per arm.",
    )
    parser.add_argument("run", type=place, help="run directory or its URL")
    parser.add_argument("row_id", help="row id as in the verdict log")
    parser.add_argument("--design", help="only this design")
    parser.add_argument("--judge", help="only this judge")
    given = parser.parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")

    def show(console: Console) -> int:
        with work_on(given.run) as run:
            for line in _lines(show_row(run, given.row_id, given.design, given.judge)):
                console.print(line, soft_wrap=True)
        return 0

    return guarded(show)


def _lines(shown: ShownRow) -> Iterator[Text]:
    """Everything as text that cannot act on a terminal."""
    first = shown.verdicts[0]
    yield Text(visible(f"{first['row_id']} ({first['dataset']}, question {first['question_id']})"), style="bold")
    evidence = next(iter(shown.evidence.values()), None)
    if evidence:
        for name in ("question", "reference", "candidate"):
            yield from _block(name, getattr(evidence, name))
    if shown.lacking:
        yield Text(visible(shown.lacking), style="yellow")
    for verdict in shown.verdicts:
        yield from _arm(verdict, shown.evidence.get(key_of(verdict)))


def _arm(verdict: dict[str, Any], evidence: Evidence | None) -> Iterator[Text]:
    yield Text()
    arm = f"{verdict['design']} · {verdict['judge']} · {verdict['condition']} · replicate {verdict['replicate']}"
    simulated = "  SIMULATED: no model gave this reply" if verdict["simulated"] else ""
    yield Text(visible(arm + simulated), style="bold reverse")
    for number, turn in enumerate(evidence.exchanges if evidence else (), 1):
        if turn.system is not None:
            yield from _block(f"system message of call {number}", turn.system)
        yield from _block(f"prompt of call {number}", turn.user)
        yield from _block(f"raw reply to call {number}", turn.reply)
        yield Text(visible(", ".join(f"{name} {value}" for name, value in turn.facts)), style="dim")
    yield Text(_facts(verdict, _READING))
    yield Text(_facts(verdict, _USED))
    error = (evidence.error if evidence else None) or verdict["error"]
    if error:
        yield Text(visible(f"error: {error}"), style="red")


def _block(title: str, text: str | None) -> Iterator[Text]:
    yield Text(f"--- {title}", style="bold cyan")
    yield Text("no text is kept" if text is None else block(text))


def _facts(verdict: dict[str, Any], names: Sequence[str]) -> str:
    known = ((name, verdict[name]) for name in names if name in verdict)
    return visible(", ".join(f"{name.replace('_', ' ')} {'not known' if v is None else v}" for name, v in known))
