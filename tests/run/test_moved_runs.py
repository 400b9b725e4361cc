"""The law of moved runs: a run directory goes on wherever it lies."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from judgeray.cli.main import main
from judgeray.run.grid import RunOptions, run_grid
from tests.run.kept_run import journaled
from tests.studies.scripted import GPT, GRID, manifest_of, written
from tests.studies.scripted_judges import data_rows, honest, write_rows


def test_a_moved_run_asks_nothing_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed, moved and run again, all replies are found: without a key or a provider every row is settled."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write_rows(tmp_path, data_rows(2))
    manifest = written(tmp_path, manifest_of("", GPT, GRID))
    before, after = tmp_path / "here", tmp_path / "elsewhere" / "there"
    journaled(before, manifest, honest)
    after.parent.mkdir()
    for _ in range(2):
        before.rename(after)
        screen = StringIO()
        assert run_grid(RunOptions(manifest, output=after), Console(file=screen, width=200)) == 0
        assert "8 rows: 8 ok" in screen.getvalue()
        assert main(["verify", str(after)]) == 0
        assert main(["status", str(after)]) == 0
        assert "there: done" in capsys.readouterr().out
        before, after = after, tmp_path / "third" / "there"
        after.parent.mkdir(exist_ok=True)
