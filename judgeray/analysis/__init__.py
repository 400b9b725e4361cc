"""From a verdict log to the tables of study 1 (arXiv 2603.28005), with Polars."""

from __future__ import annotations

from judgeray.analysis.log import read_log
from judgeray.analysis.tables import analyze
from judgeray.analysis.write import write_tables

__all__ = ["analyze", "read_log", "write_tables"]
