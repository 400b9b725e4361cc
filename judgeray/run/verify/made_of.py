"""Checks of what a run was made of: provenance.json against the files, prompts and packages that are there now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judgeray.core.errors import BadInputError
from judgeray.report.extras import read_provenance
from judgeray.run.verify.check import Check, checked

VERSIONS = ("packages", "python")
"""Parts of provenance.json in which another version is told, and is no difference."""

LATER = ("pairs", "units", "labelled", "slices")
"""Facts of a dataset that earlier versions did not write down."""


def recorded_provenance(run: Path) -> Mapping[str, Any]:
    """Read provenance.json. Raises BadInputError where there is none, or where a part of it is no object."""
    document = read_provenance(run)
    if document is None:
        raise BadInputError(f"{run}: no provenance.json here; is this the directory of a run?")
    for name in ("datasets", "designs", "manifest", "packages"):
        if not isinstance(document.get(name), dict):
            raise BadInputError(f"{run / 'provenance.json'}: {name}: found no JSON object")
    return document


def check_data(recorded: Mapping[str, Any], hashes: Mapping[str, Mapping[str, str]]) -> Check:
    """Compare the hashes of the data files."""
    then = {name: facts.get("sha256") for name, facts in recorded["datasets"].items()}
    files = sum(map(len, hashes.values()))
    return checked("data", f"{files} files have the recorded SHA-256", list(differences(then, hashes)))


def check_prompts(recorded: Mapping[str, Any], prompts: Mapping[str, Any]) -> Check:
    """Compare what is known of each prompt: version, source and hash."""
    found = list(differences(recorded["designs"], prompts))
    return checked("prompts", f"{len(prompts)} prompts have the recorded SHA-256", found)


def check_versions(recorded: Mapping[str, Any], versions: Mapping[str, Any]) -> Check:
    """Tell which packages have another version now; that alone is no difference."""
    then, here = ({**part["packages"], "python": part.get("python")} for part in (recorded, versions))
    others = [
        f"{name} {then.get(name)} then, {here.get(name)} now"
        for name in sorted({*then, *here})
        if then.get(name) != here.get(name)
    ]
    told = f"note: {'; '.join(others)}" if others else f"{len(here)} packages have the recorded versions"
    return Check("versions", False, told)


def as_then(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Say what is found now as the recorded document says it, so that another version alone changes nothing.

    Versions are those of then, and so are fingerprints, which stand for the program too; what that version did not
    write down is left out.
    """
    versions = {name: recorded[name] for name in VERSIONS if name in recorded}
    datasets = {
        name: _facts_then(recorded["datasets"].get(name) or {}, facts) for name, facts in now["datasets"].items()
    }
    return {**now, **versions, "datasets": datasets}


def _facts_then(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in now.items() if name != "fingerprint"}
    if "fingerprint" in recorded:
        return {**kept, "fingerprint": recorded["fingerprint"]}
    return {name: value for name, value in kept.items() if name not in LATER}


def check_rest(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> Check:
    """Compare all else: the resolved manifest, counts of datasets, judges, served models; `now` is as of then."""
    found = differences(_without_what_is_checked(recorded), _without_what_is_checked(now))
    return checked("provenance.json", "says of the run what is found now", list(found))


def _without_what_is_checked(document: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: part for name, part in document.items() if name not in (*VERSIONS, "designs")}
    datasets = document["datasets"].items()
    return {**kept, "datasets": {name: {**facts, "sha256": None} for name, facts in datasets}}


def differences(then: Any, now: Any, place: str = "") -> Iterator[str]:  # noqa: ANN401 -- any JSON
    """Name the places at which two JSON documents differ."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        for name in sorted({*then, *now}):
            yield from differences(then.get(name), now.get(name), f"{place}.{name}" if place else str(name))
    elif then != now:
        yield f"{place}: {_spelled(then)} recorded, {_spelled(now)} now"


def _spelled(value: object) -> str:
    if value is None:
        return "nothing"
    text = str(value)
    return f"'{text if len(text) <= 80 else text[:77] + '...'}'"
