"""The bench as a fixture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.process import EmulatorProcess, start_emulator
from tests.run.bench import JUDGES, Bench, MakeBench, assert_no_process_is_left, manifest_text


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[MakeBench]:
    """Builds benches; each has an emulator of its own, ended with the test."""
    started: list[EmulatorProcess] = []

    def build(judges: str = JUDGES, extra: str = "", **behaviour: Any) -> Bench:
        settings = Behaviour(**behaviour)
        emulator = start_emulator(settings)
        started.append(emulator)
        manifest = tmp_path / "bench.yaml"
        manifest.write_text(
            manifest_text(settings, f"http://127.0.0.1:{emulator.port}", judges, extra), encoding="utf-8"
        )
        return Bench(emulator, manifest, tmp_path / "out", mark)

    mark = uuid4().hex
    yield build
    for emulator in started:
        emulator.stop()
    assert_no_process_is_left(mark)
