"""How often simulated judges of single sentences err, by model."""

from __future__ import annotations

SENTENCE_ERRORS: dict[str, float] = {
    "default": 0.12,
    "Qwen/Qwen3-32B": 0.12,
    "meta-llama/Llama-3.1-8B-Instruct": 0.22,
}
"""Study 3, section 5, found 0.100 to 0.143 for the first model named and up to 0.286 for the second; `default` is
for every other model."""
