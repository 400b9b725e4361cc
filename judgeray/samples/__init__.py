"""Small question sets, written for this project, in the original layouts of the three benchmarks.

They serve the offline quickstart and tests; results on them say nothing about the benchmarks themselves.
"""

from __future__ import annotations

from pathlib import Path

from judgeray.core.errors import bad_value

_FOLDER = Path(__file__).parent

SAMPLES = {
    "truthfulqa": _FOLDER / "truthfulqa.csv",
    "asqa": _FOLDER / "asqa.json",
    "qampari": _FOLDER / "qampari.jsonl",
}
"""Sample name -> packaged file. A manifest names one as `path: sample:truthfulqa`."""


def sample_path(name: str) -> Path:
    """Give the packaged file of a sample; raises BadInputError, listing the names, for another one."""
    if name not in SAMPLES:
        raise bad_value("samples", "name", name, SAMPLES)
    return SAMPLES[name]
