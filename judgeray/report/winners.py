"""Which design wins for each dataset and judge, how sure that is, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from judgeray.analysis.arms import design_order

ALPHA = 0.05

Record = dict[str, Any]
Pairs = Mapping[tuple[str, ...], Record]


@dataclass(frozen=True)
class Rival:
    """Another design of the same judge, seen from the best one: `delta` is best minus other."""

    design: str
    delta: float | None
    low: float | None
    high: float | None
    p_holm: float | None

    @property
    def told_apart(self) -> bool:
        """Whether the sign test, adjusted by Holm over the whole report, tells the two apart."""
        return self.p_holm is not None and self.p_holm < ALPHA


@dataclass(frozen=True)
class Winner:
    """The most accurate design (several where they tie) of a judge on a dataset under one condition."""

    dataset: str
    judge: str
    condition: str
    best: tuple[str, ...]
    cell: Record
    rivals: tuple[Rival, ...]
    thrifty: str | None
    """The design with the fewest tokens a row among the best and those not told apart from it."""


def winners(accuracy: pl.DataFrame, contrasts: pl.DataFrame) -> list[Winner]:
    """Find the winners, sorted by dataset, condition and judge; cells without a settled row are left out."""
    known = accuracy.drop_nulls("accuracy")
    pairs: Pairs = {
        (row["dataset"], row["judge"], row["condition"], row["a"], row["b"]): row for row in contrasts.to_dicts()
    }
    parts = known.partition_by("dataset", "condition", "judge", as_dict=True)
    return [_winner(parts[key].to_dicts(), pairs) for key in sorted(parts)]


def _winner(cells: list[Record], pairs: Pairs) -> Winner:
    cells = sorted(cells, key=lambda cell: (-cell["accuracy"], design_order(cell["design"])))
    first = cells[0]
    best = tuple(cell["design"] for cell in cells if cell["accuracy"] == first["accuracy"])
    rivals = tuple(_rival(first, cell, pairs) for cell in cells if cell["design"] not in best)
    near = {*best, *(rival.design for rival in rivals if not rival.told_apart)}
    thrifty = _cheapest(cell for cell in cells if cell["design"] in near)
    return Winner(first["dataset"], first["judge"], first["condition"], best, first, rivals, thrifty)


def _rival(best: Record, other: Record, pairs: Pairs) -> Rival:
    place = (best["dataset"], best["judge"], best["condition"])
    forward = pairs.get((*place, best["design"], other["design"]))
    if forward:
        low, high = forward["delta_accuracy_low"], forward["delta_accuracy_high"]
        return Rival(other["design"], forward["delta_accuracy"], low, high, forward["p_holm"])
    backward = pairs.get((*place, other["design"], best["design"]))
    if backward:
        low, high = _minus(backward["delta_accuracy_high"]), _minus(backward["delta_accuracy_low"])
        return Rival(other["design"], _minus(backward["delta_accuracy"]), low, high, backward["p_holm"])
    return Rival(other["design"], None, None, None, None)


def _minus(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


def _cheapest(cells: Iterable[Record]) -> str | None:
    priced = [cell for cell in cells if cell["mean_total_tokens"] is not None]
    return min(priced, key=lambda cell: cell["mean_total_tokens"])["design"] if priced else None
