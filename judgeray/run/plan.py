"""What a run would still buy: calls, tokens and cost per judge and design, without sending anything."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from rich.table import Table

from judgeray.core.call import Call
from judgeray.core.replay import Pending
from judgeray.core.reply import Reply
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.pace import estimated_input_tokens
from judgeray.engine.replayed import replay_shard
from judgeray.run.resolve import Experiment
from judgeray.studies.arm import Arm
from judgeray.studies.grid import grid_shards


@dataclass
class ArmPlan:
    """Calls of one judge under one design: known ones, wanted ones, and estimates for the wanted ones."""

    known: int = 0
    wanted: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0


def plan(experiment: Experiment, replies: RepliesFolder) -> dict[tuple[str, str], ArmPlan]:
    """Replay everything against the ledger; keys are (judge, design).

    Input tokens are characters divided by 4; output tokens are the mean of this arm's known replies, or what
    the design is expected to write. A call that several arms want is counted where it is first wanted.
    """
    ledger, plans = Ledger(replies), defaultdict[tuple[str, str], ArmPlan](ArmPlan)
    seen: set[str] = set()
    for part in grid_shards(experiment.sources, experiment.arms):
        states = replay_shard(part.shard(), ledger, {})
        known = [reply for state in states for reply in state.replies]
        wanted = [call for state in states if isinstance(state, Pending) for call in state.wanted]
        fresh = [call for call in {call.key: call for call in wanted}.values() if call.key not in seen]
        seen.update(call.key for call in fresh)
        _add(plans[part.arm.judge.name, part.arm.design.name], experiment, part.arm, known, fresh)
    return dict(plans)


def _add(plan: ArmPlan, experiment: Experiment, arm: Arm, known: list[Reply], wanted: list[Call]) -> None:
    plan.known += len(known)
    plan.wanted += len(wanted)
    output = _expected_output(arm, known)
    for call in wanted:
        tokens = estimated_input_tokens(call)
        plan.input_tokens += tokens
        plan.output_tokens += output
        cost = experiment.prices.cost(call.provider, call.model, tokens, output)
        plan.cost_usd = None if cost is None or plan.cost_usd is None else plan.cost_usd + cost


def _expected_output(arm: Arm, known: Iterable[Reply]) -> int:
    if arm.judge.in_process:
        return 0
    written = [reply.usage.output_tokens for reply in known if reply.usage.output_tokens is not None]
    return round(sum(written) / len(written)) if written else arm.design.output_tokens


def plan_table(plans: dict[tuple[str, str], ArmPlan], simulated: bool) -> Table:
    """Show a plan; the last line sums up, and a cost with an unknown part is unknown."""
    title = "what this run would still buy" + (" (emulated: nothing is billed)" if simulated else "")
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in ("judge", "design"):
        table.add_column(name)
    for name in ("calls known", "calls wanted", "input tokens", "output tokens", "cost"):
        table.add_column(name, justify="right")
    for (judge, design), arm in plans.items():
        table.add_row(judge, design, *_cells(arm))
    table.add_section()
    table.add_row("all", "", *_cells(_total(plans.values())), style="bold")
    return table


def _cells(arm: ArmPlan) -> list[str]:
    counts = (arm.known, arm.wanted, arm.input_tokens, arm.output_tokens)
    return [*(f"{count:,}" for count in counts), "unknown" if arm.cost_usd is None else f"${arm.cost_usd:,.2f}"]


def _total(arms: Iterable[ArmPlan]) -> ArmPlan:
    total = ArmPlan()
    for arm in arms:
        total.known += arm.known
        total.wanted += arm.wanted
        total.input_tokens += arm.input_tokens
        total.output_tokens += arm.output_tokens
        known = None not in (arm.cost_usd, total.cost_usd)
        total.cost_usd = (total.cost_usd or 0.0) + (arm.cost_usd or 0.0) if known else None
    return total
