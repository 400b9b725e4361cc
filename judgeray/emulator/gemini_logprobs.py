"""Log-probabilities as Gemini asks for them and writes them."""

from __future__ import annotations

from judgeray.emulator.api import Body
from judgeray.emulator.prompt import Completion
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.token_logprobs import MOST_TOP


def asked_logprobs(config: Body) -> int | None:
    """How many alternatives a request asks for; None where it asks for no log-probabilities."""
    top, asked = config.get("logprobs"), config.get("responseLogprobs")
    if top is not None and (isinstance(top, bool) or not isinstance(top, int) or not 0 <= top <= MOST_TOP):
        raise RequestRefusedError(400, f"Invalid value at 'generation_config.logprobs': {top!r} is not in [0, 20].")
    if asked is True:
        return top if isinstance(top, int) else 0
    if top is not None:
        raise RequestRefusedError(400, "Logprobs is set but response_logprobs is not enabled.")
    return None


def written_logprobs(completion: Completion) -> dict[str, object]:
    """The fields of a candidate that hold the log-probabilities of its tokens."""
    found = completion.logprobs
    chosen = [_token(step.token, step.logprob) for step in found]
    tops = [{"candidates": [_token(name, number) for name, number in step.top]} for step in found]
    return {
        "avgLogprobs": sum(step.logprob for step in found) / len(found),
        "logprobsResult": {"topCandidates": tops, "chosenCandidates": chosen},
    }


def _token(token: str, logprob: float) -> dict[str, object]:
    # A number that tells tokens apart, as the API gives one; it means nothing.
    return {"token": token, "tokenId": sum(token.encode("utf-8", "surrogatepass")), "logProbability": logprob}
