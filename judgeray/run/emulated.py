"""Accounts whose calls go to the emulator instead of a provider."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from urllib.parse import urlsplit

from judgeray.core.errors import BadInputError
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.process import start_emulator
from judgeray.providers.account import IN_PROCESS, Account, Kind
from judgeray.run.resolve import Experiment

PREFIXES: dict[Kind, str] = {"openai": "/openai/v1", "anthropic": "/anthropic", "google": "/gemini"}
ADMIN_TIMEOUT_SECONDS = 10.0


def open_accounts(experiment: Experiment, stack: ExitStack) -> Mapping[str, Account]:
    """Start (or find) the emulator where the experiment asks for it, and point all paid accounts at it."""
    accounts, behaviour = experiment.accounts, experiment.behaviour
    if behaviour is None or all(account.kind in IN_PROCESS for account in accounts.values()):
        return accounts
    url = experiment.manifest.emulator_url
    if url is None:
        url = f"http://127.0.0.1:{stack.enter_context(start_emulator(behaviour)).port}"
    else:
        _check_behaviour(url.rstrip("/"), behaviour)
    return {name: _emulated(account, url.rstrip("/")) for name, account in accounts.items()}


def _emulated(account: Account, url: str) -> Account:
    if account.kind in IN_PROCESS:
        return account
    return replace(account, base_url=url + PREFIXES[account.kind], simulated=True)


def _check_behaviour(url: str, behaviour: Behaviour) -> None:
    """The emulator at a given address must behave as the manifest says: its behaviour is part of call keys."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=ADMIN_TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/_judgeray/behaviour")
        found = json.loads(connection.getresponse().read())["digest"]
    except (OSError, ValueError, KeyError, http.client.HTTPException) as error:
        raise BadInputError(f"emulator_url: no judgeray emulator answers at '{url}': {error!r}.") from error
    finally:
        connection.close()
    if found != behaviour.digest():
        raise BadInputError(
            f"emulator_url: the emulator at '{url}' has behaviour {found}, the manifest's is {behaviour.digest()}; "
            "start it with the manifest's: judgeray emulate --manifest FILE."
        )
