"""Laws of the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgeray.cli.main import COMMANDS, main
from judgeray.cli.run import run_command
from judgeray.core.call import Call
from judgeray.engine.batches.record import BatchRecords


def test_unknown_command_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """A typing slip is answered with a suggestion and exit 2."""
    assert main(["rnu"]) == 2
    told = capsys.readouterr().err
    assert "found 'rnu', allowed: analyze" in told
    assert "Did you mean 'run'?" in told


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`judgeray` alone says what there is."""
    assert main([]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`judgeray COMMAND --help` explains itself."""
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert f"judgeray {name}" in capsys.readouterr().out


def test_bad_manifest_ends_with_2_and_no_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the user must mend is one message on standard error."""
    (tmp_path / "m.yaml").write_text("nmae: x\n")
    assert run_command([str(tmp_path / "m.yaml"), "--output", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert "found 'nmae'" in told
    assert "Traceback" not in told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("at", ["file", "out/manifest.yaml"])
def test_output_that_cannot_be_written_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], at: str
) -> None:
    """A run directory that is a file, or has a folder in a file's place, is named before anything starts."""
    (tmp_path / "m.yaml").write_text(
        "name: x\ndatasets: {asqa: {path: 'sample:asqa', questions: 1}}\n"
        "judges: {o: {provider: lexical}}\ngrid: [{designs: [C], judges: [o]}]\n"
    )
    (tmp_path / "file").write_text("")
    (tmp_path / "out" / "manifest.yaml").mkdir(parents=True)
    assert run_command([str(tmp_path / "m.yaml"), "--output", str(tmp_path / Path(at).parts[0])]) == 2
    assert f"{at}: cannot write there" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["0", "-3", "many"])
def test_limit_must_be_a_count(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--limit` takes a whole number above zero."""
    with pytest.raises(SystemExit) as ended:
        run_command(["m.yaml", "--limit", limit])
    assert ended.value.code == 2
    assert "--limit" in capsys.readouterr().err


def test_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`judgeray schema` prints what editors need."""
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Manifest"


def test_status_reads_progress(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`judgeray status` tells how far a run is; a folder that is no run is said as such."""
    facts = {"openai": {"done": 3, "total": 5, "failed": 1}}
    (tmp_path / "progress.json").write_text(json.dumps({"state": "interrupted", "providers": facts}))
    assert main(["status", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "interrupted" in told
    assert "openai: 3 of 5 calls, 1 failed" in told
    assert main(["status", str(tmp_path / "none")]) == 2


def test_forgetting_a_batch_needs_its_tag_and_a_known_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Calls are only bought a second time when a person names the batch that is gone."""
    (tmp_path / "manifest.yaml").write_text(
        "name: x\ndatasets: {asqa: {path: 'sample:asqa', questions: 1}}\n"
        "judges: {o: {provider: openai, model: gpt-4.1}}\ngrid: [{designs: [C], judges: [o]}]\n"
    )
    records = BatchRecords(tmp_path / "batches")
    record = records.begin("openai", [Call("openai", "gpt-4.1", None, "x")])
    with pytest.raises(SystemExit):
        main(["cancel", str(tmp_path), "--forget"])
    assert main(["cancel", str(tmp_path), "jrnone", "--forget"]) == 2
    assert f"found 'jrnone', allowed: {record.tag}" in capsys.readouterr().err
    assert main(["cancel", str(tmp_path), record.tag, "--forget"]) == 0
    assert records.open() == []
