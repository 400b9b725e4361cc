"""Pairwise judging in both orders: does the winner follow the answer or its place? (study 1, section 5, G.11)"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import polars as pl

from judgeray.analysis.diagnostics.pair_orders import pair_orders
from judgeray.designs.registry import PAIRWISE
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.cast import Cast
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.diagnostics.shapes import change, listing, probability, share, text_of
from judgeray.studies.pair_arm import ORDERS, PairArm
from judgeray.studies.spec import DesignSpec, Names, Positive


class PairwiseOrderSpec(DesignSpec):
    """Pairwise designs to run in both orders."""

    designs: Names = ("P",)
    max_output_tokens: None = None
    replicates: Positive = 1


def arms(where: str, spec: PairwiseOrderSpec, cast: Cast) -> Iterable[PairArm]:
    """Compare the candidates of every question in both orders."""
    cast.check(where, "designs", spec.designs, PAIRWISE)
    datasets, judges = cast.dataset_names(spec), cast.judge_names(where, spec)
    cast.check(where, "datasets", datasets, cast.sources)
    cast.check(where, "judges", judges, cast.over_an_api())
    for dataset, design, judge, order, replicate in product(
        datasets, spec.designs, judges, ORDERS, range(spec.replicates)
    ):
        yield PairArm(dataset, PAIRWISE[design], cast.judges[judge], order, replicate)


def chapter(log: StudyLog) -> Chapter | None:
    """Count winners that change with the order, and test for a preferred place."""
    if log.pairs is None or log.pairs.is_empty():
        return None
    table = pair_orders(log.pairs)
    return Chapter(
        "pairwise_order",
        "Pairwise order",
        "study 1 (arXiv 2603.28005), section 5 and appendix G.11",
        "Both candidates of a question are shown together, then again in the other order. A winner that changes "
        "follows the place, not the answer.",
        {"pairwise_order": table},
        (_flips(table), _places(table)),
        (
            "The better candidate is better by construction: it is the reference itself.",
            (
                "Position preference is tested on questions whose winner stood at one place in both orders; with "
                "few of them a large p says little."
            ),
        ),
    )


def _flips(table: pl.DataFrame) -> View:
    names = ("dataset", "judge", "design", "pairs", "unread", "flips", "winner_swaps", "tie_changes")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    ties = {"ties": text_of("ties_full"), "ties reversed": text_of("ties_reversed")}
    rate = {"flip rate": share("flip_rate"), "accuracy": share("accuracy")}
    return listing("Winners that change with the order", table, columns | rate | ties)


def _places(table: pl.DataFrame) -> View:
    names = {"dataset": "dataset", "judge": "judge", "design": "design"}
    counts = {"A both times": "position_a", "B both times": "position_b"}
    columns = {title: text_of(name) for title, name in (names | counts).items()}
    measures = {"share of A minus half": change("preference"), "p": probability("p_position")}
    return listing("Preference for a place", table, columns | measures)


PAIRWISE_ORDER = Diagnostic("pairwise_order", PairwiseOrderSpec, arms, chapter)
