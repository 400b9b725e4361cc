"""provenance.json: what a run was made of, so that it can be told apart from any other."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from judgeray.core.call import Judge
from judgeray.datasets.files import DataFile, data_files
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.summary_source import SummarySource
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts
from judgeray.studies.grid import GridArm

PACKAGES = ("judgeray", "ray", "pyarrow", "polars", "numpy", "openai", "anthropic", "google-genai", "genai-prices")


def write_provenance(
    path: Path, experiment: Experiment, facts: Mapping[str, DatasetFacts], served_models: Mapping[str, set[str]]
) -> None:
    """Write the resolved manifest, hashes of data and prompts, package versions and served model names."""
    write_document(path, provenance_of(experiment, facts, served_models, hashes_of(experiment)))


def provenance_of(
    experiment: Experiment,
    facts: Mapping[str, DatasetFacts],
    served_models: Mapping[str, set[str]],
    hashes: Mapping[str, Mapping[str, str]],
) -> dict[str, Any]:
    """Build what provenance.json says of a run; `hashes` are those of `hashes_of`."""
    return {
        "manifest": experiment.manifest.model_dump(mode="json"),
        "options": dict(experiment.options),
        "simulated": experiment.behaviour is not None,
        "datasets": {source.name: _dataset(source, facts[source.name], hashes) for source in experiment.sources},
        "designs": prompts_of(experiment),
        "condition_texts": _texts(experiment),
        "judges": {judge.name: _judge(judge, experiment) for arm in experiment.arms for judge in arm.judges},
        "served_models": {model: sorted(names) for model, names in sorted(served_models.items())},
        **versions_of(experiment),
    }


def hashes_of(experiment: Experiment) -> dict[str, dict[str, str]]:
    """Hash the files that datasets are read from: dataset -> name of the file -> SHA-256 (hex)."""
    return {
        source.name: {Path(file.path).name: _file_hash(file) for file in _files(source)}
        for source in experiment.sources
    }


def prompts_of(experiment: Experiment) -> dict[str, dict[str, str]]:
    """Name each prompt that is used, with its version, source and SHA-256."""
    return {name: facts for arm in experiment.arms for name, facts in arm.prompts.items()}


def versions_of(experiment: Experiment) -> dict[str, Any]:
    """Name the packages and the Python that derive everything: packages, python."""
    packages = {name: version(name) for name in PACKAGES} | _parser(experiment)
    return {"packages": packages, "python": platform.python_version()}


def write_document(path: Path, document: Mapping[str, Any]) -> None:
    """Write provenance.json, whole or not at all."""
    text = json.dumps(document, indent=2, sort_keys=True, ensure_ascii=True)
    hidden = path.with_suffix(".tmp")
    hidden.write_text(text + "\n", encoding="ascii")
    hidden.replace(path)


def _parser(experiment: Experiment) -> dict[str, str]:
    """What parses answers, which decides what writers are asked."""
    spec = experiment.manifest.perturbation
    try:
        return {name: version(name) for name in ("spacy", spec.parser)} if spec else {}
    except PackageNotFoundError:
        return {"spacy": version("spacy")}


def _dataset(source: DatasetSource, facts: DatasetFacts, hashes: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    return {
        "path": source.path,
        "sha256": dict(hashes[source.name]),
        "rows": facts.rows,
        "questions": facts.questions,
        "labels": dict(facts.labels),
        "skipped_questions": dict(facts.skips),
    }


def _files(source: DatasetSource) -> list[DataFile]:
    """All files that a dataset is read from, those that hold its documents among them."""
    documents = source.documents if isinstance(source, SummarySource) else None
    return [*data_files(source), *(data_files(replace(source, path=documents)) if documents else ())]


def _file_hash(file: DataFile) -> str:
    with file.open() as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()  # type: ignore[arg-type]


def _judge(judge: Judge, experiment: Experiment) -> dict[str, Any]:
    """What the manifest makes of a judge; parameters that a condition or a generator sets stand with them."""
    named = experiment.judges[judge.name]
    return {
        "provider": named.provider,
        "model": named.model,
        "family": experiment.families[judge.name],
        "parameters": dict(named.parameters),
    }


def _texts(experiment: Experiment) -> dict[str, str]:
    """The wording of conditions that append a text, as far as they are used."""
    used = {arm.condition for arm in experiment.arms if isinstance(arm, GridArm)}
    return {
        name: text
        for setting in experiment.settings.values()
        for name, text in setting.texts.items()
        if name in used
    }
