"""`judgeray export --to inspect`: what it says, and what it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from judgeray.cli.main import main
from tests.run.made_run import label_of, made_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two designs."""
    return made_run(tmp_path, lambda _, row: json.dumps({"verdict": label_of(int(row.removeprefix("row-")))}))


def test_export_says_where_the_logs_are(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Folder, number of logs and rows, how to open them, and other logs in the same folder."""
    pytest.importorskip("inspect_ai", reason="needs the extra inspect")
    target = run / "to inspect"
    target.mkdir()
    (target / "mine.eval").touch()
    assert main(["export", str(run), "--to", "inspect", "--output", str(target)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"written: 2 Inspect logs with 12 rows in {target}",
        "1 other log lies in the same folder",
        f"open with: inspect view --log-dir '{target}'",
    ]


def test_export_says_that_texts_are_gone(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Logs are written all the same, into the run directory."""
    pytest.importorskip("inspect_ai", reason="needs the extra inspect")
    (run.parent / "rows.jsonl").unlink()
    assert main(["export", str(run), "--to", "inspect"]) == 0
    assert "12 rows have no input text: " in capsys.readouterr().out
    assert len(list((run / "export" / "inspect").iterdir())) == 2


def test_a_missing_package_is_one_message(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without inspect-ai the command names the extra to install, and writes nothing."""
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    assert main(["export", str(run), "--to", "inspect"]) == 2
    told = "judgeray export: --to inspect needs a package: pip install 'judgeray[inspect]'\n"
    assert capsys.readouterr().err == told
    assert not (run / "export").exists()


def test_a_target_that_is_a_file_is_one_message(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So is a folder that is no run."""
    pytest.importorskip("inspect_ai", reason="needs the extra inspect")
    assert main(["export", str(run), "--to", "inspect", "--output", str(run / "manifest.yaml")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["export", str(run.parent), "--to", "inspect"]) == 2
    assert "is this a run directory?" in capsys.readouterr().err
