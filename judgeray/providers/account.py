"""A provider account: how calls travel. Nothing here enters a call key or a verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

Kind = Literal["openai", "anthropic", "google", "lexical", "nli"]
KINDS: tuple[Kind, ...] = get_args(Kind)

IN_PROCESS: frozenset[Kind] = frozenset({"lexical", "nli"})
"""Kinds whose calls are computed in the actor: no key, no server, no price, and never an emulator."""


@dataclass(frozen=True)
class Limits:
    """Rate limits of the account over the whole cluster; None means not limited by us.

    `tokens_per_minute` is for accounts that count input and output together, as OpenAI does. A day is one in UTC.
    """

    requests_per_minute: int | None = None
    input_tokens_per_minute: int | None = None
    output_tokens_per_minute: int | None = None
    tokens_per_minute: int | None = None
    requests_per_day: int | None = None


@dataclass(frozen=True)
class BatchSettings:
    """How an account's batches are sent; None means what the provider allows.

    `from_calls` is the least number of calls for which `mode: auto` makes batches. `most_open` and
    `most_enqueued_tokens` bound what is at the provider at once. After `deadline_hours` a batch is left alone.
    """

    from_calls: int = 500
    most_requests: int | None = None
    most_open: int = 20
    most_enqueued_tokens: int | None = None
    poll_seconds: float = 30.0
    find_seconds: float = 20.0
    deadline_hours: float = 50.0


@dataclass(frozen=True)
class Account:
    """Everything an actor needs to talk to one provider account, but for the key, which stays on its node.

    `kind` says whose API is spoken; `api` is which of OpenAI's two, and matters to that kind alone. `api_key_env`
    names an environment variable, `api_key_file` a file, both read on the node where the actor runs.
    `actors` are the most that a pool may have, `gpus_per_actor` what each of them asks Ray for, 0 for none.
    """

    name: str
    kind: Kind
    api: Literal["responses", "chat"] = "responses"
    base_url: str | None = None
    api_key_env: str | None = None
    api_key_file: str | None = None
    max_tokens_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    mode: Literal["realtime", "batch", "auto"] = "realtime"
    batch: BatchSettings = field(default_factory=BatchSettings)
    concurrency: int = 64
    actors: int = 1
    gpus_per_actor: float = 0.0
    limits: Limits = field(default_factory=Limits)
    connect_timeout_seconds: float = 15.0
    timeout_seconds: float = 180.0
    row_timeout_seconds: float = 1800.0
    max_attempts: int = 6
    simulated: bool = False
