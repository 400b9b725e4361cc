"""Log-probabilities: what each API sends is kept with the reply, realtime and in batches; nothing is guessed."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.reply import Reply, TokenLogprob
from judgeray.providers import google_generate, openai_chat, openai_responses
from judgeray.providers.logprobs import google_logprobs, openai_logprobs
from tests.providers.batch_server import APIS as BATCH_APIS
from tests.providers.batch_server import TAG, Server, jsonl
from tests.providers.conftest import APIS

EXPECTED = (
    TokenLogprob("Yes", -0.105361, (("Yes", -0.105361), ("No", -2.302585))),
    TokenLogprob(".", 0.0, ((".", 0.0),)),
)
WITH = ["openai responses", "openai chat", "google"]


def _openai_token(token: TokenLogprob) -> dict[str, Any]:
    tops = [{"token": name, "logprob": number - 1e-8, "bytes": [1]} for name, number in token.top]
    return {"token": token.token, "logprob": token.logprob - 1e-8, "bytes": None, "top_logprobs": tops}


def _google_token(name: str, number: float) -> dict[str, Any]:
    return {"token": name, "tokenId": 7, "logProbability": number - 1e-8}


OPENAI = [_openai_token(token) for token in EXPECTED]
GOOGLE = {
    "chosenCandidates": [_google_token(token.token, token.logprob) for token in EXPECTED],
    "topCandidates": [{"candidates": [_google_token(*top) for top in token.top]} for token in EXPECTED],
}


def with_logprobs(name: str, body: dict[str, Any]) -> dict[str, Any]:
    """A response body of the API with the log-probabilities of its two tokens."""
    body = copy.deepcopy(body)
    if name == "openai responses":
        part = next(part for item in body["output"] for part in item.get("content", []) if "text" in part)
        part["logprobs"] = OPENAI
    elif name == "openai chat":
        body["choices"][0]["logprobs"] = {"content": OPENAI, "refusal": None}
    else:
        body["candidates"][0] |= {"logprobsResult": GOOGLE, "avgLogprobs": -0.05}
    return body


@pytest.mark.parametrize("name", WITH)
def test_log_probabilities_come_with_the_reply(ask: Any, canned: Any, name: str) -> None:
    """Tokens and alternatives are kept in order, to six decimals, and the raw body verbatim beside them."""
    body = json.dumps(with_logprobs(name, APIS[name].complete))
    reply = ask(APIS[name], canned(body)).reply
    assert (reply.token_logprobs, reply.raw) == (EXPECTED, body)
    assert Reply.from_json(reply.to_json()) == reply


def test_replies_without_them_have_none(api: Any, ask: Any, canned: Any) -> None:
    """Where an API sends none, as Anthropic never does, they are not known."""
    assert ask(api, canned(api.complete)).reply.token_logprobs is None


@pytest.mark.parametrize("name", WITH)
def test_log_probabilities_come_out_of_batches(name: str) -> None:
    """A result line is read by the realtime reader: it has the same tokens."""
    api, server = BATCH_APIS[name], Server()
    custom_id = f"{TAG}-000000"
    line = api.answered(custom_id, "Yes.")
    holder = line["response"] if api.kind == "openai" else line
    field = "body" if api.kind == "openai" else "response"
    holder[field] = with_logprobs(name, holder[field])
    api.ended(server, jsonl([line]), *([b""] if api.kind == "openai" else []))
    (result,) = api.harvest(server)
    assert result.reply is not None
    assert (result.reply.token_logprobs, result.reply.mode) == (EXPECTED, "batch")


def test_an_empty_list_is_none() -> None:
    """The Responses API sends an empty list where none were asked for."""
    part = {"type": "output_text", "text": "Yes.", "logprobs": []}
    content = openai_responses.read_body({"output": [{"content": [part]}]})
    assert content.token_logprobs is None


@pytest.mark.parametrize(
    "entry",
    [
        {"logprob": -1.0},
        {"token": 5, "logprob": -1.0},
        {"token": "a"},
        {"token": "a", "logprob": None},
        {"token": "a", "logprob": True},
        {"token": "a", "logprob": "-1"},
        {"token": "a", "logprob": float("-inf")},
        {"token": "a", "logprob": float("nan")},
    ],
)
def test_a_token_that_cannot_be_read_makes_all_unknown(entry: dict[str, Any]) -> None:
    """With one token missing, no place among them is sure; an alternative is left out alone."""
    assert openai_logprobs([*OPENAI, entry]) is None
    (token,) = openai_logprobs([{**OPENAI[0], "top_logprobs": [entry, *OPENAI[0]["top_logprobs"]]}]) or ()
    assert token == EXPECTED[0]


def test_geminis_lists_must_be_of_one_length() -> None:
    """Alternatives belong to the token of their step; where steps do not match, nothing is known."""
    assert google_logprobs({**GOOGLE, "topCandidates": GOOGLE["topCandidates"][:1]}) is None
    alone = google_logprobs({"chosenCandidates": GOOGLE["chosenCandidates"]})
    assert alone == tuple(token._replace(top=()) for token in EXPECTED)


_WORDS = st.sampled_from(
    """
    token logprob top_logprobs logprobs content chosenCandidates topCandidates candidates logProbability
    """.strip().split()
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=4),
    max_leaves=25,
)


@given(_JSON)
def test_nothing_crashes_the_readers(value: Any) -> None:
    """Whatever stands in the place of log-probabilities, a reply is still a reply."""
    part = {"type": "output_text", "text": "Yes.", "logprobs": value}
    assert openai_responses.read_body({"output": [{"content": [part]}]}).text == "Yes."
    choice = {"message": {"content": "Yes."}, "logprobs": value}
    assert openai_chat.read_body({"choices": [choice]}).text == "Yes."
    candidate = {"content": {"parts": [{"text": "Yes."}]}, "logprobsResult": value}
    assert google_generate.read_body({"candidates": [candidate]}).text == "Yes."
