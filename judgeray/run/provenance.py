"""provenance.json: what a run was made of, so that it can be told apart from any other."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from judgeray.core.call import Judge
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts
from judgeray.run.surveyed import facts_to_record
from judgeray.storage.files import write_whole
from judgeray.studies.grid import GridArm

PACKAGES = ("judgeray", "ray", "pyarrow", "polars", "numpy", "openai", "anthropic", "google-genai", "genai-prices")


def write_provenance(
    path: Path, experiment: Experiment, facts: Mapping[str, DatasetFacts], served_models: Mapping[str, set[str]]
) -> None:
    """Write the resolved manifest, hashes of data and prompts, package versions and served model names."""
    write_document(path, provenance_of(experiment, facts, served_models))


def provenance_of(
    experiment: Experiment, facts: Mapping[str, DatasetFacts], served_models: Mapping[str, set[str]]
) -> dict[str, Any]:
    """Build what provenance.json says of a run."""
    return {
        "manifest": experiment.manifest.model_dump(mode="json"),
        "options": dict(experiment.options),
        "simulated": experiment.behaviour is not None,
        "datasets": {
            source.name: {"path": source.path, **facts_to_record(facts[source.name])}
            for source in experiment.sources
        },
        "designs": prompts_of(experiment),
        "condition_texts": _texts(experiment),
        "judges": {judge.name: _judge(judge, experiment) for arm in experiment.arms for judge in arm.judges},
        "served_models": {model: sorted(names) for model, names in sorted(served_models.items())},
        **versions_of(experiment),
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
    write_whole(path, f"{text}\n".encode("ascii"))


def _parser(experiment: Experiment) -> dict[str, str]:
    """What parses answers, which decides what writers are asked."""
    spec = experiment.manifest.perturbation
    try:
        return {name: version(name) for name in ("spacy", spec.parser)} if spec else {}
    except PackageNotFoundError:
        return {"spacy": version("spacy")}


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
