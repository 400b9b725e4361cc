"""All tables of a scores log, by name."""

from __future__ import annotations

import polars as pl

from judgeray.analysis.scores.controls import controls
from judgeray.analysis.scores.level_means import level_means
from judgeray.analysis.scores.metric_contrasts import metric_contrasts
from judgeray.analysis.scores.sheets import sheets_of
from judgeray.analysis.scores.size_quality import size_quality
from judgeray.analysis.scores.steps import steps
from judgeray.analysis.scores.tracking import tracking


def analyze_scores(log: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Compute every table from a log as `read_scores` returns it. The order of the log's rows has no effect."""
    sheets = sheets_of(log)
    tracked = tracking(sheets)
    return {
        "tracking": tracked,
        "level_means": level_means(sheets),
        "steps": steps(sheets),
        "metric_contrasts": metric_contrasts(sheets),
        "controls": controls(sheets),
        "size_quality": size_quality(tracked),
    }
