"""From an account to a client: an SDK, or a model's library, is loaded only where an account uses it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply
from judgeray.providers import lexical
from judgeray.providers.account import Account, Kind
from judgeray.providers.batch import BatchCaps, BatchClient
from judgeray.providers.client import Client

CLIENTS: dict[Kind, tuple[str, str]] = {
    "openai": ("judgeray.providers.openai", "OpenAIClient"),
    "anthropic": ("judgeray.providers.anthropic", "AnthropicClient"),
    "google": ("judgeray.providers.google", "GoogleClient"),
    "nli": ("judgeray.providers.nli", "NliClient"),
}


def connect(account: Account) -> Client:
    """Open a client for the account; must be called inside the event loop that will use it.

    Raises BadInputError where the account's key cannot be read, or packages that it needs are missing.
    """
    if account.kind == "lexical":
        return LexicalClient()
    module, name = CLIENTS[account.kind]
    client: Client = getattr(import_module(module), name)(account)
    return client


BATCH_CLIENTS: dict[Kind, tuple[str, str]] = {
    "openai": ("judgeray.providers.openai_batch", "OpenAIBatchClient"),
    "anthropic": ("judgeray.providers.anthropic_batch", "AnthropicBatchClient"),
    "google": ("judgeray.providers.google_batch", "GoogleBatchClient"),
}


def connect_batch(account: Account) -> BatchClient:
    """Open a client for the account's batch API; must be called inside the event loop that will use it.

    Raises BadInputError where there is no such API, or where the account's key cannot be read.
    """
    if account.kind not in BATCH_CLIENTS:
        raise BadInputError(f"provider {account.name}: its calls are computed here, not sent in batches.")
    module, name = BATCH_CLIENTS[account.kind]
    client: BatchClient = getattr(import_module(module), name)(account)
    return client


def batch_caps(kind: Kind) -> BatchCaps:
    """What one batch of this kind of provider may hold."""
    caps: BatchCaps = import_module(BATCH_CLIENTS[kind][0]).CAPS
    return caps


class LexicalClient:
    """The in-process baseline behind the same seam as the paid providers."""

    seen_limits: Mapping[str, float] = MappingProxyType({})

    async def answer(self, call: Call) -> Reply:
        """Compute the reply; nothing is sent."""
        return lexical.answer(call)

    async def close(self) -> None:
        """Nothing to close."""
