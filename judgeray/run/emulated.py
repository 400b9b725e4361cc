"""Accounts whose calls go to the emulator instead of a provider."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.process import EmulatorProcess, start_emulator
from judgeray.providers.account import Account


def open_accounts(
    accounts: Mapping[str, Account], behaviour: Behaviour | None, stack: ExitStack
) -> Mapping[str, Account]:
    """Start the emulator where the experiment asks for it, and point all paid accounts at it."""
    if behaviour is None or all(account.kind == "lexical" for account in accounts.values()):
        return accounts
    emulator = stack.enter_context(start_emulator(behaviour))
    return {name: _emulated(account, emulator) for name, account in accounts.items()}


def _emulated(account: Account, emulator: EmulatorProcess) -> Account:
    urls = {
        "openai": emulator.openai_url,
        "anthropic": emulator.anthropic_url,
        "google": emulator.gemini_url,
        "lexical": None,
    }
    return replace(account, base_url=urls[account.kind], simulated=account.kind != "lexical")
