"""What a run would still buy: calls, tokens, cost and time, without sending anything."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from judgeray.core.call import Call
from judgeray.core.replay import Pending
from judgeray.core.reply import Reply
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.pace import estimated_input_tokens
from judgeray.engine.replayed import replay_shard
from judgeray.providers.account import Limits
from judgeray.run.estimate import CostEstimate, estimate_cost, together
from judgeray.run.resolve import Experiment
from judgeray.studies.arm import Arm
from judgeray.studies.parts import parts


@dataclass
class ArmPlan:
    """Calls of one judge under one design: known ones with their cost, wanted ones, and estimates for these."""

    provider: str
    known: int = 0
    known_input_tokens: int = 0
    known_output_tokens: int = 0
    known_latencies: int = 0
    known_seconds: float = 0.0
    wanted: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    guess_usd: float | None = 0.0
    pilot_usd: list[float | None] = field(default_factory=list)

    @property
    def cost(self) -> CostEstimate:
        """What the wanted calls will cost at realtime prices."""
        return estimate_cost(self.pilot_usd, self.wanted, self.guess_usd)


def plan(experiment: Experiment, replies: RepliesFolder) -> dict[tuple[str, str], ArmPlan]:
    """Replay everything against the ledger; keys are (judge, design).

    Input tokens are characters divided by 4; output tokens are the mean of this arm's known replies, or what the
    design is expected to write. A call that several arms want is counted where it is first wanted; calls that
    depend on replies still to come are counted by their expected length.
    """
    ledger, plans = Ledger(replies), dict[tuple[str, str], ArmPlan]()
    seen: set[str] = set()
    for part in parts(experiment.sources, experiment.arms, experiment.study):
        states = replay_shard(part.shard(), ledger, {})
        known = {reply.key: reply for state in states for reply in part.arm.own(state)}.values()
        wanted = [call for state in states if isinstance(state, Pending) for call in state.wanted]
        coming = [
            call
            for item, state in zip(part.items, states, strict=True)
            for call in part.arm.follow_ups(item, state)
        ]
        fresh = [call for call in {call.key: call for call in wanted + coming}.values() if call.key not in seen]
        seen.update(call.key for call in fresh)
        knowns, wanteds = _by_judge(part.arm, known), _by_judge(part.arm, fresh)
        for who in {judge.name: judge for judge in (part.arm.judge, *part.arm.judges)}.values():
            mine, new = knowns.get(who.name, []), wanteds.get(who.name, [])
            if mine or new or who.name == part.arm.judge.name:
                arm = plans.setdefault((who.name, part.arm.design_name), ArmPlan(who.provider))
                _add(arm, experiment, 0 if who.in_process else _expected_output(part.arm, mine), mine, new)
    return plans


A = TypeVar("A", Call, Reply)


def _by_judge(arm: Arm, asked: Iterable[A]) -> dict[str, list[A]]:
    """Part calls or replies by who is asked; the judge whose name the arm bears stands for others of its model."""
    names = {(judge.provider, judge.model): judge.name for judge in (*reversed(arm.judges), arm.judge)}
    parted: dict[str, list[A]] = defaultdict(list)
    for call in asked:
        parted[names.get((call.provider, call.model), arm.judge.name)].append(call)
    return parted


def _add(plan: ArmPlan, experiment: Experiment, output: int, known: list[Reply], wanted: list[Call]) -> None:
    plan.known += len(known)
    plan.known_input_tokens += sum(reply.usage.input_tokens or 0 for reply in known)
    plan.known_output_tokens += sum(reply.usage.output_tokens or 0 for reply in known)
    latencies = [reply.latency_seconds for reply in known if reply.latency_seconds is not None]
    plan.known_latencies += len(latencies)
    plan.known_seconds += sum(latencies)
    plan.wanted += len(wanted)
    plan.pilot_usd += [experiment.prices(reply) for reply in known]
    for call in wanted:
        tokens = estimated_input_tokens(call)
        plan.input_tokens += tokens
        plan.output_tokens += output
        cost = experiment.prices.cost(call.provider, call.model, tokens, output)
        plan.guess_usd = None if cost is None or plan.guess_usd is None else plan.guess_usd + cost


def _expected_output(arm: Arm, known: Iterable[Reply]) -> int:
    written = [reply.usage.output_tokens for reply in known if reply.usage.output_tokens is not None]
    return round(sum(written) / len(written)) if written else arm.output_tokens


@dataclass
class AccountPlan:
    """What one provider account is still asked for, and what its limits make of it."""

    wanted: int
    input_tokens: int
    output_tokens: int
    cost: CostEstimate
    realtime_minutes: float | None


def by_account(experiment: Experiment, plans: dict[tuple[str, str], ArmPlan]) -> dict[str, AccountPlan]:
    """Add arms up by provider account; minutes are those that the manifest's limits allow, None without limits."""
    arms: dict[str, list[ArmPlan]] = defaultdict(list)
    for arm in plans.values():
        arms[arm.provider].append(arm)
    accounts: dict[str, AccountPlan] = {}
    for name, mine in arms.items():
        calls, read, written = (
            sum(getattr(arm, part) for arm in mine) for part in ("wanted", "input_tokens", "output_tokens")
        )
        minutes = minutes_at(experiment.accounts[name].limits, calls, read, written)
        cost = together([arm.cost for arm in mine])
        accounts[name] = AccountPlan(calls, read, written, cost, max(minutes.values(), default=None))
    return accounts


def minutes_at(limits: Limits, calls: float, input_tokens: float, output_tokens: float) -> dict[str, float]:
    """Minutes that each of the limits per minute asks for, by its name in the manifest; the longest one binds."""
    amounts = {
        "requests_per_minute": calls,
        "input_tokens_per_minute": input_tokens,
        "output_tokens_per_minute": output_tokens,
        "tokens_per_minute": input_tokens + output_tokens,
    }
    allowed = {name: getattr(limits, name) for name in amounts}
    return {name: amounts[name] / limit for name, limit in allowed.items() if limit is not None}
