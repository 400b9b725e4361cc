"""Answers: what a route gives back, beyond a plain JSON body, and what becomes of it on its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.refusal import RequestRefusedError

_NO_HEADERS: Mapping[str, str] = {}


@dataclass(slots=True)
class Answer:
    """A JSON body with status 200, or a refusal.

    `fault` is a wire fault to meet on the way. `settled` is told afterwards whether the answer was written to
    the client's connection, whole and as it was meant.
    """

    body: object = None
    refusal: RequestRefusedError | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: _NO_HEADERS)
    fault: FaultName | None = None
    settled: Callable[[bool], None] | None = None


@dataclass(slots=True)
class FileAnswer(Answer):
    """A file to download; of a fault `truncated_results` or `cut_download` half of it comes."""

    path: Path = Path()
    media_type: str = "application/octet-stream"
