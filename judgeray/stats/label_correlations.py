"""Correlations of scores with a label of two classes, with intervals that resample clusters of items.

Items are summaries or the like, clusters their source documents: documents are resampled, each with all its
items. 10,000 resamples of PCG64 seed 42, percentile interval with linear interpolation, as everywhere; a plan of
resamples is shared by all scores of equally many documents, so that differences between scores of the same items
are paired.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from judgeray.stats.bootstrap import LEVEL, METHOD, RESAMPLES
from judgeray.stats.draws import bootstrap_weights
from judgeray.stats.estimate import Estimate, known
from judgeray.stats.ordered_items import Items, ordered_items
from judgeray.stats.parallel import side_by_side
from judgeray.stats.quantiles import row_quantiles
from judgeray.stats.question_means import Matrix
from judgeray.stats.rank_correlations import MEASURES, correlations

_RESAMPLES_AT_ONCE = 32
_TIE = 1e-9


@dataclass(frozen=True, eq=False)
class Resampled:
    """`values` (measures) of the items as they are, `draws` (measures, resamples) of resampled clusters.

    `draws` is None with fewer than two clusters, which show no spread.
    """

    values: Matrix
    draws: Matrix | None
    clusters: int

    def estimates(self) -> dict[str, Estimate]:
        """Give each of `MEASURES`; its interval is None where a resample leaves the measure undefined."""
        return {name: self._estimate(place) for place, name in enumerate(MEASURES)}

    def minus(self, other: Resampled) -> Resampled:
        """Take the paired difference to another score of the same items; a mere rounding error is 0."""
        paired = None if self.draws is None or other.draws is None else _difference(self.draws, other.draws)
        return Resampled(_difference(self.values, other.values), paired, self.clusters)

    def _estimate(self, place: int) -> Estimate:
        value = known(float(self.values[place]))
        low = high = None
        if value is not None and self.draws is not None:
            low = known(float(row_quantiles(self.draws[place], (1 - LEVEL) / 2)))
            high = known(float(row_quantiles(self.draws[place], (1 + LEVEL) / 2)))
        return Estimate(value, low, high, self.clusters, 0, "correlation", METHOD)


def resampled_correlations(cells: Iterable[Items], resamples: int = RESAMPLES) -> list[Resampled]:
    """Correlate scores with labels in each cell, and again in each resample of its clusters."""
    return list(side_by_side(lambda items: _resampled(items, resamples), cells))


def _resampled(items: Items, resamples: int) -> Resampled:
    ordered, clusters = ordered_items(items), items.cluster_count
    values = correlations(ordered.added_up(np.ones((1, clusters), dtype=np.uint8)))[:, 0]
    if clusters < 2:
        return Resampled(values, None, clusters)
    draws = np.empty((len(MEASURES), resamples))
    end = 0
    for weights in bootstrap_weights(clusters, resamples):
        for first in range(0, len(weights), _RESAMPLES_AT_ONCE):
            part = weights[first : first + _RESAMPLES_AT_ONCE]
            start, end = end, end + len(part)
            draws[:, start:end] = correlations(ordered.added_up(part))
    return Resampled(values, draws, clusters)


def _difference(a: Matrix, b: Matrix) -> Matrix:
    difference = a - b
    difference[np.abs(difference) < _TIE] = 0.0
    return difference
