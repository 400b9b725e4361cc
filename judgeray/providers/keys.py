"""API keys: read on the node where they are used, and never shown."""

from __future__ import annotations

import os
import re
from pathlib import Path

from judgeray.core.errors import BadInputError
from judgeray.providers.account import IN_PROCESS, Account, Kind

DEFAULT_KEY_ENV: dict[Kind, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "lexical": (),
    "nli": (),
}
"""Environment variables that hold an account's key unless the manifest names another (`api_key_env`)."""

KEY_SHAPE = re.compile(
    r"\b(?:sk-[A-Za-z0-9_*.\-]{8,}|(?:AIza|AQ\.)[0-9A-Za-z_\-]{20,}|(?:gsk|hf|xai)[_-][0-9A-Za-z]{16,})"
)
"""What the keys of common providers look like; used to refuse them in manifests and to blank them in texts."""

SIMULATED_KEY = "simulated"
"""What stands in place of a key where none is needed."""


def read_key(account: Account) -> str:
    """Read the account's key from its file or environment variable; the emulator and in-process kinds need none.

    Raises BadInputError naming the account and where a key was looked for, never what was found there.
    """
    if account.simulated or account.kind in IN_PROCESS:
        return SIMULATED_KEY
    if account.api_key_file is not None:
        path = Path(account.api_key_file).expanduser()
        return _checked(account, f"api_key_file: {path}", _from_file(account, path))
    names = (account.api_key_env,) if account.api_key_env else DEFAULT_KEY_ENV[account.kind]
    for name in names:
        if key := os.environ.get(name, "").strip():
            return _checked(account, f"environment variable {name}", key)
    raise BadInputError(
        f"provider {account.name}: no API key: set the environment variable {' or '.join(names)} on every node, "
        "or name another with api_key_env, or a file with api_key_file."
    )


def _from_file(account: Account, path: Path) -> str:
    try:
        key = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise BadInputError(
            f"provider {account.name}: api_key_file: cannot read {path}: {error.strerror}."
        ) from error
    except UnicodeDecodeError:
        raise BadInputError(f"provider {account.name}: api_key_file: {path} is not a text file.") from None
    if not key:
        raise BadInputError(f"provider {account.name}: api_key_file: {path} is empty.")
    return key


def _checked(account: Account, where: str, key: str) -> str:
    """A key travels in a header, which holds one line of ASCII."""
    if not (key.isascii() and key.isprintable()):
        raise BadInputError(f"provider {account.name}: {where} holds characters that no API key has.")
    return key


def hide_keys(text: str, key: str = "") -> str:
    """Blank this key, and whatever looks like any provider's key, out of a text that will be shown or kept."""
    if key and key != SIMULATED_KEY:
        text = text.replace(key, "[key]")
    return KEY_SHAPE.sub("[key]", text)
