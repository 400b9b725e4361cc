"""Simulated entailment: a claim holds where the text has its names and numbers, and most of its other words."""

from __future__ import annotations

import json
from collections.abc import Sequence

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniform, uniforms
from judgeray.emulator.formats import written
from judgeray.emulator.metric_luck import flip_share
from judgeray.emulator.metric_words import content_words, missing
from judgeray.emulator.prompt import Prompt
from judgeray.metrics.entailment import SYSTEM, USER

_BEFORE, _BETWEEN, _ = USER.replace("{claims}", "{text}").split("{text}")
_MISSING_ALLOWED = 0.4
"""Share of a claim's content words that a paraphrase may replace."""

_REASONS = ("The text does not say all of this.", "The text says so.")


def entailment_reply(prompt: Prompt, behaviour: Behaviour) -> str | None:
    """Answer an entailment prompt with a verdict for each claim; None where the prompt is none.

    A verdict is the opposite of what the words tell on a share of claims that depends on the model (`flip_share`),
    drawn from claim and text. A share `behaviour.formats.broken` of lists is no list of verdicts: half of them
    lack the last verdict, half are cut off; a request with another seed draws anew.
    """
    asked = _asked(prompt)
    if asked is None:
        return None
    text, claims = asked
    shape, cut, *_ = uniforms("entailment", str(behaviour.seed), prompt.digest)
    verdicts = [_verdict(claim, text, prompt, behaviour) for claim in claims]
    found = [
        {"index": index, "reason": _REASONS[verdict], "verdict": verdict}
        for index, verdict in enumerate(verdicts, 1)
    ]
    if shape >= 1 - behaviour.formats.broken and cut < 0.5:
        found, shape = found[:-1], 0.0
    return written({"verdicts": found}, shape, cut, behaviour.formats, json_only=prompt.json_only)


def entails(text: str, claim: str) -> bool:
    """Whether a text has all names and numbers of a claim, and at least 60% of all its content words."""
    lacking = missing(claim, text)
    if any(word.decisive for word in lacking):
        return False
    return len(lacking) <= _MISSING_ALLOWED * len(content_words(claim))


def _verdict(claim: str, text: str, prompt: Prompt, behaviour: Behaviour) -> int:
    draw = uniform("claim", str(behaviour.seed), prompt.model, claim, text)
    return int(entails(text, claim) != (draw < flip_share(prompt, behaviour)))


def _asked(prompt: Prompt) -> tuple[str, Sequence[str]] | None:
    """Text and claims; JSON strings hold no line breaks, so the last mark between the two is the true one."""
    text, found, listed = prompt.user.removeprefix(_BEFORE).rpartition(_BETWEEN)
    if prompt.system != SYSTEM or not found:
        return None
    try:
        return text, [entry["claim"] for entry in json.loads(listed)]
    except (ValueError, TypeError, KeyError):
        return None
