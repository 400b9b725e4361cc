"""Splitting a text into claims: one prompt, in a variant for each atomicity and coverage."""

from __future__ import annotations

import json
from functools import cache

from judgeray.core.call import Judge
from judgeray.core.procedure import Procedure
from judgeray.metrics.claim_examples import EXAMPLES, Example
from judgeray.metrics.draws import Drawn, draw_call, drawn
from judgeray.metrics.json_lists import stated_list
from judgeray.metrics.settings import Level

VERSION = "v1"
OUTPUT_TOKENS = 220

_TASK = """\
You split a text into claims. A claim is one sentence that can be checked without the rest of the text: it names \
what it is about and holds no pronoun that points outside of it. Claims repeat what the text says, be it true or \
false; add nothing and correct nothing."""
_ATOMICITY: dict[Level, str] = {
    "low": "Keep facts together that the text states in one breath: a claim may hold several facts.",
    "high": "Take apart what the text joins: a claim holds a single fact.",
}
_COVERAGE: dict[Level, str] = {
    "low": "List the main claims only and leave side details out.",
    "high": "Leave nothing out: every detail that the text states stands in some claim.",
}
_FORMAT = """\
Return valid JSON with keys:
- claims: list of strings (empty where the text states nothing that can be checked)"""
USER = "Text:\n{text}"
"""The user message; `text` is put in as it is."""


@cache
def system_text(atomicity: Level, coverage: Level) -> str:
    """Write the system prompt of one variant: the task, its two rules, the format, and the worked examples."""
    head = f"{_TASK}\n{_ATOMICITY[atomicity]}\n{_COVERAGE[coverage]}\n{_FORMAT}"
    return "\n\n".join([head, *(_shown(example) for example in EXAMPLES[atomicity, coverage])])


def claims(
    text: str, judge: Judge, atomicity: Level, coverage: Level, replicate: int = 0
) -> Procedure[Drawn[tuple[str, ...]]]:
    """Have a text split into claims, in the order given; a blank text has none, which takes no call."""
    if not text.strip():
        return Drawn("ok", (), 0)
    system, user = system_text(atomicity, coverage), USER.format(text=text)
    return (yield from drawn(lambda draw: draw_call(judge, system, user, replicate, draw), read_claims))


def read_claims(text: str) -> tuple[str, ...] | None:
    """Read the claims that a reply lists; None where it lists none, or anything but texts."""
    found = stated_list(text, "claims")
    if found is None:
        return None
    texts = [item.strip() for item in found if isinstance(item, str) and item.strip()]
    return tuple(texts) if len(texts) == len(found) else None


def _shown(example: Example) -> str:
    text, found = example
    return f"Example text:\n{text}\nReply:\n{json.dumps({'claims': found})}"
