"""What a provider's failure means: four reactions, one exception."""

from __future__ import annotations

from typing import Literal

Reaction = Literal["retry", "busy", "row", "account"]
"""retry: may pass, costs an attempt. busy: the account is throttled, costs none. row: this call can never be
answered. account: no call of this account can be answered until a person acts."""


class ProviderError(Exception):
    """A call that got no reply, with the reaction it asks for and the provider's own words."""

    def __init__(self, reaction: Reaction, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.reaction: Reaction = reaction
        self.message = message
        self.retry_after_seconds = retry_after_seconds
