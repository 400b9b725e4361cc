"""provenance.json: what a run was made of, so that it can be told apart from any other."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from judgeray.core.call import Judge
from judgeray.datasets.files import DataFile, data_files
from judgeray.datasets.source import DatasetSource
from judgeray.designs.pointwise import HEADER
from judgeray.designs.registry import DESIGNS
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts

PACKAGES = ("judgeray", "ray", "pyarrow", "polars", "numpy", "openai", "anthropic", "google-genai", "genai-prices")


def write_provenance(
    path: Path, experiment: Experiment, facts: Mapping[str, DatasetFacts], served_models: Mapping[str, set[str]]
) -> None:
    """Write the resolved manifest, hashes of data and prompts, package versions and served model names."""
    document = {
        "manifest": experiment.manifest.model_dump(mode="json"),
        "simulated": experiment.behaviour is not None,
        "datasets": {source.name: _dataset(source, facts[source.name]) for source in experiment.sources},
        "designs": {arm.design.name: _prompt(arm.design.name) for arm in experiment.arms},
        "judges": {arm.judge.name: _judge(arm.judge) for arm in experiment.arms},
        "served_models": {model: sorted(names) for model, names in sorted(served_models.items())},
        "packages": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
    }
    text = json.dumps(document, indent=2, sort_keys=True, ensure_ascii=True)
    hidden = path.with_suffix(".tmp")
    hidden.write_text(text + "\n", encoding="ascii")
    hidden.replace(path)


def _dataset(source: DatasetSource, facts: DatasetFacts) -> dict[str, Any]:
    return {
        "path": source.path,
        "sha256": {Path(file.path).name: _file_hash(file) for file in data_files(source)},
        "rows": facts.rows,
        "questions": facts.questions,
        "labels": dict(facts.labels),
        "skipped_questions": dict(facts.skips),
    }


def _file_hash(file: DataFile) -> str:
    with file.open() as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()  # type: ignore[arg-type]


def _prompt(name: str) -> dict[str, str]:
    design = DESIGNS[name]
    text = "\0".join((design.system, HEADER, design.block))
    return {"version": design.version, "source": design.source, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def _judge(judge: Judge) -> dict[str, Any]:
    return {"provider": judge.provider, "model": judge.model, "parameters": dict(judge.parameters)}
