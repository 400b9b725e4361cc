"""Reading all rows once before anything is spent: what is there, and what was left out by which rule."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from judgeray.core.errors import BadInputError
from judgeray.datasets.files import DataFile, data_files
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.summary_source import SummarySource
from judgeray.datasets.tally import Tally
from judgeray.rows import Row, Skip
from judgeray.studies.arm import Arm, Sizes
from judgeray.studies.pair_arm import pairs_of
from judgeray.studies.slices import SLICE_ROWS
from judgeray.studies.study import GRID, Study


@dataclass
class DatasetFacts:
    """Counts of one dataset: rows by label, source questions, pairs, and skipped questions by reason.

    `pairs` are counted where something is judged in pairs. `slices` is how many slices its rows are cut into
    (`studies.slices`), `files` the SHA-256 of the files that it is read from, by name. `questions_together` says
    that no question comes back after another. `fingerprint` stands for all that it yields, where that is known
    without reading it (`run.fingerprints`).
    """

    rows: int = 0
    questions: int = 0
    pairs: int = 0
    units: int = 0
    labelled: int = 0
    slices: int = 0
    questions_together: bool = True
    labels: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)
    files: Mapping[str, str] = field(default_factory=dict)
    fingerprint: str | None = None

    @property
    def sizes(self) -> Sizes:
        """How much there is to ask about."""
        return Sizes(self.rows, self.questions, self.pairs, self.units, self.labelled)


def survey(
    sources: Iterable[DatasetSource], arms: Iterable[Arm] = (), study: Study = GRID
) -> dict[str, DatasetFacts]:
    """Read all of every dataset.

    Raises BadInputError for a bad row, for a dataset in which no row is left, and for one whose questions lie
    scattered though an arm needs them whole.
    """
    grouped = {arm.dataset for arm in arms if arm.groups}
    found = {source.name: (source, _facts(source, source.name in grouped, study)) for source in sources}
    empty = [(source, facts) for source, facts in found.values() if not facts.rows]
    if empty and (not study.may_be_empty or len(empty) == len(found)):
        raise _nothing_there(*empty[0])
    return {name: facts for name, (_, facts) in found.items()}


def known(sources: Iterable[DatasetSource], facts: Mapping[str, DatasetFacts]) -> tuple[DatasetSource, ...]:
    """Give surveyed sources, by name in `facts`, so that reading them again does not check all ids again."""
    return tuple(
        replace(
            source,
            ids_checked=True,
            # Of a source that is cut short the survey saw a part only.
            questions_together=source.questions is None and facts[source.name].questions_together,
        )
        for source in sources
    )


def file_hashes(source: DatasetSource) -> dict[str, str]:
    """SHA-256 of all files that a dataset is read from, those that hold its documents among them, by name."""
    documents = source.documents if isinstance(source, SummarySource) else None
    found = [*data_files(source), *(data_files(replace(source, path=documents)) if documents else ())]
    return {Path(file.path).name: _hash(file) for file in found}


def _hash(file: DataFile) -> str:
    with file.open() as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()  # type: ignore[arg-type]


def _nothing_there(source: DatasetSource, facts: DatasetFacts) -> BadInputError:
    why = "; ".join(f"{count} left out: {reason}" for reason, count in sorted(facts.skips.items()))
    told = f" ({why})" if why else ""
    return BadInputError(f"dataset '{source.name}': {source.path} holds no row that can be judged{told}.")


def _facts(source: DatasetSource, grouped: bool, study: Study) -> DatasetFacts:
    facts, filled = DatasetFacts(files=file_hashes(source)), 0
    with Tally() as questions:
        for group in _groups(source, facts, study):
            filled = len(group) + (filled if filled < SLICE_ROWS else 0)
            facts.slices += filled == len(group)
            new = questions.count(study.unit(group[0])) == 1
            facts.questions += new
            facts.questions_together &= new
            if grouped and not new:
                raise BadInputError(
                    f"dataset '{source.name}': {source.path}: the rows of question '{study.unit(group[0])}' do not "
                    "stand together; pairs and generated answers need that: sort the file by question."
                )
            for units, labelled in map(study.inside, group):
                facts.units += units
                facts.labelled += labelled
            facts.pairs += sum(1 for _ in pairs_of(group)) if grouped else 0
    return facts


def _groups(source: DatasetSource, facts: DatasetFacts, study: Study) -> Iterator[list[Any]]:
    """Yield what stands together of one unit, counting it; what was left out parts nothing."""
    for _, group in groupby(_kept(source, facts, study), key=study.unit):
        found = list(group)
        facts.rows += len(found)
        facts.labels.update(item.label for item in found if isinstance(item, Row))
        yield found


def _kept(source: DatasetSource, facts: DatasetFacts, study: Study) -> Iterator[Any]:
    for item in study.load(source):
        if isinstance(item, Skip):
            facts.skips[item.reason] += 1
        else:
            yield item
