"""How an API enforces rate limits: what a prompt costs, what headers say, how a 429 reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from judgeray.emulator.prompt import Prompt
from judgeray.emulator.refusal import RequestRefusedError

REQUESTS, TOKENS, INPUT_TOKENS, OUTPUT_TOKENS = "requests", "tokens", "input-tokens", "output-tokens"


class Cost(NamedTuple):
    """What a prompt needs of one limit to be let in, and what is taken then."""

    wanted: float
    taken: float


class Level(NamedTuple):
    """How one limit stands: the limit per minute, what is left now, and seconds until nothing is used."""

    limit: int
    left: int
    full_seconds: float


class Shortage(NamedTuple):
    """The limit that stopped a prompt. `wait_seconds` None: no wait will help."""

    model: str
    measure: str
    level: Level
    wanted: int
    wait_seconds: float | None


@dataclass(frozen=True)
class LimitManner:
    """One API's ways. `charges_refused`: a refused request counts too, and one above a whole limit never passes."""

    costs: Callable[[Prompt], Mapping[str, Cost]]
    headers: Callable[[Mapping[str, Level]], dict[str, str]]
    refusal: Callable[[Shortage], RequestRefusedError]
    charges_refused: bool = False
