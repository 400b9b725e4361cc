"""What this room relies on in the SDKs beyond their documented use."""

from __future__ import annotations

import inspect
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from google.genai import types
from google.genai._api_client import BaseApiClient


def test_geminis_request_path_below_the_models_layer_exists() -> None:
    """The client calls `_api_client.async_request(method, path, body)`, which is private and may move."""
    parameters = list(inspect.signature(BaseApiClient.async_request).parameters)
    assert parameters == ["self", "http_method", "path", "request_dict", "http_options"]
    assert inspect.iscoroutinefunction(BaseApiClient.async_request)
    client = genai.Client(vertexai=False, api_key="k")
    assert isinstance(client._api_client, BaseApiClient)
    client.close()


def test_geminis_options_have_the_fields_that_are_set() -> None:
    """One attempt, a session of our own, a timeout in milliseconds."""
    fields = types.HttpOptions.model_fields
    assert {"base_url", "timeout", "retry_options", "aiohttp_client", "async_client_args"} <= set(fields)
    assert "milliseconds" in str(fields["timeout"].description)
    assert "attempts" in types.HttpRetryOptions.model_fields


@pytest.mark.parametrize("sdk", [openai.AsyncOpenAI, anthropic.AsyncAnthropic])
def test_the_post_method_takes_bytes(sdk: Any) -> None:
    """Bodies are written here and sent as they are; the response comes back unread."""
    parameters = inspect.signature(sdk.post).parameters
    assert {"path", "cast_to", "content", "options"} <= set(parameters)
