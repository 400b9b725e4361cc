"""Scripted judges: a function from call to reply, asked wave by wave until a metric settles."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure
from judgeray.core.replay import Pending, Settled, replay_twice
from judgeray.core.reply import Answer, Outcome, Reply, Usage
from judgeray.metrics.entailment import SYSTEM as ENTAILMENT
from judgeray.metrics.metric import Score, Scored

JUDGE = Judge("gpt", "openai", "gpt-4.1")
NLI = Judge("nli", "nli", "cross-encoder/nli-deberta-v3-large", in_process=True)
ITEM = Scored("Who wrote {Photograph}?", "Starr and Harrison wrote it. It came out in 1973.", "Starr wrote it.")

Scripted = str | None | tuple[str | None, Outcome]
Script = Callable[[Call], Scripted]


def settle(start: Callable[[], Procedure[Score]], script: Script) -> tuple[Score, list[list[Call]]]:
    """Answer all that is wanted until the metric settles; returns its score and the calls of each wave."""
    known: dict[str, Answer] = {}
    waves: list[list[Call]] = []
    while True:
        state = replay_twice(start, known, "metric")
        if isinstance(state, Settled):
            return state.value, waves
        assert isinstance(state, Pending)
        waves.append(list(state.wanted))
        known.update({call.key: _reply(call, script(call)) for call in state.wanted})


def _reply(call: Call, scripted: Scripted) -> Reply:
    text, outcome = scripted if isinstance(scripted, tuple) else (scripted, "complete")
    return Reply(call.key, call.provider, call.model, outcome, text, Usage())


def claims_text(*claims: object) -> str:
    """A reply that lists claims."""
    return json.dumps({"claims": claims})


def verdicts_text(*verdicts: int) -> str:
    """A reply that gives these verdicts in the order of the claims."""
    found = [{"index": n, "reason": "so", "verdict": verdict} for n, verdict in enumerate(verdicts, 1)]
    return json.dumps({"verdicts": found})


def asks_entailment(call: Call) -> bool:
    """Whether a call asks for verdicts, and not for claims."""
    return call.system == ENTAILMENT


def claims_asked(call: Call) -> list[str]:
    """The claims that an entailment call lists."""
    return [entry["claim"] for entry in json.loads(call.user.rpartition("\n\nClaims:\n")[2])]


def text_shown(call: Call) -> str:
    """The text that a claims call or an entailment call is about."""
    return call.user.removeprefix("Text:\n").rpartition("\n\nClaims:\n")[0] or call.user.removeprefix("Text:\n")


def well_behaved(
    answer: Sequence[str], reference: Sequence[str], true: Sequence[str], item: Scored = ITEM
) -> Callable[[Call], str]:
    """A judge that splits the two texts into these claims, and finds those in `true` entailed."""

    def script(call: Call) -> str:
        if asks_entailment(call):
            return verdicts_text(*(int(claim in true) for claim in claims_asked(call)))
        return claims_text(*(answer if text_shown(call) == item.answer else reference))

    return script
