"""Replaying a shard against the ledger, as far as the known replies carry it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgeray.core.call import Call
from judgeray.core.replay import Pending, Replay, State, check_again
from judgeray.core.reply import Answer, Failure
from judgeray.core.task import Shard
from judgeray.engine.ledger import Ledger

CHECKED_TASKS = 3
"""Tasks per shard that are always replayed twice, to catch procedures that are not deterministic."""


def replay_shard(
    shard: Shard, ledger: Ledger, failures: Mapping[str, Failure], check_all: bool = False
) -> list[State[Any]]:
    """Replay every task of a shard; the ledger is asked in bulk, once per wave of calls.

    Some tasks are replayed a second time and compared; with `check_all`, all that still want a call: others buy
    nothing more. Raises NondeterministicProcedureError, naming the row.
    """
    known: dict[str, Answer] = {}
    runs: list[Replay[Any]] = [Replay(task.start()) for task in shard.tasks]
    states: list[State[Any]] = [run.go_on(known) for run in runs]
    active = set(range(len(states)))
    while asked := _wanted(states, active):
        known.update(ledger.lookup(asked.values()))
        known.update({key: failures[key] for key in asked if key in failures and key not in known})
        active = {n for n in active if _moves(states[n], known)}
        for n in active:
            states[n] = runs[n].go_on(known)
    for run in runs:
        run.close()
    for n, (task, state) in enumerate(zip(shard.tasks, states, strict=True)):
        if n < CHECKED_TASKS or (check_all and isinstance(state, Pending)):
            check_again(state, task.start, known, task.name)
    return states


def _wanted(states: list[State[Any]], active: set[int]) -> dict[str, Call]:
    pending = [state for n in active if isinstance(state := states[n], Pending)]
    return {call.key: call for state in pending for call in state.wanted}


def _moves(state: State[Any], known: Mapping[str, Answer]) -> bool:
    return isinstance(state, Pending) and any(call.key in known for call in state.wanted)
