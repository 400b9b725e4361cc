"""The breaker: the same refusal for several rows in a row is the account's fault, not the rows'."""

from __future__ import annotations

OPENS_AFTER = 5
"""Distinct calls refused for one cause, with no reply between, after which the account is stopped."""


class Breaker:
    """Counts refusals by their cause (`ProviderError.code`); a reply shows that the account works."""

    def __init__(self) -> None:
        self._refused: dict[str, set[str]] = {}

    def replied(self) -> None:
        """Forget all refusals so far."""
        self._refused.clear()

    def refused(self, code: str, key: str) -> bool:
        """Note a refusal; True when this is the one that opens the breaker."""
        calls = self._refused.setdefault(code, set())
        calls.add(key)
        return len(calls) == OPENS_AFTER
