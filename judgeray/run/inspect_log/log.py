"""One arm as an Inspect eval log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from importlib.metadata import version
from operator import add
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalPlan,
    EvalPlanStep,
    EvalSample,
    EvalSpec,
    EvalStats,
)
from inspect_ai.model import GenerateConfig, ModelUsage

from judgeray.run.inspect_log.arm_rows import ArmRows
from judgeray.run.inspect_log.names import digest, model_name, plain, sample_id
from judgeray.run.inspect_log.sample import sample_of
from judgeray.run.inspect_log.score import METRICS, is_settled, results_of

_CONFIG = {"temperature": "temperature", "top_p": "top_p", "max_output_tokens": "max_tokens", "seed": "seed"}
"""Judge parameters by what Inspect calls them; all are in the model's arguments besides."""


def log_of(arm: ArmRows) -> EvalLog:
    """Build the log of an arm: task dataset-design, model provider/model, one sample a verdict row.

    Ids and times come from the rows and their replies, so the same run gives the same log. A log with pending
    rows is marked as cancelled, for a rerun continues it.
    """
    spec = _spec(arm)
    samples = [sample_of(row, arm, spec.eval_id, spec.model_generate_config) for row in arm.rows]
    received = [reply.received_at for reply in arm.replies.values()]
    return EvalLog(
        status="cancelled" if any(row["status"] == "pending" for row in arm.rows) else "success",
        eval=spec,
        plan=EvalPlan(steps=[EvalPlanStep(solver=_solver(arm), params=_facts(arm, "designs", arm.design))]),
        results=results_of(arm.rows),
        stats=EvalStats(
            started_at=min(received, default=""),
            completed_at=max(received, default=""),
            model_usage=_total_usage(arm, samples),
        ),
        samples=samples,
    )


def _spec(arm: ArmRows) -> EvalSpec:
    parameters = plain(dict(arm.parameters))
    simulated = _is_simulated(arm)
    condition = "" if arm.condition == "full" else f" {arm.condition}"
    spec = EvalSpec(
        run_id=arm.run_id,
        eval_id=digest(arm.run_id, *arm.key, arm.created),
        task_id=digest(arm.run_id, *arm.key),
        created=arm.created,
        task=f"{arm.dataset}-{arm.design}",
        task_display_name=f"{arm.dataset} {arm.design}{condition}",
        task_args={"dataset": arm.dataset, "design": arm.design, "judge": arm.judge, "condition": arm.condition},
        solver=_solver(arm),
        model=model_name(arm.rows[0]),
        model_args=parameters,
        model_generate_config=GenerateConfig(
            **{theirs: parameters[ours] for ours, theirs in _CONFIG.items() if ours in parameters}
        ),
        dataset=_dataset(arm),
        config=EvalConfig(
            epochs=1 + max(row["replicate"] for row in arm.rows), epochs_reducer=["mean"], fail_on_error=False
        ),
        packages={**arm.provenance.get("packages", {}), "inspect_ai": version("inspect_ai")},
        tags=["simulated"] if simulated else None,
        metadata={"simulated": simulated, **_counts(arm)},
    )
    return EvalSpec.model_validate(spec.model_dump() | {"metrics": METRICS})


def _dataset(arm: ArmRows) -> EvalDataset:
    ids = sorted({sample_id(row) for row in arm.rows})
    location = _facts(arm, "datasets", arm.dataset).get("path")
    return EvalDataset(name=arm.dataset, location=location, samples=len(ids), sample_ids=ids, shuffled=False)


def _counts(arm: ArmRows) -> dict[str, Any]:
    statuses = Counter(row["status"] for row in arm.rows)
    return {
        "questions": len({row["question_id"] for row in arm.rows}),
        "statuses": dict(sorted(statuses.items())),
        "samples_without_input": arm.rows_without_prompts,
    }


def _is_simulated(arm: ArmRows) -> bool:
    """Whether an emulator answered any row; while nothing is answered, whether one will."""
    known = [row["simulated"] for row in arm.rows if row["simulated"] is not None]
    return any(known) if known else bool(arm.provenance.get("simulated"))


def _solver(arm: ArmRows) -> str:
    return f"judgeray/{arm.design}"


def _facts(arm: ArmRows, part: str, name: str) -> dict[str, Any]:
    facts: dict[str, Any] = plain(arm.provenance.get(part, {}).get(name, {}))
    return facts


def _total_usage(arm: ArmRows, samples: Sequence[EvalSample]) -> dict[str, ModelUsage]:
    """Add up the known usage of samples; the cost is known only where that of every settled row is."""
    parts = [usage for sample in samples for usage in sample.model_usage.values()]
    if not parts:
        return {}
    known = all(row["cost_usd"] is not None for row in arm.rows if is_settled(row))
    total = reduce(add, parts, ModelUsage())
    return {model_name(arm.rows[0]): total if known else total.model_copy(update={"total_cost": None})}
