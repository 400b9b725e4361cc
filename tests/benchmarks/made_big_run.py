"""A run whose replies are made here instead of asked for: `python made_big_run.py FOLDER`.

Everything but the calls is as the public command does it. For measuring what a driver does with very many rows: the
last line is JSON, the processor seconds of each of its steps.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

import judgeray.run.session as session_module
from judgeray.engine.ledger import Ledger
from judgeray.engine.meter import Meter
from judgeray.run.grid import RunOptions, run_grid
from tests.benchmarks.made_replies import MadeAnswerer


class Steps:
    """Adds up processor time by step; a step within another counts as its own."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def timed(self, name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""

        def run(*given: Any, **named: Any) -> Any:
            start = time.process_time()
            inner = sum(self.seconds.values())
            try:
                return act(*given, **named)
            finally:
                within = sum(self.seconds.values()) - inner
                self.seconds[name] += time.process_time() - start - within

        return run


def main(folder: Path) -> int:
    """Run with made replies, and tell where the time went."""
    steps = Steps()
    session = session_module.Session
    for owner, attribute, name in (
        (session, "_settle", "settle"),
        (session, "_finish", "finish"),
        (Ledger, "compact", "compact"),
        (Meter, "read", "meter"),
        (MadeAnswerer, "__call__", "made"),
    ):
        setattr(owner, attribute, steps.timed(name, getattr(owner, attribute)))
    setattr(session_module, "Answerer", MadeAnswerer)  # noqa: B010 -- the module does not export what it uses
    started = steps.timed("plan, look up and read", run_grid)
    code = started(RunOptions(folder / "big.yaml", folder / "run"), Console())
    print(json.dumps({name: round(seconds, 3) for name, seconds in steps.seconds.items()}))
    return int(code)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
