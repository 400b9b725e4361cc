"""Plans on the screen: by judge and design, and by provider account with price and time of each mode."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table

from judgeray.providers.account import IN_PROCESS
from judgeray.providers.prices import BATCH_DISCOUNT
from judgeray.run.estimate import CostEstimate, together
from judgeray.run.plan import AccountPlan, ArmPlan
from judgeray.run.resolve import Experiment

BATCH_WINDOW = "up to 24 h"
"""The window in which OpenAI, Anthropic and Google aim to end a batch (their batch guides)."""


def arm_table(plans: Mapping[tuple[str, str], ArmPlan], simulated: bool) -> Table:
    """A line per judge and design and a sum; a cost with an unknown part is unknown."""
    title = "what this run would still buy" + (" (emulated: nothing is billed)" if simulated else "")
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in ("judge", "design"):
        table.add_column(name)
    for name in ("calls known", "calls wanted", "input tokens", "output tokens", "cost"):
        table.add_column(name, justify="right")
    for (judge, design), arm in plans.items():
        counts = (arm.known, arm.wanted, arm.input_tokens, arm.output_tokens)
        table.add_row(judge, design, *(f"{count:,}" for count in counts), dollars(arm.cost))
    table.add_section()
    sums = [sum(getattr(arm, part) for arm in plans.values()) for part in COUNTS]
    cost = together([arm.cost for arm in plans.values()])
    table.add_row("all", "", *(f"{count:,}" for count in sums), dollars(cost), style="bold")
    return table


COUNTS = ("known", "wanted", "input_tokens", "output_tokens")


def account_table(experiment: Experiment, accounts: Mapping[str, AccountPlan]) -> Table:
    """A line per provider account: what realtime and what batch would cost and take, and which is set."""
    table = Table(box=None, pad_edge=False)
    table.add_column("provider")
    for name in ("calls", "realtime cost", "realtime time", "batch cost", "batch time"):
        table.add_column(name, justify="right")
    table.add_column("mode")
    for name, account in accounts.items():
        known = experiment.accounts[name]
        batch = ("-", "-") if known.kind in IN_PROCESS else (dollars(account.cost, BATCH_DISCOUNT), BATCH_WINDOW)
        time = _minutes(account.realtime_minutes)
        table.add_row(name, f"{account.wanted:,}", dollars(account.cost), time, *batch, known.mode)
    return table


def dollars(cost: CostEstimate, factor: float = 1.0) -> str:
    """A cost with its 95% prediction interval, where replies are known to base it on."""
    if cost.value_usd is None:
        return "unknown"
    told = f"${cost.value_usd * factor:,.2f}"
    if cost.low_usd is None or cost.high_usd is None:
        return told
    return f"{told} [{cost.low_usd * factor:,.2f}, {cost.high_usd * factor:,.2f}]"


def _minutes(minutes: float | None) -> str:
    if minutes is None:
        return "no limits set"
    return f"{minutes:,.0f} min at the limits" if minutes >= 1 else "under 1 min"
