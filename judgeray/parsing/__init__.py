"""The reading ladder: from a model's text to the label that it states, or to none."""

from __future__ import annotations

from judgeray.parsing.ladder import Branch, Reading, read_label

__all__ = ["Branch", "Reading", "read_label"]
