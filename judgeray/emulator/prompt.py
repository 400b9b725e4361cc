"""A prompt and its completion: what any of the three APIs is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from judgeray.emulator.draws import joined

CHARACTERS_PER_TOKEN = 4


@dataclass(slots=True)
class Prompt:
    """What decides a reply; never changed once made, though not frozen: freezing costs time per request.

    `model` is the bare name; `seed` is the request's own, None where none is sent. `output_cap` is in tokens,
    None for no cap. `json_only` is set where the request demands JSON. `top_logprobs` counts the alternatives that
    are asked for with each token, None where no log-probabilities are. `marked_characters` is how much of `user` is
    to be cached, 0 for nothing. `digest` is the SHA-256 (hex) of api, model, system, user and seed: the name under
    which the audit counts.
    """

    api: str
    model: str
    system: str
    user: str
    seed: int | None = None
    output_cap: int | None = None
    json_only: bool = False
    top_logprobs: int | None = None
    marked_characters: int = 0
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        seed = "" if self.seed is None else str(self.seed)
        self.digest = sha256(joined(self.api, self.model, self.system, self.user, seed)).hexdigest()


class Logprob(NamedTuple):
    """One token of a reply, its log-probability, and the likeliest tokens at its place, itself first."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...]


class Completion(NamedTuple):
    """A reply before an API dresses it. Counts are in tokens; `name` is unique per reply.

    `cached_tokens` of the input were read from the cache of prompts, `written_tokens` were written to it.
    """

    name: str
    prompt: Prompt
    text: str
    truncated: bool
    input_tokens: int
    output_tokens: int
    logprobs: tuple[Logprob, ...] = ()
    cached_tokens: int = 0
    written_tokens: int = 0

    @property
    def served_model(self) -> str:
        """Model name as served, which says that it is simulated."""
        return f"simulated/{self.prompt.model}"


def token_count(text: str) -> int:
    """Tokens of a text: one per 4 characters, rounded up, at least 1."""
    return max(1, -(-len(text) // CHARACTERS_PER_TOKEN))


def complete(prompt: Prompt, name: str, text: str) -> Completion:
    """Cut `text` at the prompt's cap and count tokens; the input is system and user text."""
    truncated = prompt.output_cap is not None and token_count(text) > prompt.output_cap
    if truncated and prompt.output_cap is not None:
        text = text[: prompt.output_cap * CHARACTERS_PER_TOKEN]
    return Completion(name, prompt, text, truncated, input_tokens(prompt), token_count(text))


def input_tokens(prompt: Prompt) -> int:
    """Tokens of system and user text."""
    return token_count(prompt.user) + (token_count(prompt.system) if prompt.system else 0)
