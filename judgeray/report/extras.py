"""What a page shows beyond the tables: costs, spreads, rows to read, and what a run was made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.core.errors import BadInputError
from judgeray.report.cases import CellCases, find_cases
from judgeray.report.evidence import CaseKey, Evidence, EvidenceSource
from judgeray.report.reliability import reliability
from judgeray.report.spending import cell_costs, output_spread

PLAIN_LOG = "Prompts and replies are kept in run directories; a verdict log has none."


@dataclass(frozen=True)
class Extras:
    """`lacking` says why `evidence` is empty; `provenance` is what provenance.json holds, None for a plain log."""

    costs: pl.DataFrame
    spread: pl.DataFrame
    reliability: pl.DataFrame
    cells: list[CellCases]
    evidence: Mapping[CaseKey, Evidence] = field(default_factory=dict)
    lacking: str | None = PLAIN_LOG
    provenance: Mapping[str, Any] | None = None


def extras_of(
    log: pl.DataFrame, source: EvidenceSource | None = None, provenance: Mapping[str, Any] | None = None
) -> Extras:
    """Read from a log what the page shows; texts come from `source`, where there is one."""
    cells = find_cases(log)
    keys = [case.key for cell in cells for case in cell.cases]
    evidence = source.find(keys) if source else {}
    lacking = source.lacking if source else PLAIN_LOG
    return Extras(cell_costs(log), output_spread(log), reliability(log), cells, evidence, lacking, provenance)


def read_provenance(folder: Path) -> Mapping[str, Any] | None:
    """Read provenance.json of a run directory; None where there is none.

    Raises BadInputError for a file that holds something else, and says what to do.
    """
    path = folder / "provenance.json"
    if not path.is_file():
        return None
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path}: cannot be read: {error}. {MADE_AGAIN}") from error
    if not isinstance(document, dict):
        raise BadInputError(f"{path}: found {type(document).__name__}, allowed: a JSON object. {MADE_AGAIN}")
    datasets = document.get("datasets", {})
    inner = {f"datasets.{name}": facts for name, facts in datasets.items()} if isinstance(datasets, dict) else {}
    for name, found in {"datasets": datasets, **inner}.items():
        if not isinstance(found, dict):
            raise BadInputError(f"{path}: {name}: found no JSON object. {MADE_AGAIN}")
    return document


MADE_AGAIN = "It can be deleted: a run makes it again."
