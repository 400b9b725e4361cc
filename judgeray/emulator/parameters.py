"""Which request parameters each endpoint knows; the APIs refuse all others with 400."""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


OPENAI_RESPONSES = _names("""
    access_programs background background_options context_management conversation image include input
    instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls
    previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning
    safety_identifier service_tier store stream stream_options temperature text tool_choice tools
    top_logprobs top_p truncation user
""")
OPENAI_CHAT = _names("""
    audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens
    messages metadata modalities model moderation n parallel_tool_calls prediction presence_penalty
    prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format
    safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools
    top_logprobs top_p user verbosity web_search_options
""")
OPEN_MODELS_CHAT = _names("chat_template_kwargs min_p repetition_penalty top_k")
"""What vLLM and its like know beside OpenAI's own."""

ANTHROPIC_SAMPLING = _names("temperature top_p top_k")
"""Known until API version 2026-10-21."""

ANTHROPIC_COUNT = _names("""
    cache_control context_management messages model output_config speed system thinking tool_choice tools
    user_profile_id workspace_id
""")
ANTHROPIC_MESSAGES = ANTHROPIC_COUNT | _names("""
    container diagnostics inference_geo max_tokens metadata service_tier stop_sequences stream
""")

GEMINI_CONTENT = _names("""
    cachedContent contents continuationToken generationConfig labels model safetySettings serviceTier store
    systemInstruction toolConfig tools
""")
GEMINI_CONFIG = _names("""
    audioTranscriptionConfig candidateCount enableEnhancedCivicAnswers frequencyPenalty imageConfig logprobs
    maxOutputTokens mediaResolution presencePenalty responseJsonSchema responseLogprobs responseMimeType
    responseModalities responseSchema seed speechConfig stopSequences temperature thinkingConfig topK topP
""")
GEMINI_COUNT = _names("contents generateContentRequest")
