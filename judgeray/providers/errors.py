"""What a provider's failure means: four reactions, one exception."""

from __future__ import annotations

from typing import Literal

Reaction = Literal["retry", "busy", "row", "account"]
"""retry: may pass, costs an attempt. busy: the account is throttled, costs none. row: this call can never be
answered. account: no call of this account can be answered until a person acts."""


class ProviderError(Exception):
    """A call that got no reply, with the reaction it asks for and the provider's own words.

    `code` names the cause in the same way each time (`429:rate_limit_exceeded`, `transport:ConnectError`), so that
    one cause in many rows can be counted. `blames_row` is true where the provider names this row's own text as the
    cause (too long, against its policy): many such rows say nothing about the account.
    """

    def __init__(
        self,
        reaction: Reaction,
        message: str,
        retry_after_seconds: float | None = None,
        code: str = "unnamed",
        blames_row: bool = False,
    ) -> None:
        # All arguments go to the base class, which is what pickle rebuilds an exception from.
        super().__init__(reaction, message, retry_after_seconds, code, blames_row)
        self.reaction: Reaction = reaction
        self.message = message
        self.retry_after_seconds = retry_after_seconds
        self.code = code
        self.blames_row = blames_row

    def __str__(self) -> str:
        return self.message
