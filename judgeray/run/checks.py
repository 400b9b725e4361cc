"""What is checked of an experiment before anything is started: prices, and files that no call needs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace

import polars as pl

from judgeray.analysis.diagnostics.standard_files import read_annotations
from judgeray.analysis.diagnostics.standards import read_standards
from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.providers.prices import Prices
from judgeray.rows import LABELS, Row
from judgeray.samples import SAMPLE_PREFIX, labels_path
from judgeray.studies.arm import Arm
from judgeray.studies.diagnostics.label_standards import LABEL_STANDARDS, LabelStandardsSpec
from judgeray.studies.spec import Spec
from judgeray.studies.text_arm import TextArm

_ROW_COLUMNS = ("dataset", "question_id", "row_id", "variant", "label")


def check_prices(where: str, has_budget: bool, arms: Iterable[Arm], prices: Prices) -> None:
    """A budget can only be kept where every model has a price, and a generator's cost is always told.

    Raises BadInputError naming the first model without a price.
    """
    for arm in arms:
        if not (has_budget or isinstance(arm, TextArm)):
            continue
        needs = "budget_usd" if has_budget else f"generator '{arm.judge.name}'"
        for judge in arm.judges if has_budget else (arm.judge,):
            if prices.cost(judge.provider, judge.model, 1, 1) is None:
                raise BadInputError(
                    f"{where}: {needs}: the price of model '{judge.model}' is not known; say it (0 for a model of "
                    f"your own), e.g. prices: {{{judge.model}: {{input_usd_per_million: 1, "
                    "output_usd_per_million: 4}}."
                )


def check_standards(where: str, asked: Mapping[str, Spec], sources: Iterable[DatasetSource]) -> None:
    """Check a file of label standards against the rows. Raises BadInputError for one that does not fit."""
    spec = asked.get(LABEL_STANDARDS.name)
    if not isinstance(spec, LabelStandardsSpec):
        return
    path, is_sample = labels_path(spec.path), spec.path == f"{SAMPLE_PREFIX}labels"
    try:
        labelled = {annotation.row_id for annotation in read_annotations(path, LABELS, ())}
        read_standards(path, _rows_with(labelled, sources), partial=is_sample)
    except BadInputError as error:
        raise BadInputError(f"{where}: diagnostics.{LABEL_STANDARDS.name}: {error}") from error


def _rows_with(row_ids: Container[str], sources: Iterable[DatasetSource]) -> pl.DataFrame:
    """Give the rows with these ids, whatever number of questions is to be judged; memory holds no others."""
    rows = [
        (row.dataset, row.question_id, row.row_id, row.variant, row.label)
        for source in sources
        for row in load(replace(source, questions=None))
        if isinstance(row, Row) and row.row_id in row_ids
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(_ROW_COLUMNS, pl.String), orient="row")
