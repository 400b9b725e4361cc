"""How the chapters of an averaging study spell what its tables hold."""

from __future__ import annotations

from judgeray.report.numbers import fixed
from judgeray.studies.diagnostics.shapes import Cell, Record, text_of

SOURCE = "study 3 (Averaging Bias)"


def give_or_take(aggregator: str) -> Cell:
    """Spell rho and half the width of its interval, as the study prints it."""
    value, half = f"pearson_{aggregator}", f"half_width_{aggregator}"

    def spelled(row: Record) -> str:
        width = "" if row[half] is None else f" ± {row[half]:.3f}"
        return fixed(row[value], 3) + width

    return spelled


def named(*names: str) -> dict[str, Cell]:
    """Spell columns of names and counts under headings with blanks."""
    return {name.replace("_", " "): text_of(name) for name in names}
