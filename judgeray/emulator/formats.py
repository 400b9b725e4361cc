"""The shapes in which a model writes the JSON it was asked for."""

from __future__ import annotations

from collections.abc import Mapping

from judgeray.emulator.behaviour import Formats
from judgeray.emulator.wire import indented_json

_LEAD_INS = (
    "Here is my evaluation.",
    "I compared what was given with the reference answer point by point.",
    "Based on the reference answer, my judgement is as follows.",
)


def written(fields: Mapping[str, object], shape: float, cut: float, formats: Formats, *, json_only: bool) -> str:
    """Write `fields` as JSON in the shape that the draws `shape` and `cut`, both in [0, 1), pick.

    A broken text is cut between its first line of content, which must hold the verdict, and its end, so that
    it is no JSON but still states the verdict. Where the request demands JSON it is always whole.
    """
    text = indented_json(fields)
    if json_only or shape < formats.whole:
        return text
    if shape < formats.whole + formats.fenced:
        return f"```json\n{text}\n```"
    if shape < formats.whole + formats.fenced + formats.embedded:
        return f"{_LEAD_INS[int(cut * len(_LEAD_INS))]}\n\n{text}"
    stated = text.index("\n", 2) + 1
    return text[: stated + int(cut * (len(text) - 1 - stated))]
