"""The largest balanced block of a place: every design with every judge, on the same questions, equally often."""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from judgeray.analysis.cell import Cell, Numbers
from judgeray.analysis.layout import Codes


def balanced_block(cells: list[Cell]) -> NDArray[np.float64]:
    """Give the share of right rows: (questions, designs, judges, replicates), designs and judges sorted.

    The designs are those of some judge, with the judges that have them all, such that the block has most cells
    (and then most designs). Questions stay whose rows, equally many, are all settled everywhere.
    """
    block = _chosen(cells)
    layouts = [cell.layout for row in block for cell in row]
    replicates = reduce(np.intersect1d, {id(layout): np.unique(layout.replicate) for layout in layouts}.values())
    questions = reduce(np.intersect1d, {id(layout): layout.questions for layout in layouts}.values())
    counts = np.array([[_counts(cell, questions, replicates) for cell in row] for row in block])
    rows, settled, correct = np.moveaxis(counts, 2, 0)
    alike = (rows == rows[:1, :1, :, :1]) & (rows > 0) & (settled == rows)
    kept = alike.all(axis=(0, 1, 3))
    shares: NDArray[np.float64] = np.moveaxis((correct[:, :, kept] / rows[:, :, kept]), 2, 0)
    return shares


def _chosen(cells: list[Cell]) -> list[list[Cell]]:
    arms: dict[str, dict[str, Cell]] = {}
    for cell in cells:
        arms.setdefault(cell.judge, {})[cell.design] = cell
    blocks = [_block(arms, tuple(sorted(mine))) for mine in arms.values()]
    return max(blocks, key=lambda block: (len(block) * len(block[0]), len(block)))


def _block(arms: dict[str, dict[str, Cell]], designs: tuple[str, ...]) -> list[list[Cell]]:
    judges = sorted(judge for judge, mine in arms.items() if set(designs) <= set(mine))
    return [[arms[judge][design] for judge in judges] for design in designs]


def _counts(cell: Cell, questions: Codes, replicates: Codes) -> Numbers:
    """Count rows, settled and right ones: (3, questions, replicates)."""
    layout = cell.layout
    question = np.searchsorted(questions, layout.question)
    replicate = np.searchsorted(replicates, layout.replicate)
    kept = np.isin(layout.question, questions) & np.isin(layout.replicate, replicates)
    places = (question * replicates.size + replicate)[kept]
    weights = (np.ones(places.size), cell.settled[kept], cell.correct[kept])
    sums = [np.bincount(places, weights=w, minlength=questions.size * replicates.size) for w in weights]
    return np.asarray(sums, dtype=float).reshape(3, questions.size, replicates.size)
