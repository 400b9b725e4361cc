"""Agreement beyond chance on nominal categories: Cohen's kappa, Fleiss' kappa, Krippendorff's alpha.

Each is a function of sums over items, so its interval is clustered by question. Kappas fall when one category
is rare, whatever the raters do; read them beside the accuracies. In 1,000 simulated studies each of 200 and of 50
questions with two rows, 95 % intervals held the truth in 93.5 to 95.5 %, and in 87 to 91 % where fewer than ten
questions held a disagreement.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from judgeray.stats.question_means import Matrix

Ratings = NDArray[np.integer]
"""Items by raters: the number of the category, or -1 where a rater gave none."""


def pair_sums(first: Ratings, second: Ratings, categories: int, index: NDArray[np.intp]) -> Matrix:
    """Count joint ratings: (categories x categories, questions), over items that both raters rated.

    `index` numbers the question of each item, from 0 without gaps.
    """
    rated = (first >= 0) & (second >= 0)
    questions = int(index.max(initial=-1)) + 1
    joint = first[rated].astype(np.intp) * categories + second[rated]
    places = joint * questions + index[rated]
    return np.bincount(places, minlength=categories * categories * questions).reshape(-1, questions).astype(float)


def group_sums(ratings: Ratings, categories: int, index: NDArray[np.intp], *, complete: bool) -> Matrix:
    """Sum up items: (2 + categories, questions): items, agreement within items, and ratings by category.

    `ratings` is (items, raters). Items count that at least two raters rated or, with `complete`, all of them. An
    item's agreement is its pairs of like ratings, both ways, over its raters minus one.
    """
    counts = np.stack([(ratings == category).sum(axis=1) for category in range(categories)]).astype(float)
    raters = counts.sum(axis=0)
    kept = raters == ratings.shape[1] if complete else raters > 1
    agreement = (counts * (counts - 1)).sum(axis=0) / np.maximum(raters - 1, 1)
    sums = [kept.astype(float), agreement * kept, *(counts * kept)]
    questions = int(index.max(initial=-1)) + 1
    return np.stack([np.bincount(index, weights=values, minlength=questions) for values in sums])


def cohen_kappa(sums: Matrix) -> Matrix:
    """Compute kappa (Cohen 1960) from joint counts (..., categories x categories, resamples)."""
    size = round(sums.shape[-2] ** 0.5)
    joint = sums.reshape(*sums.shape[:-2], size, size, sums.shape[-1])
    total = joint.sum(axis=(-3, -2))
    observed = np.trace(joint, axis1=-3, axis2=-2)
    expected = (joint.sum(axis=-2) * joint.sum(axis=-3)).sum(axis=-2)
    return _ratio(observed * total - expected, total * total - expected)


def fleiss_kappa(sums: Matrix) -> Matrix:
    """Compute kappa (Fleiss 1971) from `group_sums` of complete items (..., 2 + categories, resamples)."""
    agreement, categories = sums[..., 1, :], sums[..., 2:, :]
    total = categories.sum(axis=-2)
    expected = (categories * categories).sum(axis=-2)
    return _ratio(agreement * total - expected, total * total - expected)


def krippendorff_alpha(sums: Matrix) -> Matrix:
    """Compute nominal alpha (Krippendorff 2011) from `group_sums` (..., 2 + categories, resamples).

    Items rated once pair with nothing and are left out; missing ratings need no filling in.
    """
    agreement, categories = sums[..., 1, :], sums[..., 2:, :]
    total = categories.sum(axis=-2)
    expected = (categories * (categories - 1)).sum(axis=-2)
    pairs = total * (total - 1)
    return _ratio(agreement * (total - 1) - expected, pairs - expected)


def _ratio(numerators: Matrix, denominators: Matrix) -> Matrix:
    """Divide; NaN where nothing but one category occurs, for then chance alone agrees fully."""
    ratios = np.full(np.shape(numerators), np.nan)
    np.divide(numerators, denominators, out=ratios, where=denominators > 1e-9)
    return ratios
