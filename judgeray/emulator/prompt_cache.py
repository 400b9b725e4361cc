"""The cache of prompts: which beginning of a prompt was seen before, as the three APIs count it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from judgeray.emulator.draws import joined
from judgeray.emulator.prompt import CHARACTERS_PER_TOKEN, Prompt

LEAST_TOKENS, STEP_TOKENS = 1024, 128
"""Beginnings of at least so many tokens are kept, in steps of so many (OpenAI's prompt caching guide)."""

KEPT_BEGINNINGS = 100_000


class Cached(NamedTuple):
    """Input tokens that were read from the cache, and those that were written to it."""

    read: int = 0
    written: int = 0


NOTHING = Cached()


class PromptCache:
    """Remembers beginnings, the latest KEPT_BEGINNINGS of them; beginnings are a model's and an API's own.

    Anthropic caches what a request marks, as a whole; OpenAI and Gemini cache by themselves, in steps.
    """

    def __init__(self) -> None:
        self._seen: OrderedDict[bytes, None] = OrderedDict()

    def take(self, prompt: Prompt) -> Cached:
        """Say what of a prompt is cached, and cache it."""
        if prompt.api == "anthropic":
            return self._marked(prompt)
        read = 0
        for tokens, beginning in _beginnings(prompt):
            if self._saw(beginning):
                read = tokens
        return Cached(read)

    def _marked(self, prompt: Prompt) -> Cached:
        text = f"{prompt.system}\0{prompt.user[: prompt.marked_characters]}"
        tokens = len(text) // CHARACTERS_PER_TOKEN
        if not prompt.marked_characters or tokens < LEAST_TOKENS:
            return NOTHING
        beginning = blake2b(joined(prompt.api, prompt.model, text), digest_size=16).digest()
        return Cached(read=tokens) if self._saw(beginning) else Cached(written=tokens)

    def _saw(self, beginning: bytes) -> bool:
        seen = beginning in self._seen
        self._seen[beginning] = None
        self._seen.move_to_end(beginning)
        if len(self._seen) > KEPT_BEGINNINGS:
            self._seen.popitem(last=False)
        return seen


def _beginnings(prompt: Prompt) -> Iterator[tuple[int, bytes]]:
    """Beginnings of a prompt, shortest first, with their tokens; none of a short prompt."""
    text = f"{prompt.system}\0{prompt.user}"
    sum_so_far, done = blake2b(joined(prompt.api, prompt.model), digest_size=16), 0
    for tokens in range(LEAST_TOKENS, len(text) // CHARACTERS_PER_TOKEN + 1, STEP_TOKENS):
        end = tokens * CHARACTERS_PER_TOKEN
        sum_so_far.update(text[done:end].encode("utf-8", "surrogatepass"))
        done = end
        yield tokens, sum_so_far.digest()
