"""Table `parsing`: how verdicts were read from replies (study 1, Table 20)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl

from judgeray.analysis.grid import Grid
from judgeray.core.status import STATUSES

_OK = STATUSES.index("ok")
_SCHEMA = {"design": pl.String, "judge": pl.String, "parse_branch": pl.String, "rows": pl.Int64}


def parsing(grid: Grid) -> pl.DataFrame:
    """Tabulate design, judge, parse_branch and rows, over all datasets, conditions and replicates.

    Rows without a verdict are counted under their status in place of a branch, so that the counts add up to all
    rows. The branch is null where a log does not tell it.
    """
    counts: Counter[tuple[str, str, str | None]] = Counter()
    for cell in grid.cells:
        branches = cell.categories("parse_branch")
        names = [*STATUSES, *branches, None]
        status, branch = cell.codes("status"), cell.codes("parse_branch")
        unread = np.where(branch < 0, len(branches), branch) + len(STATUSES)
        for name, rows in enumerate(np.bincount(np.where(status == _OK, unread, status)).tolist()):
            if rows:
                counts[cell.design, cell.judge, names[name]] += rows
    table = [(*key, rows) for key, rows in counts.items()]
    return pl.DataFrame(table, schema=_SCHEMA, orient="row").sort("design", "judge", "parse_branch")
