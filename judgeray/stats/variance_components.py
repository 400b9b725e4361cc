"""Where verdicts vary: variance components of questions, designs, judges and replicates.

The model is the fully crossed random one: a response for every question under every design and judge, repeated.
Components are those of the analysis of variance for balanced data (method of moments: mean squares set equal to
their expectations; Searle, Casella and McCulloch 1992, chapter 4). A negative solution is reported as 0 and
flagged. Without replicates, the highest interaction and the replicates' own noise are one residual.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from judgeray.stats.estimate import Estimate
from judgeray.stats.functions_of_sums import clustered_statistics
from judgeray.stats.question_means import Matrix

ESTIMATOR = "balanced ANOVA, method of moments"

Factors = frozenset[str]
_QUESTION = frozenset({"question"})


@dataclass(frozen=True, slots=True)
class Component:
    """One source of variance; `negative` marks a solution below zero, reported as 0."""

    source: str
    estimate: Estimate
    negative: bool


def variance_components(responses: NDArray[np.float64], unit: str) -> list[Component]:
    """Estimate the components of `responses` (questions, designs, judges, replicates), at least two questions.

    A factor with one level has no component. Intervals resample questions; they tell nothing of other designs
    or judges than these.
    """
    sizes = dict(zip(("design", "judge", "replicate"), responses.shape[1:], strict=True))
    sources = _sources(sizes)
    carrying = np.full(len(sources), len(responses))

    def solve(sums: Matrix) -> Matrix:
        solved = _solve(_mean_squares(sums[0], sizes), sizes, sums[0, 0])
        return np.stack([solved[source] for source in sources])

    estimates = clustered_statistics(_question_sums(responses)[None], solve, unit, carrying)
    return [_component(source, e, sizes) for source, e in zip(sources, estimates, strict=True)]


def _sources(sizes: Mapping[str, int]) -> list[Factors]:
    """List sources of variance: main effects, interactions, and last what replicates leave (the empty set)."""
    factors = ["question", *(name for name in ("design", "judge") if sizes[name] > 1)]
    crossed = [frozenset(chosen) for size in range(1, len(factors) + 1) for chosen in combinations(factors, size)]
    return [*(crossed if sizes["replicate"] > 1 else crossed[:-1]), frozenset()]


def _component(source: Factors, estimate: Estimate, sizes: Mapping[str, int]) -> Component:
    order = ("question", "design", "judge")
    rest = "replicate" if sizes["replicate"] > 1 else "residual"
    name = " x ".join(sorted(source, key=order.index)) or rest
    value, low, high = map(_not_negative, (estimate.value, estimate.low, estimate.high))
    negative = estimate.value is not None and estimate.value < 0
    return Component(name, replace(estimate, value=value, low=low, high=high), negative)


def _not_negative(number: float | None) -> float | None:
    return None if number is None else max(0.0, number)


def _question_sums(responses: NDArray[np.float64]) -> Matrix:
    """Give each question's count, spread of replicates, squares by subspace, and means: (6 + cells, questions)."""
    means = responses.mean(axis=3)
    within = ((responses - means[..., None]) ** 2).sum(axis=(1, 2, 3))
    cells = means.reshape(len(means), -1).T
    return np.stack([np.ones(len(means)), within, *_squares(means.transpose(1, 2, 0)).values(), *cells])


def _squares(cells: Matrix) -> dict[Factors, Matrix]:
    """Split the squares of (designs, judges, ...) into grand mean, design, judge and interaction."""
    designs, judges = cells.shape[:2]
    grand = cells.mean(axis=(0, 1), keepdims=True)
    design = cells.mean(axis=1, keepdims=True) - grand
    judge = cells.mean(axis=0, keepdims=True) - grand
    rest = cells - grand - design - judge
    return {
        frozenset(): designs * judges * grand[0, 0] ** 2,
        frozenset({"design"}): judges * (design**2).sum(axis=(0, 1)),
        frozenset({"judge"}): designs * (judge**2).sum(axis=(0, 1)),
        frozenset({"design", "judge"}): (rest**2).sum(axis=(0, 1)),
    }


def _mean_squares(sums: Matrix, sizes: Mapping[str, int]) -> dict[Factors, Matrix]:
    """Compute mean squares by source from question sums (6 + cells, resamples); the empty set is replicates."""
    questions, within, *squares = sums[:6]
    designs, judges, replicates = sizes["design"], sizes["judge"], sizes["replicate"]
    means = sums[6:].reshape(designs, judges, -1) / questions
    found = {}
    if replicates > 1:
        found[frozenset[str]()] = within / (questions * designs * judges * (replicates - 1))
    for (source, square), of_questions in zip(_squares(means).items(), squares, strict=True):
        freedom = (designs - 1 if "design" in source else 1) * (judges - 1 if "judge" in source else 1)
        if not freedom:
            continue
        found[source | _QUESTION] = replicates * (of_questions - questions * square) / ((questions - 1) * freedom)
        if source:
            found[source] = replicates * questions * square / freedom
    return found


def _solve(squares: Mapping[Factors, Matrix], sizes: Mapping[str, int], questions: Matrix) -> dict[Factors, Matrix]:
    """Set mean squares equal to their expectations and solve, from the highest interaction down."""
    crossed = sorted((source for source in squares if source), key=len, reverse=True)
    rest = frozenset[str]()
    solved = {rest: squares.get(rest, squares[crossed[0]])}
    levels = {"question": questions, **{name: np.full_like(questions, size) for name, size in sizes.items()}}

    def responses_a_level(source: Factors) -> Matrix:
        return math.prod((count for name, count in levels.items() if name not in source), start=np.ones(1))

    for source in crossed if rest in squares else crossed[1:]:
        above = sum(responses_a_level(other) * solved[other] for other in solved if other > source)
        solved[source] = (squares[source] - solved[rest] - above) / responses_a_level(source)
    return solved
