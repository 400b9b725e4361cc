"""Log-probabilities as the APIs write them, read into one shape; what is no token or no number is left out."""

from __future__ import annotations

import math
from typing import Any

from judgeray.core.reply import TokenLogprob
from judgeray.providers.body import inner, objects

DECIMALS = 6
"""Decimals kept of a log-probability: a millionth of a probability, and half the storage. `raw` holds them all."""

Tokens = tuple[TokenLogprob, ...]


def openai_logprobs(entries: object) -> Tokens | None:
    """Read a list of `token`, `logprob` and `top_logprobs` (Responses and Chat Completions alike)."""
    return _tokens([(entry, objects(entry.get("top_logprobs"))) for entry in objects(entries)], "logprob")


def google_logprobs(result: object) -> Tokens | None:
    """Read a LogprobsResult, which lists the chosen tokens and, beside them, the likeliest ones of each step.

    None where the two lists are not of one length: nobody could tell which belongs to which.
    """
    chosen, tops = inner(result, "chosenCandidates"), inner(result, "topCandidates")
    steps = objects(chosen)
    likeliest = [objects(top.get("candidates")) for top in objects(tops)] if tops else [[] for _ in steps]
    if len(likeliest) != len(steps):
        return None
    return _tokens(list(zip(steps, likeliest, strict=True)), "logProbability")


def _tokens(steps: list[tuple[dict[str, Any], list[dict[str, Any]]]], field: str) -> Tokens | None:
    """Put tokens together; None where there is none, or where one of the text's own is not what it should be."""
    read = [
        (_token(chosen, field), tuple(filter(None, (_token(top, field) for top in tops)))) for chosen, tops in steps
    ]
    found = [TokenLogprob(*chosen, top) for chosen, top in read if chosen is not None]
    return tuple(found) if found and len(found) == len(steps) else None


def _token(entry: dict[str, Any], field: str) -> tuple[str, float] | None:
    token, number = entry.get("token"), entry.get(field)
    if not isinstance(token, str) or isinstance(number, bool) or not isinstance(number, int | float):
        return None
    return (token, round(float(number), DECIMALS)) if math.isfinite(number) else None
