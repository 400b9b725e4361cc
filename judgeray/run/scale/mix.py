"""What one row of a manifest means, on the average of its own rows: calls, tokens, dollars, bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judgeray.engine.layout import RepliesFolder
from judgeray.providers.account import Account
from judgeray.run.plan import ArmPlan
from judgeray.run.resolve import Experiment
from judgeray.run.scale.measured import LATENCY_SECONDS
from judgeray.run.scale.observed import Sizes, observed_sizes
from judgeray.run.survey import DatasetFacts


@dataclass(frozen=True)
class ArmMix:
    """Calls of one judge under one design, per row of the manifest's mix; costs are realtime, in US dollars.

    `guess_usd` is None where the model's price is not known; `pilot_usd` are the costs of replies that are kept.
    """

    account: str
    model: str
    calls: float
    input_tokens: float
    output_tokens: float
    guess_usd: float | None
    pilot_usd: Sequence[float | None] = ()


@dataclass(frozen=True)
class Mix:
    """A manifest's mix: `records` are recorded rows (verdicts and the like) per row, `streams` its arms."""

    arms: tuple[ArmMix, ...]
    accounts: Mapping[str, Account]
    latency_seconds: Mapping[str, float]
    records: float
    streams: int
    sizes: Sizes


def mix_of(
    experiment: Experiment,
    facts: Mapping[str, DatasetFacts],
    plans: Mapping[tuple[str, str], ArmPlan],
    replies: RepliesFolder,
    output: Path,
) -> Mix:
    """Average a plan over the manifest's rows; sizes and latencies are those of kept replies, if there are any."""
    rows = sum(found.rows for found in facts.values())
    records = sum(arm.size(facts[arm.dataset].sizes) for arm in experiment.arms)
    arms = [_arm(plan, experiment.judges[judge].model, rows) for (judge, _), plan in plans.items()]
    used = {arm.account: experiment.accounts[arm.account] for arm in arms}
    latency = {name: _latency([plan for plan in plans.values() if plan.provider == name]) for name in used}
    sizes = observed_sizes(replies, output)
    return Mix(tuple(arms), used, latency, records / rows, len(experiment.arms), sizes)


def _arm(plan: ArmPlan, model: str, rows: int) -> ArmMix:
    known_usd = [cost for cost in plan.pilot_usd if cost is not None]
    guess_usd = None if plan.guess_usd is None else plan.guess_usd + sum(known_usd)
    return ArmMix(
        plan.provider,
        model,
        (plan.known + plan.wanted) / rows,
        (plan.known_input_tokens + plan.input_tokens) / rows,
        (plan.known_output_tokens + plan.output_tokens) / rows,
        None if guess_usd is None or len(known_usd) < plan.known else guess_usd / rows,
        plan.pilot_usd,
    )


def _latency(plans: Sequence[ArmPlan]) -> float:
    """Mean seconds of an account's kept realtime replies."""
    timed = sum(plan.known_latencies for plan in plans)
    return sum(plan.known_seconds for plan in plans) / timed if timed else LATENCY_SECONDS
