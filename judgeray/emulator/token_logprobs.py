"""Log-probabilities of a simulated reply: made up, but the same each time and in keeping with what is said."""

from __future__ import annotations

import math
import re

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniform
from judgeray.emulator.prompt import Logprob, Prompt
from judgeray.emulator.sentence_verdict import sentence_verdict

MOST_TOP = 20
"""Alternatives that any of the APIs gives."""

_TOKEN = re.compile(r"\s?\w+|\s?[^\w\s]+|\s")
_OTHER_DIGIT = {"0": "1", "1": "0"}
_OTHER_DIGIT_SHARE, _NEXT_SHARE = 0.98, 0.5
_FILLERS = (" the", " a", " is", " of", ",", ".", ' "', "\n", " in", " to", " it", " that", " one", " no", " yes",
            " true", " false", " null", " and", " or", "-", ":")  # fmt: skip


def token_logprobs(prompt: Prompt, text: str, behaviour: Behaviour) -> tuple[Logprob, ...]:
    """Cut a reply into tokens, each with as many alternatives as the prompt asks for; none where it asks for none.

    The digit of a verdict is as probable as the judge is sure, and nearly all the rest is the other digit's.
    """
    if prompt.top_logprobs is None:
        return ()
    verdict = sentence_verdict(prompt, behaviour)
    tokens = _TOKEN.findall(text)
    found = []
    for place, token in enumerate(tokens):
        digit = token.strip()
        if verdict is not None and digit == str(verdict.digit):
            other = token.replace(digit, _OTHER_DIGIT[digit])
            found.append(_token(token, verdict.sure, prompt.top_logprobs, other))
        else:
            sure = 1 - 0.02 * uniform("token", str(behaviour.seed), prompt.digest, str(place))
            found.append(_token(token, sure, prompt.top_logprobs))
    return tuple(found)


def _token(token: str, sure: float, top: int, other: str | None = None) -> Logprob:
    shares = [(token, sure)]
    rest = 1 - sure
    if other is not None:
        shares.append((other, rest * _OTHER_DIGIT_SHARE))
        rest *= 1 - _OTHER_DIGIT_SHARE
    for filler in _FILLERS:
        if filler not in (token, other):
            shares.append((filler, rest * _NEXT_SHARE))
            rest *= 1 - _NEXT_SHARE
    logprobs = [(name, math.log(max(share, 1e-300))) for name, share in shares]
    return Logprob(token, logprobs[0][1], tuple(logprobs[:top]))
