"""Rate limits are enforced as each API enforces its own, and told as each API tells them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import anthropic
import openai
import pytest
from google.genai import errors
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from judgeray.emulator.buckets import Bucket
from judgeray.emulator.how import How
from judgeray.emulator.limits import Limiter
from judgeray.emulator.openai_limits import duration
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.rates import Limits, Rates
from judgeray.emulator.refusal import RequestRefusedError

OPENAI = "/openai/v1/responses"
ANTHROPIC = "/anthropic/v1/messages"
GEMINI = "/gemini/v1/models/m:generateContent"
pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),
]


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now


def _refused(limiter: Limiter, prompt: Prompt, key: str = "key") -> RequestRefusedError | None:
    try:
        limiter.admit(prompt.api, key, prompt)
    except RequestRefusedError as refusal:
        return refusal
    return None


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 600),
    st.floats(0.1, 60),
    st.lists(st.tuples(st.floats(0, 20), st.integers(1, 40)), max_size=60),
)
def test_no_minute_gives_more_than_it_holds(per_minute: int, burst: float, uses: list[tuple[float, int]]) -> None:
    """However uses come, what passes is at most the burst, what the rate gives, and one use more."""
    bucket, now, passed, largest = Bucket(per_minute, burst, 0.0), 0.0, 0.0, 0
    for pause, wanted in uses:
        now += pause
        if bucket.wait_seconds(wanted, now) == 0:
            bucket.take(wanted, now)
            passed, largest = passed + wanted, max(largest, wanted)
    assert passed <= max(1, per_minute * burst / 60) + per_minute * now / 60 + largest + 1e-6


def test_idle_time_is_not_saved_up() -> None:
    """After an hour of silence no more passes at once than one burst."""
    bucket = Bucket(120, 5, 0.0)
    passed = 0
    while bucket.wait_seconds(1, 3600.0) == 0:
        bucket.take(1, 3600.0)
        passed += 1
    assert passed == 10


@settings(deadline=None)
@given(st.integers(1, 600), st.floats(0.1, 60), st.integers(1, 1000))
def test_the_wait_that_is_told_suffices(per_minute: int, burst: float, wanted: int) -> None:
    """After the told wait a use passes, and at nine tenths of it it does not."""
    bucket = Bucket(per_minute, burst, 0.0)
    bucket.take(wanted, 0.0)
    wait = bucket.wait_seconds(wanted, 0.0)
    assert bucket.wait_seconds(wanted, 0.9 * wait) > 0 or wait == 0
    assert bucket.wait_seconds(wanted, wait) < 1e-6


def test_limits_are_per_key_and_model() -> None:
    """Another key and another model have limits of their own; a model that is not named has the default's."""
    limits = Limits(openai={"m": Rates(requests_per_minute=1), "default": Rates(requests_per_minute=2)})
    limiter = Limiter(limits, Clock())
    prompt, other = Prompt("openai", "m", "", "x"), Prompt("openai", "n", "", "x")
    assert _refused(limiter, prompt) is None
    assert _refused(limiter, prompt) is not None
    assert _refused(limiter, prompt, key="other") is None
    assert [_refused(limiter, other) is None for _ in range(3)] == [True, True, False]
    assert _refused(limiter, Prompt("gemini", "m", "", "x")) is None


def test_openai_charges_the_larger_of_cap_and_estimate() -> None:
    """Tokens are charged as the output cap or the prompt, whichever is larger, and never both."""
    limiter = Limiter(Limits(openai={"m": Rates(tokens_per_minute=100)}), Clock())
    assert _refused(limiter, Prompt("openai", "m", "", "x" * 40, output_cap=60)) is None
    assert _refused(limiter, Prompt("openai", "m", "", "x" * 120, output_cap=16)) is None
    refusal = _refused(limiter, Prompt("openai", "m", "", "x" * 60))
    assert refusal is not None
    assert (refusal.kind, refusal.headers["x-ratelimit-remaining-tokens"]) == ("tokens", "10")
    assert float(refusal.headers["retry-after-ms"]) == 3000
    assert "Limit 100, Used 90, Requested 15. Please try again in 3s." in refusal.message


def test_openai_charges_refused_requests() -> None:
    """A client that hammers on pushes its next turn away, by a minute at most, and gets on once it waits."""
    clock = Clock()
    limiter = Limiter(Limits(openai={"m": Rates(requests_per_minute=60)}), clock)
    prompt = Prompt("openai", "m", "", "x")
    waits = [float(r.headers["retry-after-ms"]) for _ in range(200) if (r := _refused(limiter, prompt))]
    assert waits[0] == 1000
    assert waits[9] == 10_000
    assert max(waits) <= 61_000
    clock.now += waits[-1] / 1000 + 1
    assert _refused(limiter, prompt) is None


def test_openai_refuses_what_no_wait_can_help() -> None:
    """A prompt above the whole limit is told so, without a time to wait."""
    limiter = Limiter(Limits(openai={"m": Rates(tokens_per_minute=10)}), Clock())
    refusal = _refused(limiter, Prompt("openai", "m", "", "x" * 44))
    assert refusal is not None
    assert refusal.message.startswith("Request too large for m")
    assert "retry-after" not in refusal.headers


def test_anthropic_enforces_below_the_minute() -> None:
    """Sixty requests a minute are one a second: the second one at once is refused, and passes a second later."""
    clock = Clock()
    limiter = Limiter(Limits(anthropic={"m": Rates(requests_per_minute=60)}), clock)
    prompt = Prompt("anthropic", "m", "", "x")
    assert _refused(limiter, prompt) is None
    refusal = _refused(limiter, prompt)
    assert refusal is not None
    assert refusal.headers["retry-after"] == "1"
    clock.now += 1
    assert _refused(limiter, prompt) is None


def test_anthropic_charges_output_when_it_is_known() -> None:
    """`max_tokens` counts nothing; what was written does, and its debt keeps further prompts out."""
    clock = Clock()
    rates = Rates(output_tokens_per_minute=600, input_tokens_per_minute=6000)
    limiter = Limiter(Limits(anthropic={"m": rates}), clock)
    prompt = Prompt("anthropic", "m", "", "x", output_cap=100_000)
    limiter.admit("anthropic", "key", prompt).spent(50)
    refusal = _refused(limiter, prompt)
    assert refusal is not None
    assert "output tokens per minute" in refusal.message
    # Ten a second: fifty from a bucket of ten leave a debt of forty, and one token must be there.
    assert refusal.headers["retry-after"] == "5"
    clock.now += 4.11
    assert _refused(limiter, prompt) is None


def test_gemini_names_quota_and_delay_in_the_body() -> None:
    """A 429 has no headers; its details name the quota and the delay."""
    limiter = Limiter(Limits(gemini={"m": Rates(input_tokens_per_minute=10)}), Clock())
    assert _refused(limiter, Prompt("gemini", "m", "", "x" * 40)) is None
    refusal = _refused(limiter, Prompt("gemini", "m", "", "x" * 20))
    assert refusal is not None
    details: Any = {detail["@type"].split(".")[-1]: detail for detail in refusal.details}  # type: ignore[index, call-overload, union-attr]
    assert details["RetryInfo"]["retryDelay"] == "30s"
    assert "InputTokensPerModelPerMinute" in details["QuotaFailure"]["violations"][0]["quotaId"]
    assert refusal.headers == {}


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0ms"), (0.0121, "13ms"), (1, "1s"), (8.64, "8.64s"), (360, "6m0s"), (3725, "1h2m5s")]
)
def test_durations_are_spelled_as_openai_does(seconds: float, text: str) -> None:
    """Durations are rounded up to milliseconds and written with hours, minutes and seconds."""
    assert duration(seconds) == text


def test_the_sdks_see_their_own_429(serve: Any) -> None:
    """Each SDK raises its own rate limit error, with the delay where its API puts it."""
    rates = {"m": Rates(requests_per_minute=1)}
    clients = serve(How(limits=Limits(openai=rates, anthropic=rates, gemini=rates)))

    async def run() -> Any:
        async with clients.openai() as client:
            raw = await client.responses.with_raw_response.create(model="m", input="x")
            with pytest.raises(openai.RateLimitError) as one:
                await client.responses.create(model="m", input="x")
        asked: Any = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]}
        async with clients.anthropic() as other:
            message = await other.messages.with_raw_response.create(**asked)
            with pytest.raises(anthropic.RateLimitError) as two:
                await other.messages.create(**asked)
        async with clients.gemini() as third:
            await third.models.generate_content(model="m", contents="x")
            with pytest.raises(errors.ClientError) as three:
                await third.models.generate_content(model="m", contents="x")
        return raw.headers, one.value, message.headers, two.value, three.value

    told, one, message, two, three = asyncio.run(run())
    assert (told["x-ratelimit-limit-requests"], told["x-ratelimit-remaining-requests"]) == ("1", "0")
    assert told["x-ratelimit-reset-requests"][:2] in ("1m", "59")
    assert (one.code, one.type) == ("rate_limit_exceeded", "requests")
    assert 50 <= int(one.response.headers["retry-after"]) <= 60
    assert message["anthropic-ratelimit-requests-limit"] == "1"
    reset = datetime.fromisoformat(message["anthropic-ratelimit-requests-reset"])
    assert timedelta(seconds=50) < reset - datetime.now(UTC) < timedelta(seconds=62)
    assert two.type == "rate_limit_error"
    assert 50 <= int(two.response.headers["retry-after"]) <= 60
    assert (three.code, three.status) == (429, "RESOURCE_EXHAUSTED")
    assert clients.emulator.counts()["limited"] == 3


def test_headers_tell_how_limits_stand_whatever_the_answer(in_app: Any) -> None:
    """Successes and refusals tell what is left; a request that could not be read counts at OpenAI only."""
    rates = {"default": Rates(requests_per_minute=100, burst_seconds=60)}
    how = How(limits=Limits(openai=rates, anthropic=rates))

    async def steps(client: Any) -> list[str]:
        found = []
        headers = {"Authorization": "Bearer k", "x-api-key": "k", "anthropic-version": "2026-10-21"}
        good = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]}
        for path, body, name in (
            (OPENAI, {"model": "m", "input": "x"}, "x-ratelimit-remaining-requests"),
            (OPENAI, {"model": "m"}, None),
            (OPENAI, {"model": "m", "input": "x"}, "x-ratelimit-remaining-requests"),
            (ANTHROPIC, good, "anthropic-ratelimit-requests-remaining"),
            (ANTHROPIC, {"model": "m"}, None),
            (ANTHROPIC, good, "anthropic-ratelimit-requests-remaining"),
        ):
            async with client.post(path, json=body, headers=headers) as response:
                found.append(response.headers[name] if name else str(response.status))
        return found

    assert in_app(steps, how) == ["99", "400", "97", "99", "400", "98"]


def test_batches_are_not_charged(serve: Any) -> None:
    """Rows of a batch pass while realtime is at its limit: they have a pool of their own."""
    clients = serve(How(limits=Limits(gemini={"m": Rates(requests_per_minute=1)})))

    async def run() -> Any:
        async with clients.gemini() as client:
            await client.models.generate_content(model="m", contents="x")
            job = await client.batches.create(model="m", src=[{"contents": str(i)} for i in range(5)])
            while not job.done:
                await asyncio.sleep(0.05)
                job = await client.batches.get(name=job.name)
            return job.dest.inlined_responses

    assert all(found.response is not None for found in asyncio.run(run()))


@pytest.mark.parametrize(
    "wrong",
    [
        {"openai": {"m": {"input_tokens_per_minute": 1}}},
        {"anthropic": {"m": {"tokens_per_minute": 1}}},
        {"gemini": {"m": {"output_tokens_per_minute": 1}}},
        {"openai": {"m": {"requests_per_minute": 0}}},
        {"openai": {"m": {"burst_seconds": 61}}},
        {"mistral": {}},
    ],
)
def test_limits_that_an_api_does_not_have_are_refused(wrong: dict[str, Any]) -> None:
    """Each API takes limits on what it counts, and positive ones only."""
    with pytest.raises(ValidationError):
        Limits.model_validate(wrong)
