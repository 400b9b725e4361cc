"""The conditions `cap_N`: the row as it is, and at most N output tokens for the reply.

Study 1 (arXiv 2603.28005), "Budget control" and Table 9, with N of 128, 256 and 512.
"""

from __future__ import annotations

import re

from judgeray.conditions.condition import Condition, fixed
from judgeray.conditions.full import unchanged

FAMILY = "cap_N"
MOST_TOKENS = 1_000_000

_NAME = re.compile("cap_([1-9][0-9]{0,6})")


def cap(name: str) -> Condition | None:
    """Give condition `cap_N` for N from 1 to MOST_TOKENS, without leading zeros; None for any other name."""
    match = _NAME.fullmatch(name)
    if match is None or int(match[1]) > MOST_TOKENS:
        return None
    tokens = int(match[1])
    meaning = f"The judge may write at most {tokens:,} output token{'s' * (tokens != 1)}; the row is unchanged."
    return Condition(name, meaning, fixed(unchanged), {"max_output_tokens": tokens})
