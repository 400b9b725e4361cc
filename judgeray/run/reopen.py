"""Opening a run directory again: the experiment behind it, as far as its files are still there."""

from __future__ import annotations

from pathlib import Path

from judgeray.core.errors import BadInputError
from judgeray.engine.layout import RepliesFolder
from judgeray.manifest.read import read_manifest
from judgeray.report.extras import read_provenance
from judgeray.run.mirror import origin
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.storage.place import Place, place_of


def reopen(run: Path) -> Experiment:
    """Read the experiment of a run directory.

    Paths of its manifest are taken from the working directory, as when it was run. Raises BadInputError where
    the manifest or a data file is not there any more.
    """
    manifest = manifest_of(run)
    provenance = read_provenance(run) or {}
    options = {"emulate": bool(provenance.get("simulated")), **provenance.get("options", {})}
    return read_experiment(manifest, **options)


def replies_of(run: Path, experiment: Experiment) -> RepliesFolder:
    """Find the folder that keeps the replies of a run."""
    return replies_folder(run, experiment.manifest.replies)


def kept_replies(run: Path) -> RepliesFolder:
    """Find the folder that keeps the replies of a run by its manifest alone: data files need not be there.

    Raises BadInputError for a folder without a manifest that can be read.
    """
    return replies_folder(run, read_manifest(manifest_of(run)).replies)


def replies_folder(run: Place, replies: str | None) -> RepliesFolder:
    """Name the replies folder of a run: what its manifest says, or else the one in the run directory.

    Raises BadInputError for a URL that cannot be a folder.
    """
    if replies:
        return RepliesFolder(place_of(replies))
    return RepliesFolder((origin(run) if isinstance(run, Path) else run) / "replies")


def manifest_of(run: Path) -> Path:
    """Find the manifest of a run directory. Raises BadInputError for a folder that has none."""
    manifest = run / "manifest.yaml"
    if not manifest.is_file():
        raise BadInputError(f"{run}: no manifest.yaml here; is this a run directory?")
    return manifest
