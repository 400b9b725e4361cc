"""The facts of all datasets: from the run's provenance.json where nothing has changed since, else by reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judgeray.datasets.source import DatasetSource
from judgeray.report.extras import read_provenance
from judgeray.run.fingerprints import dataset_fingerprint
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts, file_hashes, survey
from judgeray.studies.study import GRID

AS_THEY_ARE = ("rows", "questions", "pairs", "units", "labelled", "slices", "questions_together")
TAKEN = {*AS_THEY_ARE, "labels", "skipped_questions"}
"""What is taken from a record of a dataset."""


def surveyed(experiment: Experiment, output: Path) -> dict[str, DatasetFacts]:
    """Give the facts of every dataset. Raises BadInputError as `survey` does.

    A dataset of a grid is not read again where an earlier session of this run read the same files in the same way.
    """
    facts = _remembered(experiment, read_provenance(output) or {})
    if facts is None:
        facts = survey(experiment.sources, experiment.arms, experiment.study)
    for source in experiment.sources:
        found = facts[source.name]
        found.fingerprint = _mark(experiment, source, found.files)
    return facts


def _mark(experiment: Experiment, source: DatasetSource, hashes: Mapping[str, str]) -> str | None:
    """A fingerprint for what a grid judges; other studies split and write texts by what the manifest says."""
    if experiment.study.name != GRID.name:
        return None
    groups = any(arm.groups for arm in experiment.arms if arm.dataset == source.name)
    return dataset_fingerprint(source, hashes, groups)


def facts_to_record(facts: DatasetFacts) -> dict[str, Any]:
    """What provenance.json says of a dataset, for its readers and for `surveyed` to trust it later."""
    return {
        "sha256": dict(facts.files),
        **{name: getattr(facts, name) for name in AS_THEY_ARE},
        "labels": dict(facts.labels),
        "skipped_questions": dict(facts.skips),
        "fingerprint": facts.fingerprint,
    }


def _remembered(experiment: Experiment, provenance: Mapping[str, Any]) -> dict[str, DatasetFacts] | None:
    """Take the facts of all datasets from what was recorded; None where one of them may have changed."""
    recorded, facts = provenance.get("datasets", {}), dict[str, DatasetFacts]()
    for source in experiment.sources:
        record = recorded.get(source.name, {})
        if record.get("fingerprint") is None or not record.keys() >= TAKEN:
            return None
        hashes = file_hashes(source)
        if record["fingerprint"] != _mark(experiment, source, hashes):
            return None
        facts[source.name] = _from_record(record, hashes)
    return facts


def _from_record(record: Mapping[str, Any], hashes: Mapping[str, str]) -> DatasetFacts:
    return DatasetFacts(
        **{name: record[name] for name in AS_THEY_ARE},
        labels=Counter(record["labels"]),
        skips=Counter(record["skipped_questions"]),
        files=hashes,
    )
