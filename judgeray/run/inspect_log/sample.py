"""One verdict row as a sample of an Inspect log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from inspect_ai.log import EvalError, EvalSample
from inspect_ai.model import GenerateConfig, ModelOutput

from judgeray.core.reply import Usage
from judgeray.run.inspect_log.arm_rows import ArmRows, VerdictRow
from judgeray.run.inspect_log.names import digest, model_name, plain, sample_id
from judgeray.run.inspect_log.output import event_of, output_of, usage_of
from judgeray.run.inspect_log.score import SCORER, is_settled, score_of
from judgeray.run.inspect_log.turns import Turn, turns_of

PENDING = "pending: not answered yet; a rerun of the experiment continues here"

_FACTS = (
    "question_id", "variant", "complexity", "status", "simulated", "mode", "served_model", "finish_reason",
    "attempts", "call_keys",
)  # fmt: skip
_TOKENS = ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens", "total_tokens")


def sample_of(row: VerdictRow, arm: ArmRows, eval_id: str, config: GenerateConfig) -> EvalSample:
    """Build the sample of a verdict row: its id is the row id, its epoch the replicate counted from 1.

    The input is the first call's messages ("" where prompts cannot be rebuilt), the output the last reply. Rows
    that no reply settled carry an error and no score.
    """
    uuid, model = digest(eval_id, row["row_id"], row["replicate"]), model_name(row)
    prompts = arm.exchanges.get((row["row_id"], row["replicate"]), ())
    turns = turns_of(prompts, [arm.replies.get(key) for key in row["call_keys"]], model, uuid)
    answers = [turn.answer for turn in turns if turn.answer]
    usage = usage_of(Usage(*(row[name] for name in _TOKENS)), row["cost_usd"])
    settled = is_settled(row)
    return EvalSample(
        id=sample_id(row),
        epoch=row["replicate"] + 1,
        input=turns[0].asked or "" if turns else "",
        target=plain(row["label"]),
        messages=[message for turn in turns for message in turn.messages],
        output=output_of(answers[-1]) if answers else ModelOutput(model=model),
        scores={SCORER: score_of(row)} if settled else None,
        metadata={name: plain(row[name]) for name in _FACTS},
        events=[event_of(turn, turn.answer, model, config) for turn in turns if turn.answer],
        model_usage={model: usage} if usage else {},
        total_time=row["latency_seconds"],
        error=None if settled else _error(row),
        uuid=uuid,
        **_times(row, turns),
    )


def _error(row: VerdictRow) -> EvalError:
    words = PENDING if row["status"] == "pending" else plain(row["error"] or "undelivered")
    return EvalError(message=words, traceback="", traceback_ansi="")


def _times(row: VerdictRow, turns: Sequence[Turn]) -> dict[str, Any]:
    """Say when the last reply came, and when the row was first asked where its latency is known."""
    received = max((turn.answer.reply.received_at for turn in turns if turn.answer), default=None)
    if received is None:
        return {}
    if row["latency_seconds"] is None:
        return {"completed_at": received}
    asked = datetime.fromisoformat(received) - timedelta(seconds=row["latency_seconds"])
    return {"started_at": asked.isoformat(), "completed_at": received}
