"""Table `power`: what the sign test could show on so many questions, and how many would be needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import polars as pl

from judgeray.analysis.grid import Grid
from judgeray.analysis.pairs import PAIR, Pair
from judgeray.analysis.schema import counts, numbers, texts
from judgeray.stats.power import ALPHA, POWER, detectable_share, questions_needed, sign_test_power

CAUTION = "computed at the observed discordance as if it were the true one"
NONE_DIFFER = "no question differs: nothing is known of how often any would"

_SCHEMA = (
    texts(*PAIR)
    | counts("questions", "discordant")
    | numbers("discordance", "share_won", "alpha", "target_power", "detectable_share", "detectable_delta", "power")
    | counts("questions_needed")
    | texts("caution")
)


def power_table(grid: Grid) -> pl.DataFrame:
    """Tabulate PAIR columns and what the exact two-sided sign test at `alpha` 0.05 can show.

    `discordance` is the share of questions that either design won, `share_won` the share of those that a won.
    `detectable_share` is the smallest share won, by either side, that `questions` questions show with
    `target_power` (0.8), `detectable_delta` that in accuracy, at the observed mean difference of discordant
    questions; null where even all questions won would not do. `power` is that at the observed share (it restates
    p_sign), `questions_needed` the number of questions that shows the observed share with `target_power`; null
    where designs are alike.
    """
    detectable = cache(detectable_share)  # pairs of one discordance share it
    rows = [(*pair.key, *_measures(pair, detectable)) for pair in grid.pairs]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _measures(pair: Pair, detectable: Callable[[int, float], float | None]) -> tuple[float | int | str | None, ...]:
    questions = pair.rows.size
    differing = pair.differences != 0
    discordant = int(differing.sum())
    if not discordant:
        none = (None,) * 4
        return (questions, 0, 0.0 if questions else None, None, ALPHA, POWER, *none, NONE_DIFFER)
    discordance = discordant / questions
    share = int((pair.differences > 0).sum()) / discordant
    least_share = detectable(questions, discordance)
    size = float(np.abs(pair.differences[differing] / pair.rows[differing]).mean())
    delta = None if least_share is None else (2 * least_share - 1) * discordance * size
    power = sign_test_power(questions, discordance, share)
    needed = questions_needed(discordance, share)
    return (questions, discordant, discordance, share, ALPHA, POWER, least_share, delta, power, needed, CAUTION)
