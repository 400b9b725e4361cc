"""How: everything about a server that changes no word of a reply. Limits, faults and the pace of batches."""

from __future__ import annotations

from pathlib import Path

from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.fault_settings import Faults
from judgeray.emulator.rates import Limits
from judgeray.emulator.settings import Settings, load_settings


class How(Settings):
    """Settings of a server beside its behaviour; by default no limits, no faults, batches of one second."""

    limits: Limits = Limits()
    faults: Faults = Faults()
    batches: Batches = Batches()


def load_how(path: Path) -> How:
    """Read settings from a JSON file.

    Raises BadInputError naming the file, the field, the value found and what is allowed.
    """
    return load_settings(How, path, "how")
