"""Trying a manifest on the packaged samples: the same datasets by layout, without any file of one's own."""

from __future__ import annotations

from judgeray.core.errors import bad_value
from judgeray.manifest.model import Manifest
from judgeray.samples import SAMPLE_PREFIX, SAMPLES


def with_samples(where: str, manifest: Manifest) -> Manifest:
    """Put the sample of its layout in the place of every data file, and sample labels for label standards.

    Raises BadInputError for a layout without a sample.
    """
    datasets = {}
    for name, spec in manifest.datasets.items():
        layout = spec.layout or name
        sample = "questions" if layout == "table" and manifest.perturbation else layout
        if sample not in SAMPLES:
            raise bad_value(where, f"datasets.{name}: --samples has none of the layout", layout, SAMPLES)
        path = f"{SAMPLE_PREFIX}{sample}"
        datasets[name] = spec.model_copy(update={"path": path, "split": None, "layout": layout})
    diagnostics = manifest.diagnostics
    if "label_standards" in diagnostics.asked():
        standards = diagnostics.asked()["label_standards"].model_copy(update={"path": f"{SAMPLE_PREFIX}labels"})
        diagnostics = diagnostics.model_copy(update={"label_standards": standards})
    return manifest.model_copy(update={"datasets": datasets, "diagnostics": diagnostics})
