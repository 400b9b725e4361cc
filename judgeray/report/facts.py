"""Facts about a run that a report states beside its tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from judgeray.analysis.arms import design_order, main_condition
from judgeray.core.status import STATUSES, UNSETTLED
from judgeray.rows import Skip

_AT_ONCE = 100_000


@dataclass(frozen=True)
class RunFacts:
    """What was run, without anything that differs between two analyses of one log (no clock, no path).

    `statuses` counts rows by status and adds up to `rows`. `cost_usd` sums the rows whose cost is known and is
    None where none is; `cost_unknown_rows` counts the others. `skips` are the questions that never became
    rows, `notes` sentences from whoever ran it.
    """

    name: str
    rows: int
    questions: int
    simulated_rows: int
    datasets: tuple[str, ...]
    judges: tuple[str, ...]
    designs: tuple[str, ...]
    conditions: tuple[str, ...]
    main_condition: str
    replicates: int
    statuses: dict[str, int]
    cost_usd: float | None = None
    cost_unknown_rows: int = 0
    skips: tuple[Skip, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def simulated(self) -> bool:
        """Whether the emulator answered any row."""
        return self.simulated_rows > 0

    @property
    def unsettled(self) -> int:
        """Rows that a rerun would go on with."""
        return sum(self.statuses[status] for status in UNSETTLED)


def facts_of(log: pl.DataFrame, name: str) -> RunFacts:
    """Read the facts that a log itself tells; use `dataclasses.replace` to add skips and notes."""
    costs = log["cost_usd"].drop_nulls()
    counts = dict(log.group_by("status").len().rows())
    return RunFacts(
        name=name,
        rows=log.height,
        questions=log.select("dataset", "question_id").n_unique(),
        simulated_rows=int(log["simulated"].sum()),
        datasets=_names(log, "dataset"),
        judges=_names(log, "judge"),
        designs=tuple(sorted(_names(log, "design"), key=design_order)),
        conditions=_names(log, "condition"),
        main_condition=main_condition(log),
        replicates=log["replicate"].n_unique(),
        statuses={status: counts.get(status, 0) for status in STATUSES},
        cost_usd=math.fsum(_streamed(costs)) if len(costs) else None,
        cost_unknown_rows=log.height - len(costs),
    )


def _streamed(numbers: pl.Series) -> Iterator[float]:
    """Yield numbers without making a list of them all."""
    for start in range(0, len(numbers), _AT_ONCE):
        yield from numbers.slice(start, _AT_ONCE).to_list()


def _names(log: pl.DataFrame, column: str) -> tuple[str, ...]:
    return tuple(log[column].unique().sort())
