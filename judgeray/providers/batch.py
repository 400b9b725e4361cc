"""The seam between the engine and a batch API: many calls in, each result out under its own id."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.providers.errors import ProviderError, Reaction

CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Anthropic's rule for custom ids, the strictest of the three (Message Batches API, `custom_id`)."""

LINE_OVERHEAD_BYTES = 512
"""More than any API's line needs beside what the call's own JSON already spells out."""

SKEW_SECONDS = 600.0
"""How far a provider's clock may be from ours when its list is searched by time."""

BatchPhase = Literal["running", "ended"]


@dataclass(frozen=True, slots=True)
class BatchLine:
    """One call of a batch, under the id by which its result will be known."""

    custom_id: str
    call: Call


@dataclass(frozen=True, slots=True)
class BatchCaps:
    """What one batch may hold: requests, bytes of the whole body or file, and whether all must name one model."""

    most_requests: int
    most_bytes: int
    one_model: bool


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """How far a batch is.

    `state` is the provider's own word. `counts` are its own numbers by its own names: progress, not proof.
    `problem` says, in its words, why the batch failed as a whole or has nothing to give, and `reaction` what that
    asks for: busy where too much is enqueued already, account where submitting it again would fail again.
    """

    phase: BatchPhase
    state: str
    counts: Mapping[str, int] = field(default_factory=dict)
    problem: str | None = None
    reaction: Reaction | None = None

    @property
    def retry_whole(self) -> bool:
        """Whether nothing ran, or nothing can be had, and submitting the same calls again may work."""
        return self.reaction in ("retry", "busy")


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of one line: a reply (mode "batch"; times and attempts are the engine's to add) or an error.

    The error's reaction is retry where the request was not executed or may pass another time (expired, canceled,
    throttled, a fault of the service), row or account as for a realtime call; never busy.
    """

    custom_id: str
    reply: Reply | None = None
    error: ProviderError | None = None

    @property
    def reaction(self) -> Reaction | None:
        """The reaction that the error asks for; None where there is a reply."""
        return None if self.error is None else self.error.reaction

    @property
    def message(self) -> str | None:
        """The error's words; None where there is a reply."""
        return None if self.error is None else self.error.message


class BatchMismatchError(Exception):
    """Results that cannot be matched to the lines of the batch: harvesting stops, the files are kept."""


class LostCreateError(ProviderError):
    """A batch that may have been created though no answer said so: look with `find` before creating it again.

    Every other error of `upload_and_create` means that no batch was created.
    """


class BatchClient(Protocol):
    """Speaks one batch API for one account, inside one event loop; sends nothing twice by itself.

    Every method raises ProviderError, in which no key stands.
    """

    caps: BatchCaps

    def batch_group(self, call: Call) -> str:
        """Name the group of a call: only calls of one group may share a batch."""
        ...

    async def upload_and_create(
        self, tag: str, lines: Sequence[BatchLine], on_step: Callable[[str, str], None]
    ) -> str:
        """Submit a batch once and return the provider's id for it.

        `on_step("uploaded", file_id)` is called between upload and create, where the API has an upload. Raises
        LostCreateError where the batch may exist, ProviderError where it does not (row: refused as it stands), and
        ValueError for lines that do not go into one batch.
        """
        ...

    async def find(self, tag: str, since: datetime, lines_count: int, uploaded: str | None) -> list[str]:
        """List the ids of batches that a lost create may have left, newest first.

        OpenAI and Gemini: by the tag in metadata or display name, or by the uploaded file. Anthropic keeps
        neither: every batch created since then with as many requests, to be told apart with `verify`. The list may
        lag behind a create.
        """
        ...

    async def status(self, batch_id: str) -> BatchStatus:
        """Ask how far a batch is. An unknown batch is a ProviderError (account, code `404:...`)."""
        ...

    def results(self, batch_id: str, by_id: Mapping[str, Call]) -> AsyncIterator[BatchResult]:
        """Yield each line's result once, in the provider's order, whatever the terminal state.

        Ids that no result names simply do not come. Raises BatchMismatchError at a line under an unknown id,
        without an id, or with other content than an earlier line of the same id; ProviderError (retry), after all
        that could be read, where the files could not be had whole.
        """
        ...

    async def save_results(self, batch_id: str, folder: Path) -> list[Path]:
        """Write the provider's result files as they are into a folder, and return their paths."""
        ...

    async def verify(self, batch_id: str, custom_ids: Collection[str]) -> bool | None:
        """Say whether a batch found by `find` is the one with these ids; None while that cannot be known."""
        ...

    async def cancel(self, batch_id: str) -> None:
        """Ask for cancellation; a batch that has ended is left as it is."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


def custom_ids(tag: str, count: int) -> list[str]:
    """Make the ids of a batch's lines: the tag, which must be unique to the batch, and the line's number.

    Raises ValueError for a tag of other characters than letters, digits, `_` and `-`, or longer than 57.
    """
    ids = [f"{tag}-{number:06d}" for number in range(count)]
    if ids and not (CUSTOM_ID.fullmatch(ids[-1]) and tag):
        raise ValueError(f"no tag for a batch: {tag!r}")
    return ids


def estimated_bytes(line: BatchLine) -> int:
    """Bytes that a line takes in any API's body or file, never fewer than it will take."""
    return len(line.call.to_json()) + len(line.custom_id) + LINE_OVERHEAD_BYTES


def check_lines(lines: Sequence[BatchLine], client: BatchClient) -> None:
    """Raise ValueError unless these lines go into one batch: unique valid ids, one group, within the count."""
    ids = {line.custom_id for line in lines}
    if not lines or len(lines) > client.caps.most_requests:
        raise ValueError(f"a batch holds 1 to {client.caps.most_requests} lines, not {len(lines)}")
    if len(ids) < len(lines) or not all(CUSTOM_ID.fullmatch(name) for name in ids):
        raise ValueError("the ids of a batch must be unique and of letters, digits, _ and - only, up to 64")
    groups = {client.batch_group(line.call) for line in lines}
    if len(groups) > 1:
        raise ValueError(f"calls of {len(groups)} groups in one batch: {', '.join(sorted(groups)[:5])}")


def require_ended(status: BatchStatus) -> None:
    """Raise ProviderError (retry) for a batch that still runs: what it lacks now is not missing."""
    if status.phase != "ended":
        raise ProviderError("retry", f"the batch has not ended yet: {status.state}", code="batch:running")
