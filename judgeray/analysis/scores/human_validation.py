"""Table `human_validation`: do people prefer an expert's degraded answers to the pipeline's (study 2, section 4)?

An evaluator's choice is +1 for the pipeline (`ai`), -1 for the expert, 0 for both good or both bad; an item's
composite score is the sign of the sum over both evaluators.

Study 2's printed numbers stand on several rules. From the counts of its Table 1 come the mean 0.125, kappa 0.113
and 2.5 % opposed as printed. The bound 0.025 is the 10 % quantile of bootstrap means over pairs, so `alpha` 0.1; at
the 0.05 that it names the bound is -0.0125, which still is above the margin. The power of 77 % comes out at `alpha`
0.025, as that of a two-sided t test at 0.05; one-sided at 0.05 it is 86 %. The 82.5 % of ties are 66 pairs of which
at least one evaluator said "both good" and none "both bad"; of the composite scores whose mean is 0.125 only 36
(45 %) are 0.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.diagnostics.estimates import interval
from judgeray.analysis.schema import counts, fields, flags, numbers, texts
from judgeray.analysis.scores.choices import CHOICES, Rated, rated_by_level
from judgeray.stats.agreement import cohen_kappa, pair_sums
from judgeray.stats.functions_of_sums import clustered_statistics
from judgeray.stats.non_inferiority import ALPHA, MARGIN, non_inferiority

PREFERENCE = {"ai": 1, "both_good": 0, "both_bad": 0, "expert": -1}

_OUTCOMES = ("both_ai", "one_ai", "neither", "opposed", "one_expert", "both_expert")
_SCHEMA = (
    texts("levels")
    | counts("items", "questions", "unpaired", *_OUTCOMES)
    | numbers("tie_share", "opposed_share", *interval("cohen_kappa"), "mean_composite", "margin", "alpha")
    | numbers("bound_by_question")
    | flags("non_inferior_by_question")
    | numbers("power_by_question", "bound_by_item")
    | flags("non_inferior_by_item")
    | numbers("power_by_item")
)


def human_validation(choices: pl.DataFrame, margin: float = MARGIN, alpha: float = ALPHA) -> pl.DataFrame:
    """Tabulate each level, and all but A0 together, over the items that both evaluators rated.

    `choices` is as `read_choices` gives it. Columns: levels, items, questions, unpaired; items by what the two said
    (both_ai, one_ai, neither, opposed, one_expert, both_expert); tie_share, opposed_share, cohen_kappa with its
    95 % interval, mean_composite, margin, alpha, and bound, non_inferior and power, by question and by item.

    - `one_ai` and `one_expert`: one evaluator prefers that side, the other sees no difference. `opposed`: one
      prefers each. `unpaired` items have one rating and are not in `items`.
    - `tie_share` is the share of items with composite score 0 (neither, opposed).
    - `cohen_kappa` is over the four choices. Null where one choice alone occurs.
    - The pipeline is not inferior where `bound`, the one-sided lower bound of the mean at level `alpha`, lies above
      `margin`. `by_question` resamples questions with all of their items and is the one to trust; `by_item`
      resamples items, as study 2 does, as if those of a question were independent.
    - `power` is that of the one-sided t test of the same kind, were the truth what was seen.

    Null where nothing is known; bounds need two questions, or items.
    """
    rows = [_row(rated, margin, alpha) for rated in rated_by_level(choices)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _row(rated: Rated, margin: float, alpha: float) -> tuple[object, ...]:
    preferred = np.array([PREFERENCE[choice] for choice in CHOICES])
    first, second = preferred[rated.first], preferred[rated.second]
    composite = np.sign(first + second)
    items = composite.size
    outcomes = _outcomes(first, second)
    sizes = items, int(rated.index.max(initial=-1)) + 1, rated.unpaired
    opposed = outcomes[_OUTCOMES.index("opposed")]
    shares = (int((composite == 0).sum()) / items, opposed / items) if items else (None, None)
    by_question = non_inferiority(
        np.bincount(rated.index, weights=composite), np.bincount(rated.index), margin, alpha
    )
    by_item = non_inferiority(composite, np.ones(items), margin, alpha)
    tests = (value for test in (by_question, by_item) for value in (test.bound, test.holds(margin), test.power))
    return (rated.levels, *sizes, *outcomes, *shares, *_kappa(rated), by_item.mean, margin, alpha, *tests)


def _outcomes(first: NDArray[np.intp], second: NDArray[np.intp]) -> tuple[int, ...]:
    """Count items in the order of _OUTCOMES."""
    total, opposed = first + second, first * second < 0
    marked = (total == 2, total == 1, (total == 0) & ~opposed, opposed, total == -1, total == -2)
    return tuple(int(mark.sum()) for mark in marked)


def _kappa(rated: Rated) -> tuple[float | None, ...]:
    if not rated.index.size:
        return None, None, None
    sums = pair_sums(rated.first, rated.second, len(CHOICES), rated.index)
    carrying = np.array([sums.shape[1]])
    (estimate,) = clustered_statistics(sums[None], cohen_kappa, "agreement beyond chance", carrying)
    return fields(estimate)[:3]
