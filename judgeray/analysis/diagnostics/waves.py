"""Table `waves`: replicates as waves over time, to notice when a provider serves another model under one name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from judgeray.analysis.accuracy import part_of
from judgeray.analysis.cell import Cell, Flags
from judgeray.analysis.diagnostics.changes import accuracy_deltas, all_changes, flip_rates, with_p_holm
from judgeray.analysis.diagnostics.keys import KEY, key_of
from judgeray.analysis.grid import Grid
from judgeray.analysis.layout import layout_of
from judgeray.analysis.pairs import pair_of
from judgeray.analysis.schema import counts, fields, flags, numbers, texts
from judgeray.analysis.stacks import per_cell
from judgeray.stats.bootstrap import clustered_ratios
from judgeray.stats.sign_test import sign_test

_AGAINST_FIRST = (
    counts("compared", "unread", "flips")
    | numbers("flip_rate", "flip_rate_low", "flip_rate_high")
    | numbers("delta_accuracy", "delta_accuracy_low", "delta_accuracy_high")
    | numbers("p_sign")
)
_SCHEMA = (
    texts(*KEY)
    | counts("wave")
    | texts("served_models")
    | flags("new_model")
    | counts("rows", "questions")
    | numbers("accuracy", "accuracy_low", "accuracy_high")
    | _AGAINST_FIRST
)
_Models = Mapping[tuple[str | int, ...], tuple[str, ...]]
_NOT_COMPARED = (None,) * len(_AGAINST_FIRST)


@dataclass(frozen=True, eq=False)
class _Wave:
    """One replicate of a cell as a cell of its own; `first` is wave 0, None where that is missing."""

    number: int
    cell: Cell
    first: Cell | None

    @property
    def is_compared(self) -> bool:
        """Whether it has another wave to stand beside."""
        return self.first is not None and self.number != 0


def waves(grid: Grid, log: pl.DataFrame) -> pl.DataFrame:
    """Tabulate each replicate of each cell, and what changed in it since wave 0 (replicate 0 of the same cell).

    `grid` lays out `log`, which names the served models.

    Columns: dataset, judge, design, condition, wave, served_models, new_model, rows, questions, accuracy with
    interval; against wave 0: compared, unread, flips, flip_rate with interval, delta_accuracy with interval,
    p_sign, p_holm.

    `wave` is the replicate number. `served_models` joins the names that the wave's replies report, sorted, with
    " + "; `new_model` tells that they are not those of wave 0, null where either reports none. `rows`,
    `questions` and `accuracy` are those of the table `accuracy`. `compared` row pairs have a verdict in both
    waves, `unread` ones do not; `delta_accuracy` (wave minus wave 0) and the exact sign test on questions take
    the rows that both settled. `p_holm` adjusts over the table.

    Wave 0 is not compared with itself, and a cell without wave 0 with nothing: null. A flip alone is no drift:
    verdicts of one model flip as well, as often as `retest` shows.
    """
    found = [wave for cell in grid.cells for wave in _waves_of(cell)]
    parts = [part_of(w.cell, w.cell.key, np.ones(w.cell.layout.size, dtype=bool)) for w in found]
    columns = [part.correct for part in parts], [part.settled for part in parts]
    accuracies = per_cell(columns, partial(clustered_ratios, unit="share of rows"))
    models = _served_models(log)
    rows = []
    for w, part, e, changed in zip(found, parts, accuracies, _against_first(found, grid.labels), strict=True):
        key = *key_of(w.cell), w.number, *_models_columns(w, models)
        rows.append((*key, *part.counts, *fields(e)[:3], *changed))
    return with_p_holm(pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(*KEY, "wave"))


def _waves_of(cell: Cell) -> Iterator[_Wave]:
    """Split a cell by its replicates."""
    replicates = cell.numbers("replicate").astype(np.int64)
    waves = {int(number): _replicate(cell, replicates == number) for number in np.unique(replicates)}
    for number, wave in waves.items():
        yield _Wave(number, wave, waves.get(0))


def _replicate(cell: Cell, chosen: Flags) -> Cell:
    """Make the chosen rows a cell whose rows all are of replicate 0, so that waves share their rows."""
    layout, place = cell.layout, cell.place
    places = np.arange(place.start, place.stop) if isinstance(place, slice) else place
    places = places if layout.order is None else places[layout.order]
    first = np.zeros(int(chosen.sum()), dtype=layout.replicate.dtype)
    one = layout_of(layout.row[chosen], first, layout.question[chosen])
    return replace(cell, layout=one, place=places[chosen])


def _served_models(log: pl.DataFrame) -> _Models:
    """List the models of each wave that reports any, sorted."""
    models = pl.col("served_model").cast(pl.String).unique().sort()
    known = log.filter(pl.col("served_model").is_not_null())
    table = known.group_by(*(pl.col(name).cast(pl.String) for name in KEY), "replicate").agg(models)
    return {tuple(key): tuple(names) for *key, names in table.rows()}


def _models_columns(wave: _Wave, models: _Models) -> tuple[str | None, bool | None]:
    """Give the values of `served_models` and `new_model`."""
    served, before = (models.get((*key_of(wave.cell), number)) for number in (wave.number, 0))
    is_new = served != before if served and before else None
    return " + ".join(served) if served else None, is_new


def _against_first(found: Sequence[_Wave], labels: Sequence[str]) -> Iterator[tuple[float | int | None, ...]]:
    """Yield the values of `_AGAINST_FIRST`, one tuple a wave."""
    both = [(wave.cell, wave.first) for wave in found if wave.is_compared and wave.first is not None]
    changed = [all_changes(cell, first, labels) for cell, first in both]
    pairs = [pair_of(cell, first) for cell, first in both]
    compared = zip(changed, flip_rates(changed), pairs, accuracy_deltas(pairs), strict=True)
    for wave in found:
        if not wave.is_compared:
            yield _NOT_COMPARED
            continue
        c, rate, pair, delta = next(compared)
        counted = int(c.rows.sum()), c.unread, int(c.flips.sum())
        yield (*counted, *fields(rate)[:3], *fields(delta)[:3], sign_test(pair.differences).p)
