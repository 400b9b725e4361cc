"""What the reports of studies take from provenance.json."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def stated_name(provenance: Mapping[str, Any] | None) -> str | None:
    """Name of the run as its manifest has it; None where that is not told."""
    name = ((provenance or {}).get("manifest") or {}).get("name")
    return None if name is None else str(name)


def left_out(provenance: Mapping[str, Any], noun: str) -> Iterator[str]:
    """Say how many of what `noun` names were left out of each dataset, by which rule."""
    for dataset, facts in (provenance.get("datasets") or {}).items():
        for reason, count in sorted(facts["skipped_questions"].items()):
            yield f"{dataset}: {count} {noun} left out: {reason}."
