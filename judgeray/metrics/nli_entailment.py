"""Which claims a text entails, told by an in-process NLI judge: one pair of text and claim a call."""

from __future__ import annotations

import json
from collections.abc import Sequence

from judgeray.core.call import Call, Judge
from judgeray.core.canonical import canonical_json
from judgeray.core.procedure import Procedure, ask_all
from judgeray.core.reply import Reply
from judgeray.designs.reading import number_within
from judgeray.metrics.draws import Drawn
from judgeray.metrics.entailment import Checked

LABELS = ("entailment", "neutral", "contradiction")
SHOWN = "entailment"
"""Name under which the probabilities of entailment stand beside the verdicts."""


def nli_call(judge: Judge, premise: str, hypothesis: str) -> Call:
    """Build the call for one pair; the same pair is the same call, whatever the replicate: it has one reply."""
    return judge.call(None, canonical_json({"premise": premise, "hypothesis": hypothesis}))


def nli_entailed(claims: Sequence[str], text: str, judge: Judge) -> Procedure[Drawn[Checked]]:
    """Check each of `claims` against `text`; a claim is entailed where no other label is as probable.

    The probabilities of entailment are kept beside the verdicts. A reply that is not one of the NLI judge's makes
    the whole list unparsed.
    """
    replies = yield from ask_all(nli_call(judge, text, claim) for claim in claims)
    read = [read_probabilities(reply) for reply in replies]
    found = [probabilities for probabilities in read if probabilities is not None]
    if len(found) < len(read):
        return Drawn("unparsed", None, 1)
    verdicts = [int(entailment > max(neutral, against)) for entailment, neutral, against in found]
    return Drawn("ok", Checked(tuple(verdicts), {SHOWN: [entailment for entailment, _, _ in found]}), 1)


def read_probabilities(reply: Reply) -> tuple[float, float, float] | None:
    """Read the probabilities of entailment, neutral and contradiction; None where the text is no such object."""
    try:
        record = json.loads(reply.text or "")
    except ValueError:
        return None
    if not isinstance(record, dict):
        return None
    entailment, neutral, contradiction = (number_within(record.get(label), 0, 1) for label in LABELS)
    if entailment is None or neutral is None or contradiction is None:
        return None
    return entailment, neutral, contradiction
