"""What an Inspect log of one arm is made of: its verdict rows, the prompts as asked and the replies as kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judgeray.core.canonical import JSONValue
from judgeray.core.reply import Reply
from judgeray.report.evidence import Exchange

VerdictRow = dict[str, Any]
"""One verdict row by the column names of `judgeray.verdicts`."""

Exchanges = Mapping[tuple[str, int], Sequence[Exchange]]
"""The calls of a row by row id and replicate."""

Key = tuple[str, str, str, str]
"""Dataset, design, judge, condition."""


@dataclass(frozen=True)
class ArmRows:
    """All rows of one dataset under one design, judge and condition, sorted by replicate and row id.

    `created` is when the first reply came (ISO 8601, UTC) or, where there is none, when the verdicts were written.
    `run_id` is a hash of the manifest. `replies` holds what is kept by call key, `exchanges` the prompts as asked;
    `lacking` says why some rows have none, None where all have. `parameters` were sent besides the prompt (empty
    where not known).
    """

    dataset: str
    design: str
    judge: str
    condition: str
    created: str
    run_id: str
    provenance: Mapping[str, Any]
    rows: Sequence[VerdictRow]
    replies: Mapping[str, Reply] = field(default_factory=dict)
    exchanges: Exchanges = field(default_factory=dict)
    parameters: Mapping[str, JSONValue] = field(default_factory=dict)
    lacking: str | None = None

    @property
    def key(self) -> Key:
        """Dataset, design, judge, condition."""
        return self.dataset, self.design, self.judge, self.condition

    @property
    def rows_without_prompts(self) -> int:
        """How many rows have no prompt to show."""
        return len(self.rows) - len(self.exchanges)
