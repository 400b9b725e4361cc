"""What came back, as Inspect's output, token counts and model events."""

from __future__ import annotations

from typing import Literal

from inspect_ai.event import ModelEvent
from inspect_ai.model import ChatCompletionChoice, GenerateConfig, ModelOutput, ModelUsage

from judgeray.core.reply import Outcome, Usage
from judgeray.run.inspect_log.names import plain
from judgeray.run.inspect_log.turns import Answer, Turn

_Stop = Literal["stop", "max_tokens", "content_filter", "unknown"]

_STOPS: dict[Outcome, _Stop] = {
    "complete": "stop",
    "truncated": "max_tokens",
    "refused": "content_filter",
    "empty": "unknown",
}


def output_of(answer: Answer) -> ModelOutput:
    """Give a reply as the output of the model that served it."""
    reply = answer.reply
    return ModelOutput(
        model=plain(reply.served_model or reply.model),
        choices=[ChatCompletionChoice(message=answer.message, stop_reason=_STOPS[reply.outcome])],
        usage=usage_of(reply.usage),
        time=reply.latency_seconds,
        response_id=plain(reply.response_id),
    )


def usage_of(usage: Usage, cost_usd: float | None = None) -> ModelUsage | None:
    """Count tokens as Inspect does, whose input tokens leave cached ones out; None where a count is not known.

    Inspect has no word for an unknown count but 0.
    """
    if usage.input_tokens is None or usage.output_tokens is None or usage.total_tokens is None:
        return None
    return ModelUsage(
        input_tokens=usage.input_tokens - (usage.cached_tokens or 0),
        output_tokens=usage.output_tokens,
        total_tokens=usage.total_tokens,
        input_tokens_cache_read=usage.cached_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        total_cost=cost_usd,
    )


def event_of(turn: Turn, answer: Answer, model: str, config: GenerateConfig) -> ModelEvent:
    """Tell of a call as Inspect's transcripts do."""
    return ModelEvent.model_validate(
        {
            "uuid": f"{turn.name}-event",
            "timestamp": answer.reply.received_at,
            "working_start": 0.0,
            "model": model,
            "input": turn.asked,
            "tools": [],
            "tool_choice": "none",
            "config": config,
            "output": output_of(answer),
        }
    )
