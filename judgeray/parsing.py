"""The reading ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from judgeray.core.canonical import JSONValue
from judgeray.rows import LABELS

Branch = Literal["whole", "embedded", "regex"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text states: a label or None, the branch that found it, and the other JSON fields beside it."""

    label: str | None
    branch: Branch | None
    fields: Mapping[str, JSONValue]


def read_label(text: str, key: str = "verdict", labels: Sequence[str] = LABELS) -> Reading:
    """Read the label stated in `text`."""
    raise NotImplementedError
