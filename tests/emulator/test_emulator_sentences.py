"""The emulator judges sentences: by their words, with the stated errors, surer where it is right."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from statistics import mean
from typing import Any, Literal

import pytest
from google.genai import types as google
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.chat import ChatCompletion
from openai.types.responses import Response
from scipy.stats import binomtest

from judgeray.analysis.averaging.annotation_files import FAITHFUL, UNFAITHFUL, read_annotations
from judgeray.core.call import Call, Judge
from judgeray.core.reply import Reply, Usage
from judgeray.datasets.summaries_registry import load_summaries
from judgeray.datasets.summaries_split import split_summary
from judgeray.datasets.summary_source import SummarySource
from judgeray.designs.sentence import F
from judgeray.emulator.behaviour import Behaviour, Formats
from judgeray.emulator.families import reply_text
from judgeray.emulator.how import How
from judgeray.emulator.process import EmulatorProcess
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.sentence_verdict import sentence_verdict
from judgeray.emulator.sentence_words import supported
from judgeray.emulator.token_logprobs import token_logprobs
from judgeray.providers.account import Account
from judgeray.providers.connect import connect
from judgeray.samples import SENTENCES_SAMPLE
from judgeray.summaries import Summary
from judgeray.writers.subclaims import SUBCLAIMS, read_subclaims

DOCUMENT = (
    "The ferry of Marrow Bay carries 140 cars a day in summer. Councillor Ines Falk voted to keep it in winter."
)
TRUE, FALSE = "The ferry carries 140 cars a day.", "The ferry carries 900 cars to Oslo."
ERRORLESS = Behaviour(sentence_error={"default": 0.0})
WHOLE = Formats(whole=1, fenced=0, embedded=0, broken=0)
KEY_ENV = "JUDGERAY_TEST_KEY"
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),
]


def prompt_about(sentence: str, document: str = DOCUMENT, model: str = "m", **fields: Any) -> Prompt:
    """F's prompt about a sentence."""
    call = F.call(document, sentence, Judge("j", "openai", model))
    return Prompt("openai", model, call.system or "", call.user, **fields)


def judged(prompt: Prompt, behaviour: Behaviour) -> int | None:
    """What F reads from the emulator's reply."""
    text = reply_text(prompt, behaviour)
    return F.read(Reply("0" * 64, "openai", prompt.model, "complete", text, Usage())).hard


def test_words_decide() -> None:
    """A sentence holds where the document has its names and numbers and most of its other words."""
    assert supported(DOCUMENT, TRUE)
    assert supported(DOCUMENT, "Councillor Falk voted for keeping the ferry in winter.")
    assert not supported(DOCUMENT, FALSE)
    assert not supported(DOCUMENT, "Nobody ever swims, cooks or sings together anywhere near here.")


def test_the_sample_is_judged_as_its_annotators_do() -> None:
    """Without errors, at least nine in ten sentences of the packaged sample get the annotators' verdict."""
    marks = read_annotations(SENTENCES_SAMPLE)
    said = {(row["summary_id"], row["sentence_index"]): row["annotation"] for row in marks.to_dicts()}
    items = load_summaries(SummarySource("s", "table", "sample:summaries"))
    splits = [split_summary(item, "pysbd") for item in items if isinstance(item, Summary)]
    pairs = [
        (verdict == FAITHFUL, judged(prompt_about(sentence.text, split.summary.document), ERRORLESS) == 1)
        for split in splits
        for sentence in split.sentences
        if (verdict := said.get((split.summary.summary_id, sentence.index))) in (FAITHFUL, UNFAITHFUL)
    ]
    assert len(pairs) > 50
    assert sum(found == right for right, found in pairs) >= 0.9 * len(pairs)


@pytest.mark.parametrize(("sentence", "right"), [(TRUE, 1), (FALSE, 0)])
def test_errors_are_as_frequent_as_stated(sentence: str, right: int) -> None:
    """Over 500 documents a model errs as often as its own number, or the default, says."""
    behaviour = Behaviour(sentence_error={"default": 0.3, "known": 0.05})
    for model, error in (("known", 0.05), ("other", 0.3)):
        prompts = [prompt_about(sentence, f"{DOCUMENT} It is day {n}.", model) for n in range(500)]
        wrong = sum(judged(prompt, behaviour) != right for prompt in prompts)
        assert binomtest(wrong, 500, error).pvalue > 1e-4, model


def test_the_default_judges_differ() -> None:
    """Of the models of study 3 that are known by name, the larger one errs less."""
    behaviour = Behaviour()
    assert behaviour.sentence_error_of("Qwen/Qwen3-32B") < behaviour.sentence_error_of(
        "meta-llama/Llama-3.1-8B-Instruct"
    )
    assert behaviour.sentence_error_of("anything") == 0.12


def test_every_shape_is_read() -> None:
    """Alone, fenced, after prose or cut behind the verdict, a reply states its label."""
    for shape in ("whole", "fenced", "embedded", "broken"):
        shares = {"whole": 0.0, "fenced": 0.0, "embedded": 0.0, "broken": 0.0, shape: 1.0}
        behaviour = Behaviour(formats=Formats(**shares), sentence_error={"default": 0.0})
        assert [judged(prompt_about(sentence), behaviour) for sentence in (TRUE, FALSE)] == [1, 0], shape


@settings(max_examples=60, deadline=None)
@given(ANY_TEXT, ANY_TEXT)
def test_any_sentence_gets_a_label(document: str, sentence: str) -> None:
    """Whatever the texts hold, the reply states 0 or 1, and its log-probabilities are of that digit."""
    prompt = prompt_about(sentence, document, top_logprobs=20)
    behaviour = Behaviour(formats=WHOLE)
    verdict = sentence_verdict(prompt, behaviour)
    assert verdict is not None
    assert judged(prompt, behaviour) == verdict.digit
    tokens = token_logprobs(prompt, reply_text(prompt, behaviour), behaviour)
    assert "".join(token.token for token in tokens) == reply_text(prompt, behaviour)


@pytest.mark.parametrize("top", [0, 1, 2, 20])
def test_log_probabilities_are_in_keeping_with_the_reply(top: int) -> None:
    """Tokens joined are the text; alternatives are distinct, likeliest first, and sum to 1 at most."""
    prompt = prompt_about(TRUE, top_logprobs=top)
    text = reply_text(prompt, Behaviour())
    tokens = token_logprobs(prompt, text, Behaviour())
    assert tokens == token_logprobs(prompt, text, Behaviour())
    assert "".join(token.token for token in tokens) == text
    for token in tokens:
        assert len(token.top) == top
        assert len({name for name, _ in token.top}) == top
        assert [number for _, number in token.top] == sorted((number for _, number in token.top), reverse=True)
        assert sum(math.exp(number) for _, number in token.top) <= 1 + 1e-9
        assert top == 0 or token.top[0] == (token.token, token.logprob)
    assert token_logprobs(prompt_about(TRUE), text, Behaviour()) == ()


def test_judges_are_surer_where_they_are_right() -> None:
    """On average a right verdict is much more probable than a wrong one, and both more than the other digit."""
    behaviour = Behaviour(sentence_error={"default": 0.3})
    prompts = [prompt_about(TRUE, f"{DOCUMENT} It is day {n}.") for n in range(300)]
    found = [verdict for prompt in prompts if (verdict := sentence_verdict(prompt, behaviour))]
    sure = {digit: [verdict.sure for verdict in found if verdict.digit == digit] for digit in (0, 1)}
    assert all(0.5 < number < 1 for numbers in sure.values() for number in numbers)
    assert mean(sure[1]) > mean(sure[0]) + 0.1


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("It rained.", ("It rained.",)),
        ("The ferry, which is old, sails daily and costs 3.5 pounds.",
         ("The ferry.", "is old.", "sails daily.", "costs 3.5 pounds.")),
        ("...", ()),
        ("It cost 1,000 pounds.", ("It cost 1,000 pounds.",)),
    ],
)  # fmt: skip
def test_subclaims_are_clauses(sentence: str, claims: tuple[str, ...]) -> None:
    """A sentence is cut at commas and conjunctions, numbers stay whole, and nothing gives no claim."""
    call = SUBCLAIMS.call(sentence, Judge("j", "openai", "m"))
    text = reply_text(Prompt("openai", "m", call.system or "", call.user), Behaviour())
    read = read_subclaims(Reply("0" * 64, "openai", "m", "complete", text, Usage()))
    assert (read.status, read.claims) == ("ok", claims)


@pytest.mark.parametrize(("system", "user"), [(F.system, ""), (F.system, f"{F.before}only a document"), ("x", "y")])
def test_other_prompts_are_no_sentences(system: str, user: str) -> None:
    """A prompt without F's system text or without its two texts is none of this family."""
    assert sentence_verdict(Prompt("openai", "m", system, user), Behaviour()) is None


CHAT, RESPONSES = "/openai/v1/chat/completions", "/openai/v1/responses"
GENERATE = "/gemini/v1/models/g:generateContent"
OPENAI_KEY, GEMINI_KEY = {"Authorization": "Bearer key"}, {"x-goog-api-key": "key"}
MESSAGES = [{"role": "user", "content": "x"}]
CONTENTS = [{"role": "user", "parts": [{"text": "x"}]}]
INCLUDE = ["message.output_text.logprobs"]


def test_log_probabilities_are_valid_to_the_sdks(exchange: Any) -> None:
    """In each API's own shape, only where they are asked for, and as many alternatives as asked for."""
    asked = {"model": "m", "messages": MESSAGES, "logprobs": True, "top_logprobs": 3}
    chat = ChatCompletion.model_validate(exchange("POST", CHAT, asked, OPENAI_KEY).body)
    assert chat.choices[0].logprobs is not None
    content = chat.choices[0].logprobs.content or []
    assert "".join(token.token for token in content) == chat.choices[0].message.content
    assert {len(token.top_logprobs) for token in content} == {3}
    body = {"model": "m", "input": "x", "include": INCLUDE, "top_logprobs": 2}
    response = Response.model_validate(exchange("POST", RESPONSES, body, OPENAI_KEY).body)
    part: Any = response.output[0].content[0]  # type: ignore[union-attr, index]
    assert "".join(token.token for token in part.logprobs) == part.text
    assert {len(token.top_logprobs) for token in part.logprobs} == {2}
    config = {"responseLogprobs": True, "logprobs": 4}
    answer = exchange("POST", GENERATE, {"contents": CONTENTS, "generationConfig": config}, GEMINI_KEY)
    candidate = google.Candidate.model_validate(answer.body["candidates"][0])
    assert candidate.logprobs_result is not None
    assert candidate.avg_logprobs is not None
    chosen, tops = candidate.logprobs_result.chosen_candidates or [], candidate.logprobs_result.top_candidates or []
    assert len(chosen) == len(tops) > 0
    assert {len(top.candidates or []) for top in tops} == {4}


def test_replies_have_none_unless_asked_for(exchange: Any) -> None:
    """Without the parameters, the fields are empty as the APIs leave them."""
    chat = exchange("POST", CHAT, {"model": "m", "messages": MESSAGES}, OPENAI_KEY).body
    assert chat["choices"][0]["logprobs"] is None
    response = exchange("POST", RESPONSES, {"model": "m", "input": "x", "top_logprobs": 2}, OPENAI_KEY).body
    assert response["output"][0]["content"][0]["logprobs"] == []
    assert (
        "logprobsResult" not in exchange("POST", GENERATE, {"contents": CONTENTS}, GEMINI_KEY).body["candidates"][0]
    )


@pytest.mark.parametrize(
    ("path", "body", "headers"),
    [
        (CHAT, {"model": "m", "messages": MESSAGES, "top_logprobs": 3}, OPENAI_KEY),
        (CHAT, {"model": "m", "messages": MESSAGES, "logprobs": True, "top_logprobs": 21}, OPENAI_KEY),
        (CHAT, {"model": "gpt-5", "messages": MESSAGES, "logprobs": True}, OPENAI_KEY),
        (CHAT, {"model": "gpt-4.1", "messages": MESSAGES, "chat_template_kwargs": {}}, OPENAI_KEY),
        (RESPONSES, {"model": "gpt-5.5", "input": "x", "include": INCLUDE, "top_logprobs": 3}, OPENAI_KEY),
        (GENERATE, {"contents": CONTENTS, "generationConfig": {"logprobs": 3}}, GEMINI_KEY),
        (
            GENERATE,
            {"contents": CONTENTS, "generationConfig": {"responseLogprobs": True, "logprobs": 21}},
            GEMINI_KEY,
        ),
    ],
)
def test_what_the_apis_refuse_is_refused(
    exchange: Any, path: str, body: dict[str, Any], headers: dict[str, str]
) -> None:
    """Too many alternatives, a number without the switch, a model without the feature: 400."""
    assert exchange("POST", path, body, headers).status == 400


def test_servers_of_open_models_take_a_chat_template(exchange: Any) -> None:
    """What vLLM knows beside OpenAI's parameters passes for models named with their organization."""
    body = {"model": "Qwen/Qwen3-8B", "messages": MESSAGES, "chat_template_kwargs": {"enable_thinking": False}}
    assert exchange("POST", CHAT, body, OPENAI_KEY).status == 200


LONG = f"{DOCUMENT} " * 60
ASKED = {"temperature": 0, "max_output_tokens": 64, "top_logprobs": 20}


def _account(
    emulator: EmulatorProcess, kind: Literal["openai", "anthropic", "google"], api: Literal["responses", "chat"]
) -> Account:
    urls = {"openai": emulator.openai_url, "anthropic": emulator.anthropic_url, "google": emulator.gemini_url}
    return Account(kind, kind, api, urls[kind], KEY_ENV, timeout_seconds=20)


async def _answers(account: Account, calls: list[Call]) -> list[Reply]:
    client = connect(account)
    try:
        return [await client.answer(call) for call in calls]
    finally:
        await client.close()


@pytest.mark.parametrize(
    ("kind", "api", "model", "parameters"),
    [
        ("openai", "responses", "gpt-4.1", ASKED),
        ("openai", "chat", "Qwen/Qwen3-8B",
         {**ASKED, "extra_body": {"chat_template_kwargs": {"enable_thinking": False}}}),
        ("google", "responses", "gemini-3.1-flash-lite-preview", ASKED),
        ("anthropic", "responses", "claude-opus-4-6", ASKED),
    ],
)  # fmt: skip
def test_sentences_are_judged_over_the_real_clients(
    serve: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    kind: Literal["openai", "anthropic", "google"],
    api: Literal["responses", "chat"],
    model: str,
    parameters: Mapping[str, Any],
) -> None:
    """Both labels come through each SDK, soft on the side of hard; later calls find the document cached."""
    monkeypatch.setenv(KEY_ENV, "key")
    emulator = serve(How()).emulator
    judge = Judge("j", kind, model, parameters)
    sentences = [TRUE, FALSE, "Ines Falk voted in winter.", "The ferry sank."]
    document = f"{LONG} {kind} {api}."
    calls = [F.call(document, sentence, judge) for sentence in sentences]
    replies: list[Reply] = asyncio.run(_answers(_account(emulator, kind, api), calls))
    for reply in replies:
        assert Reply.from_json(reply.to_json()) == reply
        judgment = F.read(reply)
        assert judgment.status == "ok"
        assert (judgment.soft is None) == (kind == "anthropic")
        if judgment.soft is not None:
            assert judgment.hard == int(judgment.soft > 0.5)
    cached = [reply.usage.cached_tokens or 0 for reply in replies]
    total = [reply.usage.input_tokens or 0 for reply in replies]
    assert cached[0] == 0
    assert all(tokens >= 1024 for tokens in cached[1:])
    assert all(most >= tokens for most, tokens in zip(total, cached, strict=True))


def test_a_mark_changes_no_word(serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether or not a prefix is marked to be cached, the model reads one prompt and says one thing."""
    monkeypatch.setenv(KEY_ENV, "key")
    emulator = serve(How()).emulator
    marked = F.call(f"{LONG} mark.", TRUE, Judge("j", "anthropic", "claude-opus-4-6"))
    calls = [marked, replace(marked, shared_prefix_characters=None)]
    first, second = asyncio.run(_answers(_account(emulator, "anthropic", "responses"), calls))
    assert (first.text, first.usage.input_tokens) == (second.text, second.usage.input_tokens)
    assert len(emulator.counts()["repeated"]) == 1


Steps = Callable[[Any], Awaitable[list[Any]]]


def _anthropic(text: str, marked: bool) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": text}
    mark = {"cache_control": {"type": "ephemeral"}} if marked else {}
    content = [block | mark, {"type": "text", "text": "end"}]
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": content}]}


def test_caching_is_counted_in_anthropics_way(in_app: Callable[[Steps], list[Any]]) -> None:
    """A marked beginning is written once and read from then on; unmarked or short ones are neither."""
    headers = {"x-api-key": "key", "anthropic-version": "2026-10-21"}

    async def steps(client: Any) -> list[Any]:
        found = []
        for text, marked in ((LONG, True), (LONG, True), (LONG, False), (DOCUMENT, True), (DOCUMENT, True)):
            async with client.post(
                "/anthropic/v1/messages", json=_anthropic(text, marked), headers=headers
            ) as answer:
                found.append((await answer.json())["usage"])
        return found

    usages = in_app(steps)
    read = [usage["cache_read_input_tokens"] for usage in usages]
    written = [usage["cache_creation_input_tokens"] for usage in usages]
    whole = [usage["input_tokens"] + r + w for usage, r, w in zip(usages, read, written, strict=True)]
    assert (read[0], written[1], read[1]) == (0, 0, written[0])
    assert written[0] >= 1024
    assert read[2:] == written[2:] == [0, 0, 0]
    assert whole[0] == whole[1] == whole[2]


def test_caching_goes_in_steps_elsewhere(in_app: Callable[[Steps], list[Any]]) -> None:
    """OpenAI counts what the longest beginning seen before has, in steps of 128 tokens from 1,024 on, per model."""

    async def steps(client: Any) -> list[Any]:
        found = []
        for model, text in (
            ("m", LONG),
            ("m", LONG),
            ("m", f"{LONG[:5000]} other {LONG}"),
            ("n", LONG),
            ("m", "x"),
        ):
            body = {"model": model, "messages": [{"role": "user", "content": text}]}
            async with client.post(CHAT, json=body, headers=OPENAI_KEY) as answer:
                found.append((await answer.json())["usage"]["prompt_tokens_details"]["cached_tokens"])
        return found

    first, second, third, *others = in_app(steps)
    assert (first, others) == (0, [0, 0])
    assert second >= third == 1152
    assert second % 128 == 0
