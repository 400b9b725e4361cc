"""Scored and labelled items in rising order of score, ready to be added up for many resamples of their clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judgeray.stats.draws import Weights
from judgeray.stats.question_means import Matrix
from judgeray.stats.rank_correlations import ClassSums
from judgeray.stats.resampling import on_grid

Indices = NDArray[np.intp]
Whole = NDArray[np.int32] | NDArray[np.int64]

_SMALL = 2**20
"""Up to so many items, 32 bits hold every count: a weight is a byte, and a resample has about as many items."""


@dataclass(frozen=True, eq=False)
class Items:
    """Items: label (0 or 1), score, and number of the cluster, from 0 without gaps. Their order has no effect."""

    labels: Indices
    scores: Matrix
    clusters: Indices

    @property
    def cluster_count(self) -> int:
        """How many clusters there are."""
        return int(self.clusters.max(initial=-1)) + 1


@dataclass(frozen=True, eq=False)
class OrderedItems:
    """Items in order, by cluster.

    `ones` and `zeros` are the clusters of the items of each label. For each item of label 1, `below` counts the
    items of label 0 with a lower score, `upto` those with a score no higher. `tied` are the clusters of items
    that share their score with others, `starts` the places among them at which a higher score begins; `single`
    counts all other items of each cluster. `sums` (5, clusters) adds up ones, zeros, scores, their squares and
    the scores of label 1 within clusters, on a grid on which sums are exact.
    """

    ones: Indices
    zeros: Indices
    below: Indices
    upto: Indices
    tied: Indices
    starts: Indices
    single: Matrix
    sums: Matrix

    def added_up(self, weights: Weights) -> ClassSums:
        """Add up each resample of `weights` (resamples, clusters)."""
        drawn = weights.astype(float).T
        ones, zeros, first, second, joint = self.sums @ drawn
        small = self.ones.size + self.zeros.size <= _SMALL
        across = np.ascontiguousarray(weights.T)
        columns: Whole = across.astype(np.int32) if small else across.astype(np.int64)
        together = self._together(columns)
        squared, together_squared = drawn * drawn, together * together
        return ClassSums(
            ones=ones,
            zeros=zeros,
            wins=self._wins(columns),
            squares=self.single @ squared + together_squared.sum(axis=0),
            cubes=self.single @ (squared * drawn) + (together_squared * together).sum(axis=0),
            first=first,
            second=second,
            joint=joint,
        )

    def _together(self, columns: Whole) -> Matrix:
        """Count the items of each score that several have: (scores, resamples)."""
        if not self.starts.size:
            return np.zeros((0, columns.shape[1]))
        return np.add.reduceat(columns[self.tied], self.starts, axis=0).astype(float)

    def _wins(self, columns: Whole) -> Matrix:
        """Count pairs of both labels, twice where label 1 scores higher; `columns` is (clusters, resamples)."""
        lower = np.zeros((self.zeros.size + 1, columns.shape[1]), dtype=columns.dtype)
        np.cumsum(columns[self.zeros], axis=0, out=lower[1:])
        beaten = lower[self.below] + lower[self.upto]
        wins: Matrix = (beaten * columns[self.ones]).sum(axis=0, dtype=float)
        return wins


def ordered_items(items: Items) -> OrderedItems:
    """Put items in order."""
    order = np.lexsort((items.clusters, items.labels, items.scores))
    labels, scores, clusters = items.labels[order], items.scores[order], items.clusters[order]
    zeros = scores[labels == 0]
    rises = np.diff(scores, prepend=np.nan) != 0
    shared = ~(rises & np.append(rises[1:], True))  # the next score is higher too, or there is none
    count = items.cluster_count
    return OrderedItems(
        ones=clusters[labels == 1],
        zeros=clusters[labels == 0],
        below=np.searchsorted(zeros, scores[labels == 1], side="left"),
        upto=np.searchsorted(zeros, scores[labels == 1], side="right"),
        tied=clusters[shared],
        starts=np.flatnonzero(rises[shared]),
        single=np.bincount(clusters[~shared], minlength=count).astype(float),
        sums=_cluster_sums(labels.astype(float), scores, clusters, count),
    )


def _cluster_sums(labels: Matrix, scores: Matrix, clusters: Indices, count: int) -> Matrix:
    """Add up within clusters; correlations do not change when scores are centred, and lose fewer digits."""
    centred = scores - (scores.sum() / scores.size if scores.size else 0.0)
    kinds = (labels, 1 - labels, centred, centred * centred, centred * labels)
    return on_grid(np.stack([np.bincount(clusters, weights=kind, minlength=count) for kind in kinds]))
