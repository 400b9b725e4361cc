"""Downloading a batch's results: streamed from disk, spoiled where a fault says so, and counted when whole."""

from __future__ import annotations

from judgeray.emulator.answer import FileAnswer
from judgeray.emulator.batch import Batch
from judgeray.emulator.results import read_digests
from judgeray.emulator.simulation import Simulation


def results_answer(simulation: Simulation, batch: Batch, media_type: str) -> FileAnswer:
    """The answer that streams the answers of a batch."""
    for file in (batch.output, batch.digests):
        file.touch()  # a batch all of whose lines are missing has an empty file, not none
    fault = batch.download_fault()
    if fault is not None:
        simulation.audit.fault(fault)

    def settled(whole: bool) -> None:
        if whole:
            simulation.audit.downloaded(read_digests(batch.digests))

    batch.used("downloaded")
    simulation.audit.batch("downloaded")
    return FileAnswer(path=batch.output, media_type=media_type, fault=fault, settled=settled)
