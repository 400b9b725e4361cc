"""Fingerprints: what a dataset's rows, and the recorded rows of a slice of them, are made from.

Two equal fingerprints mean the same result, as long as the ledger is the same; a change of the program, of a data
file, a prompt, a parameter or a price makes another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable

from judgeray.core.canonical import canonical_json
from judgeray.datasets.source import DatasetSource
from judgeray.run.resolve import Experiment
from judgeray.studies.arm import arm_name
from judgeray.studies.grid import GridArm
from judgeray.studies.slices import SLICE_ROWS


@cache
def program_digest() -> str:
    """SHA-256 of the package's own sources, so that a mended parser or loader is never taken for the one before."""
    found = sha256()
    for name, source in sorted(_sources(files("judgeray"), "")):
        found.update(f"{name}\0".encode())
        found.update(source.read_bytes())
    return found.hexdigest()


def _sources(folder: Traversable, within: str) -> list[tuple[str, Traversable]]:
    found = []
    for entry in folder.iterdir():
        name = f"{within}/{entry.name}"
        if entry.is_dir():
            found += _sources(entry, name)
        elif name.endswith(".py"):
            found.append((name, entry))
    return found


def dataset_fingerprint(source: DatasetSource, hashes: Mapping[str, str], groups: bool) -> str:
    """Stand for what a source yields; `hashes` are its files' SHA-256 by name, `groups` tells that pairs count."""
    told = {
        "program": program_digest(),
        "layout": source.layout,
        "name": source.name,
        "questions": source.questions,
        "split": source.split,
        "columns": dict(source.columns),
        "files": dict(hashes),
        "groups": groups,
    }
    return _digest(told)


def part_fingerprint(experiment: Experiment, arm: GridArm, dataset: str, number: int) -> str:
    """Stand for the verdict rows of one slice under one arm; `dataset` is the fingerprint of its dataset."""
    setting = experiment.settings.get(arm.dataset)
    own = {name: price.model_dump() for name, price in experiment.manifest.prices.items()}
    told: dict[str, object] = {
        "dataset": dataset,
        "slice": [number, SLICE_ROWS],
        "arm": arm_name(arm),
        "prompts": arm.prompts,
        "provider": arm.judge.provider,
        "kind": experiment.accounts[arm.judge.provider].kind,
        "model": arm.judge.model,
        "parameters": dict(arm.judge.parameters),
        "simulated": arm.judge.simulated,
        "text": setting.texts.get(arm.condition) if setting else None,
        "seed": experiment.manifest.seed,
        "prices": {"table": version("genai-prices"), "own": own},
    }
    return _digest(told)


def _digest(told: Mapping[str, object]) -> str:
    return sha256(canonical_json(told).encode("ascii")).hexdigest()
