"""The bench as a fixture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from judgeray.emulator.how import How
from tests.run.bench import JUDGES, Bench, MakeBench, running_bench


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[MakeBench]:
    """Builds a bench with an emulator of its own, ended with the test."""
    with ExitStack() as stack:

        def build(judges: str = JUDGES, extra: str = "", how: How | None = None, **behaviour: Any) -> Bench:
            return stack.enter_context(running_bench(tmp_path, judges, extra, how, **behaviour))

        yield build
