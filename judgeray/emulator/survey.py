"""A survey of a batch before it runs: every row is read once, and nothing is answered."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from judgeray.emulator.batch_row import Problem, Row, RowDesk, RowProblemError
from judgeray.emulator.faults import FaultBook, Mark
from judgeray.emulator.prompt import input_tokens
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.row_file import RowFile

MOST_PROBLEMS = 100
ROWS_PER_TURN = 32
"""Rows handled before other requests get their turn."""


@dataclass
class Survey:
    """What the rows hold: input tokens by model, digests of prompts, marked faults, problems and repeated keys.

    Problems are at most 100, repeated keys are given with their line numbers from 1.
    """

    tokens: Counter[str] = field(default_factory=Counter)
    digests: list[str] = field(default_factory=list)
    marks: set[Mark] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    repeated: list[tuple[str, int]] = field(default_factory=list)


async def survey(rows: RowFile, desk: RowDesk, faults: FaultBook) -> Survey:
    """Read every row."""
    found = Survey()
    keys: set[str] = set()
    for number in range(len(rows)):
        if number % ROWS_PER_TURN == 0:
            await asyncio.sleep(0)
        try:
            row = desk.read(rows.read(number))
        except RowProblemError as problem:
            if len(found.problems) < MOST_PROBLEMS:
                found.problems.append(Problem(problem.code, problem.message, number + 1, problem.param))
            continue
        if isinstance(row.key, str):
            if row.key in keys:
                found.repeated.append((row.key, number + 1))
            keys.add(row.key)
        _note(found, row, faults)
    return found


def _note(found: Survey, row: Row, faults: FaultBook) -> None:
    prompt = row.asked
    if isinstance(prompt, RequestRefusedError):
        return
    found.tokens[prompt.model] += input_tokens(prompt)
    found.digests.append(prompt.digest)
    # A marker of no known fault is the row's own affair.
    with suppress(RequestRefusedError):
        mark = faults.mark(prompt)
        if mark is not None:
            found.marks.add(mark)
