"""What `judgeray status` says of money: what the kept replies cost, what is still planned, and the budget."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from judgeray.core.errors import BadInputError
from judgeray.engine.ledger import Ledger
from judgeray.run.estimate import together
from judgeray.run.plan import plan
from judgeray.run.plan_tables import dollars
from judgeray.run.reopen import reopen, replies_of
from judgeray.run.say import say
from judgeray.run.session import Work, spent_on


def say_costs(run: Path, console: Console) -> None:
    """Reconcile a run's money: computed from reported tokens at the day's price, and estimated for the rest."""
    try:
        experiment = reopen(run)
    except BadInputError as error:
        say(console, f"  costs are not shown: {str(error).splitlines()[0]}")
        return
    replies = replies_of(run, experiment)
    spent_usd = spent_on(Work(experiment), Ledger(replies), experiment.prices)
    left = together([arm.cost for arm in plan(experiment, replies).values()])
    budget = experiment.manifest.budget_usd
    told = f"  cost: ${spent_usd:,.2f} for kept replies, {dollars(left)} for what is left"
    say(console, told + (f", budget ${budget:,.2f}" if budget is not None else ""))
