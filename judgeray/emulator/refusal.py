"""A refused request, in the terms that all three APIs share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judgeray.core.canonical import JSONValue

BAD_GATEWAY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


@dataclass(eq=False)
class RequestRefusedError(Exception):
    """An API turns a request down; the API's route answers with its own error body.

    `kind` is the API's word for the error (OpenAI and Anthropic `type`, Gemini `status`), by default the
    usual one for the HTTP status. `code` and `param` are OpenAI's, `details` Gemini's (Anthropic's: the first). A
    `page` is sent in place of the API's body, as by a proxy in front of it.
    """

    status: int
    message: str
    kind: str | None = None
    code: str | None = None
    param: str | None = None
    details: Sequence[JSONValue] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    page: str | None = None
