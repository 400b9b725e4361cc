"""Request bodies, pinned: what each API is sent for a call."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from judgeray.core.call import Call
from judgeray.core.canonical import JSONValue

CASES = ["bare", "all parameters", "extra body", "odd text", "no system", "shared prefix"]
OWN_CASES = {
    "openai chat": ["cap of older servers", "chat template of vLLM"],
    "anthropic": ["sampling in the extra body"],
}


def _name(api: Any) -> str:
    return f"wire_{api.name.replace(' ', '_')}"


def test_each_call_is_sent_as_its_golden_body(api: Any, ask: Any, canned: Any, golden: Any, key: str) -> None:
    """What arrives is the golden body, in ASCII, with the headers that the case asks for."""
    pinned = golden(_name(api))
    assert sorted(pinned) == sorted([*CASES, *OWN_CASES.get(api.name, [])])
    for name, case in pinned.items():
        call = Call(api.kind, "asked", **case["call"])
        (sent,) = ask(api, canned(api.complete), call, **case.get("account", {})).sent
        assert sent.body.isascii(), name
        assert json.loads(sent.body) == case["body"], name
        for header, value in case.get("headers", {}).items():
            assert sent.headers[header] == value.replace("[key]", key), (name, header)


def test_the_api_version_is_the_sdks_own_without_sampling(api: Any, ask: Any, canned: Any) -> None:
    """Only sampling parameters move Anthropic back to the version that still takes them."""
    (sent,) = ask(api, canned(api.complete)).sent
    assert sent.headers.get("anthropic-version") != "2023-06-01"


def test_a_body_is_the_same_each_time(api: Any, ask: Any, canned: Any) -> None:
    """Building a request changes nothing in the call that it is built from."""
    extra: dict[str, JSONValue] = {
        "generationConfig": {"a": 1},
        "reasoning": {"b": 2},
        "output_config": {"c": 3},
        "messages": 4,
    }
    call = Call(api.kind, "asked", None, "So?", {"reasoning_effort": "low", "extra_body": extra})
    before = call.to_json()
    first, second = (ask(api, canned(api.complete), call).sent[0].body for _ in range(2))
    assert (first, call.to_json()) == (second, before)


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("gemini-x", "/v1/models/gemini-x:generateContent"),
        ("models/gemini-x", "/v1/models/gemini-x:generateContent"),
        ("tunedModels/mine", "/v1/tunedModels/mine:generateContent"),
    ],
)
def test_gemini_models_may_be_named_with_their_collection(
    google: Any, ask: Any, canned: Any, model: str, path: str
) -> None:
    """A model's name leads to its route, whether or not it says what kind of model it is."""
    assert ask(google, canned(google.complete), Call("google", model, None, "So?")).sent[0].path == path


@pytest.mark.parametrize("shared", [None, -1, 0, 2, 3, 4, 5, 6, 100])
def test_a_shared_prefix_is_no_other_text(api: Any, ask: Any, canned: Any, shared: int | None) -> None:
    """However much is shared, the blocks joined are the user text, none is blank, and only the first is marked."""
    call = Call(api.kind, "asked", None, "  So? ", shared_prefix_characters=shared)
    (sent,) = ask(api, canned(api.complete), call).sent
    body = json.loads(sent.body)
    if api.kind != "anthropic":
        assert body == json.loads(
            ask(api, canned(api.complete), replace(call, shared_prefix_characters=None)).sent[0].body
        )
        return
    content = body["messages"][0]["content"]
    blocks = [{"text": content}] if isinstance(content, str) else content
    assert "".join(block["text"] for block in blocks) == call.user
    assert all(block["text"].strip() for block in blocks)
    assert ["cache_control" in block for block in blocks] == ([True, False] if shared in (3, 4) else [False])
