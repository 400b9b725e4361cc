"""What names a row of the diagnostic tables that have one row a cell or more."""

from __future__ import annotations

from judgeray.analysis.cell import Cell

KEY = ("dataset", "judge", "design", "condition")


def key_of(cell: Cell) -> tuple[str, str, str, str]:
    """Take a cell's values of `KEY`."""
    return cell.dataset, cell.judge, cell.design, cell.condition
