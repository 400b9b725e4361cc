"""What a run has cost and what it will: from its kept replies and from its plan."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from judgeray.core.errors import BadInputError
from judgeray.engine.ledger import Ledger
from judgeray.run.estimate import CostEstimate, together
from judgeray.run.plan import plan
from judgeray.run.reopen import reopen, replies_of
from judgeray.run.session import Work, spent_on


@dataclass(frozen=True)
class Costs:
    """US dollars: computed from reported tokens at the day's price, and estimated for what is left."""

    spent_usd: float
    left: CostEstimate
    budget_usd: float | None


def costs_of(run: Path) -> Costs:
    """Replay a run's parts for their costs.

    Raises BadInputError where its files are not there any more, or are not there just now: a live run moves them.
    """
    experiment = reopen(run)
    replies = replies_of(run, experiment)
    try:
        spent_usd = spent_on(Work(experiment), Ledger(replies), experiment.prices)
        left = together([arm.cost for arm in plan(experiment, replies).values()])
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadInputError(f"replies cannot be read just now: {reason}") from error
    return Costs(spent_usd, left, experiment.manifest.budget_usd)
