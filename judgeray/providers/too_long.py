"""How OpenAI and compatible servers begin to say that a prompt is too long for the model."""

from __future__ import annotations

TOO_LONG = (
    "This model's maximum context length is",
    # vLLM, in several of its versions
    "this model's maximum context length is",
    "The decoder prompt (length",
    "The prompt (length",
    "Input length (",
    "You passed ",
    "'max_tokens' or 'max_completion_tokens' is too large: ",
    "max_tokens must be at least 1, got -",
    # SGLang
    "The input (",
    "Requested token count exceeds the model's maximum context length",
    # TGI, Mistral, OpenRouter, LiteLLM
    "Input validation error: `inputs`",
    "Prompt contains ",
    "This endpoint's maximum context length is",
    "litellm.ContextWindowExceededError",
)
"""Openings of messages; most of these servers give no other name to the cause than that the request is bad."""
