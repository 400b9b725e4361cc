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
    "questions": _FOLDER / "questions.jsonl",
    "summaries": _FOLDER / "summaries.jsonl",
}
"""Sample name -> packaged file. A manifest names one as `path: sample:truthfulqa`."""

SAMPLE_PREFIX = "sample:"

LABELS_SAMPLE = _FOLDER / "labels.csv"
"""Labels that two annotators gave rows of the samples; written for this project. Named `sample:labels`."""

SENTENCES_SAMPLE = _FOLDER / "summary_sentences.csv"
"""What an annotator said of sentences of the sample `summaries`. Named `sample:summary_sentences`."""


def sample_path(name: str) -> Path:
    """Give the packaged file of a sample; raises BadInputError, listing the names, for another one."""
    if name not in SAMPLES:
        raise bad_value("samples", "name", name, SAMPLES)
    return SAMPLES[name]


def labels_path(path: str) -> Path:
    """Give the file of label standards that a manifest names: a path, or `sample:labels`."""
    return LABELS_SAMPLE if path == f"{SAMPLE_PREFIX}labels" else Path(path)


def annotations_path(path: str) -> str:
    """Give the file of sentence annotations that a manifest names: a path or URL, or `sample:summary_sentences`."""
    return str(SENTENCES_SAMPLE) if path == f"{SAMPLE_PREFIX}summary_sentences" else path
