"""Precision, recall and F-beta over claims, as RAGAS counts them, or with recall as the share covered.

RAGAS (Es et al. 2024; its metric `FactualCorrectness`) has true positives on the answer's side alone: tp and fp
are the answer's claims that the reference entails and does not entail, fn the reference's claims that the answer
does not entail. Its recall tp / (tp + fn) thus mixes claims of both texts. `covered` takes the plain share of the
reference's claims that the answer entails instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgeray.metrics.settings import Settings

DIGITS = 2
_SMALL = 1e-8
"""What RAGAS adds to the denominators of its single modes; there, and not in F-beta, it settles ties at .005."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Claims counted: `covered` are the reference's claims that the answer entails, `fn` those that it does not.

    Both are None where the reference's claims were not checked.
    """

    tp: int
    fp: int
    fn: int | None = None
    covered: int | None = None


def count(answer_verdicts: Sequence[int], reference_verdicts: Sequence[int] | None = None) -> Counts:
    """Count verdicts, 1 for entailed and 0 for not, on the claims of the answer and of the reference."""
    tp = sum(answer_verdicts)
    if reference_verdicts is None:
        return Counts(tp, len(answer_verdicts) - tp)
    covered = sum(reference_verdicts)
    return Counts(tp, len(answer_verdicts) - tp, len(reference_verdicts) - covered, covered)


def precision_of(counts: Counts) -> float | None:
    """Share of the answer's claims that the reference entails; None without claims."""
    claims = counts.tp + counts.fp
    return counts.tp / claims if claims else None


def recall_of(counts: Counts, settings: Settings) -> float | None:
    """Recall as the settings define it; None where the reference has no claims, or none was checked.

    By RAGAS's definition it is 0 where nothing is true and nothing missing, as in RAGAS.
    """
    if counts.fn is None or counts.covered is None or not counts.covered + counts.fn:
        return None
    hits = counts.tp if settings.recall == "ragas" else counts.covered
    return hits / (hits + counts.fn) if hits else 0.0


def f_beta(precision: float, recall: float, beta: float = 1.0) -> float:
    """Weighted harmonic mean; `beta` above 1 weighs recall more, below 1 precision. 0 where either is 0."""
    if not precision or not recall:
        return 0.0
    return (1 + beta**2) * (precision * recall) / (beta**2 * precision + recall)


def value_of(counts: Counts, settings: Settings) -> float | None:
    """The number that the mode asks for, rounded to two digits.

    None where one of the claim lists that the mode reads is empty.
    """
    precision, recall = precision_of(counts), recall_of(counts, settings)
    if precision is None:
        return None
    if settings.mode == "precision":
        return rounded(counts.tp / (counts.tp + counts.fp + _SMALL))
    if recall is None or counts.fn is None:
        return None
    if settings.mode == "f1":
        return rounded(f_beta(precision, recall, settings.beta))
    return rounded(counts.tp / (counts.tp + counts.fn + _SMALL) if settings.recall == "ragas" else recall)


def rounded(value: float) -> float:
    """Round to two digits the way NumPy does, which multiplies first: RAGAS rounds with it."""
    return float(np.round(value, DIGITS))
