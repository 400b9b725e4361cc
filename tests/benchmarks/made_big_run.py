"""A run whose replies are made here instead of asked for: `python made_big_run.py FOLDER`.

Everything but the calls is as the public command does it. For measuring what a driver does with very many rows.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

import judgeray.run.session as session_module
from judgeray.run.grid import RunOptions, run_grid
from tests.benchmarks.made_replies import MadeAnswerer

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    setattr(session_module, "Answerer", MadeAnswerer)  # noqa: B010 -- the module does not export what it uses
    sys.exit(run_grid(RunOptions(folder / "big.yaml", folder / "run"), Console()))
