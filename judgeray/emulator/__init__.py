"""A loopback stand-in for the OpenAI, Anthropic and Gemini APIs that their unmodified SDKs accept.

Nothing it answers can pass for a model's reply: every response carries the header `x-judgeray-simulated: 1`
and every served model name reads `simulated/<model>`.
"""
