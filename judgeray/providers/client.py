"""The seam between the engine and a provider: one call in, one reply out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers.body import SIMULATED_HEADER, name_or_none
from judgeray.providers.content import Content


class Client(Protocol):
    """Speaks one API for one account, inside one event loop."""

    @property
    def seen_limits(self) -> Mapping[str, float]:
        """Limits per minute that the last reply's headers stated, by bucket name; empty where none were."""
        ...

    async def answer(self, call: Call) -> Reply:
        """Send one request. Raises ProviderError, in which no key stands; sends nothing twice by itself."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


def to_reply(call: Call, content: Content, raw: str, headers: Mapping[str, str], request_id: str | None) -> Reply:
    """Put a reply together from a body that was read and the headers it came with."""
    return Reply(
        key=call.key,
        provider=call.provider,
        model=call.model,
        outcome=content.outcome,
        text=content.text,
        usage=content.usage,
        finish_reason=content.finish_reason,
        served_model=content.served_model,
        response_id=content.response_id,
        request_id=name_or_none(request_id),
        simulated=headers.get(SIMULATED_HEADER) == "1",
        raw=raw,
        token_logprobs=content.token_logprobs,
    )
