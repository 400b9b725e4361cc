"""Reading all rows once before anything is spent: what is there, and what was left out by which rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.tally import Tally
from judgeray.rows import Row


@dataclass
class DatasetFacts:
    """Counts of one dataset: rows by label, source questions, and skipped questions by reason."""

    rows: int = 0
    questions: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)


def survey(sources: Iterable[DatasetSource]) -> dict[str, DatasetFacts]:
    """Read every row of every dataset.

    Raises BadInputError for a bad row, and for a dataset in which no row is left.
    """
    return {source.name: _facts(source) for source in sources}


def _facts(source: DatasetSource) -> DatasetFacts:
    facts = DatasetFacts()
    with Tally() as questions:
        for item in load(source):
            if isinstance(item, Row):
                facts.rows += 1
                facts.labels[item.label] += 1
                facts.questions += questions.count(item.question_id) == 1
            else:
                facts.skips[item.reason] += 1
    if not facts.rows:
        raise BadInputError(f"dataset '{source.name}': {source.path} holds no row that can be judged.")
    return facts
