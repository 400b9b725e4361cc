"""Table `variance_components`: whether verdicts vary with questions, designs, judges or from call to call."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.blocks import balanced_block
from judgeray.analysis.cell import Cell
from judgeray.analysis.grid import Grid
from judgeray.analysis.schema import ESTIMATE, counts, fields, flags, numbers, texts
from judgeray.stats.variance_components import ESTIMATOR, variance_components

CAUTION = "intervals resample questions alone: designs and judges count as given"
NEGATIVE = "negative solution, reported as 0"

_SCHEMA = (
    texts("dataset", "condition", "source")
    | counts("questions", "designs", "judges", "replicates")
    | numbers("share")
    | flags("negative")
    | ESTIMATE
    | texts("estimator", "caution")
)


def variances(grid: Grid) -> pl.DataFrame:
    """Tabulate dataset, condition, source, sizes of the block, share, negative, the component, estimator, caution.

    The response is a question's share of right rows under one design, judge and replicate. Components are those of
    the largest balanced block: the set of designs that gives most cells with the judges that have all of them, and
    the questions that all of these settled in every replicate. `share` is the component's part of their sum. Blocks
    with fewer than two questions have no rows.
    """
    by_place = groupby(sorted(grid.cells, key=_place), key=_place)
    rows = [(*place, *columns) for place, cells in by_place for columns in _components(balanced_block(list(cells)))]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _place(cell: Cell) -> tuple[str, str]:
    return cell.dataset, cell.condition


def _components(responses: NDArray[np.float64]) -> Iterator[tuple[object, ...]]:
    if len(responses) < 2:
        return
    components = variance_components(responses, "squared share of rows")
    total = math.fsum(component.estimate.value or 0.0 for component in components)
    for component in components:
        value = component.estimate.value
        share = value / total if value is not None and total else None
        cautions = [NEGATIVE] * component.negative + [CAUTION]
        shown = (component.source, *responses.shape, share, component.negative)
        yield (*shown, *fields(component.estimate), ESTIMATOR, "; ".join(cautions))
