"""Making a run's records and results again, in a folder beside, and comparing them part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from judgeray.engine.journal import read_failures
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.replayed import replay_shard
from judgeray.run.annotated import ANNOTATIONS, REVIEWS
from judgeray.run.record_files import FOLDERS, RecordFiles
from judgeray.run.resolve import Experiment
from judgeray.run.review_sheets import REVIEW, SAMPLE, is_filled_in
from judgeray.run.survey import DatasetFacts
from judgeray.run.verify.check import Check, checked
from judgeray.run.verify.compare import files_differ, rows_differ
from judgeray.studies.parts import parts


@dataclass
class _Folder:
    """One kind of record: files and rows made now, and which files differ."""

    files: int = 0
    rows: int = 0
    differences: list[str] = field(default_factory=list)


class Again:
    """Replays every part into `folder`; what is there of `run` is compared and left alone."""

    def __init__(self, run: Path, folder: Path, experiment: Experiment, replies: RepliesFolder) -> None:
        self._run, self._folder = run, folder
        self._experiment, self._replies = experiment, replies
        self._kinds: dict[str, _Folder] = {}
        self._made: set[Path] = set()
        self._items = 0
        self.records = RecordFiles(folder)

    def replay(self) -> Iterator[Check]:
        """Make all records again; one check for each folder of them."""
        ledger, failures = Ledger(self._replies), read_failures(self._replies.journal)
        experiment = self._experiment
        for part in parts(experiment.sources, experiment.arms, experiment.study):
            states = replay_shard(part.shard(), ledger, failures)
            self._items += len(states)
            self._take(part.arm.partition, part.file_name, part.table(states, experiment.prices))
        self._find_others()
        for name, kind in sorted(self._kinds.items()):
            agrees = f"{kind.rows:,} rows in {kind.files:,} files are as replay gives them"
            yield checked(name, agrees, kind.differences)

    def count(self, facts: Mapping[str, DatasetFacts]) -> Check:
        """Check that everything under every arm has its record."""
        arms = self._experiment.arms
        expected = sum(arm.size(facts[arm.dataset].sizes) for arm in arms)
        told = f"{expected:,} expected of {len(arms)} arms, {self._items:,} replayed, {self.records.rows:,} rows"
        return Check("rows x arms", self._items != expected, told)

    def _take(self, partition: str, name: str, table: pa.Table) -> None:
        kind = self._kinds.setdefault(partition.partition("/")[0], _Folder())
        kind.files += 1
        kind.rows += table.num_rows
        path = Path(partition) / f"{name}.parquet"
        difference = rows_differ(self._run / path, table)
        if difference:
            kind.differences.append(f"{path.as_posix()}: {difference}")
        self._made.add(path)
        self.records.write(partition, name, table)

    def _find_others(self) -> None:
        """Find recorded files that no part makes."""
        for folder in FOLDERS:
            for path in sorted((self._run / folder).rglob("*.parquet")):
                inside = path.relative_to(self._run)
                if inside not in self._made:
                    kind = self._kinds.setdefault(folder, _Folder())
                    kind.differences.append(f"{inside.as_posix()}: belongs to no arm of the manifest")


def check_results(run: Path, made: Path) -> Iterator[Check]:
    """Compare tables, reports and what else is derived with those made now."""
    names = sorted({path.name for folder in (run, made) for path in (folder / "tables").glob("*.*")})
    yield _check_files("tables", run, made, [f"tables/{name}" for name in names if not name.startswith(".")])
    yield _check_files("report.md", run, made, ["report.md"])
    yield _check_files("report.html", run, made, ["report.html"])
    marks = [name for name in (ANNOTATIONS, REVIEWS) if (run / name).exists() or (made / name).exists()]
    if marks:
        yield _check_files("annotations", run, made, marks)
    if (made / "review").is_dir():
        yield _check_sheets(run, made)


def _check_files(name: str, run: Path, made: Path, files: list[str]) -> Check:
    found = ((file, files_differ(run / file, made / file)) for file in files)
    agrees = f"{len(files)} files have the same bytes" if len(files) != 1 else "has the same bytes"
    return checked(name, agrees, [f"{file}: {difference}" for file, difference in found if difference])


def _check_sheets(run: Path, made: Path) -> Check:
    """Compare sheets for annotators, but for those on which somebody has written."""
    sheets = [name for name in (REVIEW, SAMPLE) if (made / "review" / f"{name}.csv").exists()]
    blank = [name for name in sheets if not is_filled_in(run / "review" / f"{name}.csv")]
    files = [f"review/{name}.{ending}" for name in blank for ending in ("csv", "html")]
    check = _check_files("review", run, made, files)
    if len(blank) == len(sheets):
        return check
    filled = ", ".join(name for name in sheets if name not in blank)
    return Check(check.name, check.differs, f"{check.told}; filled in and left out: {filled}", check.details)
