"""Trying a manifest on the packaged samples: the same datasets by layout, without any file of one's own."""

from __future__ import annotations

from typing import Any

from judgeray.core.errors import bad_value
from judgeray.datasets.sentences import PYSBD
from judgeray.datasets.summaries_split import OWN
from judgeray.manifest.model import DatasetSpec, Manifest
from judgeray.samples import SAMPLE_PREFIX, SAMPLES
from judgeray.studies.averaging.spec import AveragingSpec
from judgeray.studies.perturbation.spec import PerturbationSpec


def with_samples(where: str, manifest: Manifest) -> Manifest:
    """Put the sample of its layout in the place of every data file, and sample labels for label standards.

    All summaries are the one sample of summaries, with its annotations. Raises BadInputError for a layout without a
    sample.
    """
    if manifest.averaging:
        return _with_summaries(manifest, manifest.averaging)
    datasets = {}
    for name, spec in manifest.datasets.items():
        layout = spec.layout or name
        sample = "questions" if layout == "table" and manifest.perturbation else layout
        if sample not in SAMPLES:
            raise bad_value(where, f"datasets.{name}: --samples has none of the layout", layout, SAMPLES)
        path = f"{SAMPLE_PREFIX}{sample}"
        sample_of: dict[str, Any] = {"path": path, "split": None, "layout": layout, "columns": {}}
        datasets[name] = spec.model_copy(update=sample_of)
    diagnostics = manifest.diagnostics
    if "label_standards" in diagnostics.asked():
        standards = diagnostics.asked()["label_standards"].model_copy(update={"path": f"{SAMPLE_PREFIX}labels"})
        diagnostics = diagnostics.model_copy(update={"label_standards": standards})
    scored = _without_files(manifest.perturbation)
    return manifest.model_copy(update={"datasets": datasets, "diagnostics": diagnostics, "perturbation": scored})


def _without_files(spec: PerturbationSpec | None) -> PerturbationSpec | None:
    """Human choices and other tools' scores are about the questions of one's own file."""
    return spec and spec.model_copy(update={"choices": None, "scores": None})


def _with_summaries(manifest: Manifest, spec: AveragingSpec) -> Manifest:
    """The sample is a table, without a split and with annotations in a file; nobody has reviewed it."""
    sample = DatasetSpec(path=f"{SAMPLE_PREFIX}summaries", layout="table")
    datasets = {
        name: sample.model_copy(update={"questions": old.questions}) for name, old in manifest.datasets.items()
    }
    marks = f"{SAMPLE_PREFIX}summary_sentences" if spec.annotations or spec.claims else None
    splitter = PYSBD if spec.sentences == OWN else spec.sentences
    averaging = spec.model_copy(update={"sentences": splitter, "annotations": marks, "reviews": None})
    return manifest.model_copy(update={"datasets": datasets, "averaging": averaging})
