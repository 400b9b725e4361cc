"""All summaries of study 3's model, sentence by sentence, with their probabilities: checks by enumeration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod, sqrt

Rater = Callable[[int, int], Fraction]
"""From faithful sentences and all sentences to the probability of being called faithful."""


@dataclass(frozen=True)
class Summary:
    """One outcome: its probability, the chance of label 1, and the judge's minimum and mean."""

    chance: Fraction
    label: Fraction
    minimum: Fraction
    mean: Fraction


def every_summary(shares: Mapping[int, Fraction], p: Fraction, error: Fraction, rater: Rater) -> Iterator[Summary]:
    """Enumerate lengths, sentences and mistakes."""
    for m, share in shares.items():
        for truth, wrong in product(product((0, 1), repeat=m), repeat=2):
            chance = share * prod(p if s else 1 - p for s in truth) * prod(error if e else 1 - error for e in wrong)
            said = [s ^ e for s, e in zip(truth, wrong, strict=True)]
            yield Summary(chance, rater(sum(truth), m), Fraction(min(said)), Fraction(sum(said), m))


def correlations_by_enumeration(
    shares: Mapping[int, Fraction], p: Fraction, error: Fraction, rater: Rater
) -> tuple[float, float]:
    """Correlate a rater's label with minimum and mean, in exact arithmetic up to the last root."""
    found = list(every_summary(shares, p, error, rater))
    return _correlation(found, lambda s: s.minimum), _correlation(found, lambda s: s.mean)


def _correlation(summaries: list[Summary], score: Callable[[Summary], Fraction]) -> float:
    label = sum((s.chance * s.label for s in summaries), Fraction())
    mean = sum((s.chance * score(s) for s in summaries), Fraction())
    joint = sum((s.chance * s.label * score(s) for s in summaries), Fraction())
    square = sum((s.chance * score(s) ** 2 for s in summaries), Fraction())
    return float(joint - label * mean) / sqrt(float(label * (1 - label) * (square - mean * mean)))
