"""Commands on a run in an object store say what they say of the same run on a disk."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pytest
from upath import UPath

from judgeray.cli.main import main
from judgeray.core.call import Call
from judgeray.engine import lease
from judgeray.engine.batches.record import BatchRecords
from judgeray.engine.lease import Lease
from judgeray.engine.lock import run_lock
from judgeray.run.mirror import Mirror
from judgeray.run.reopen import replies_folder
from judgeray.storage.files import write_whole
from judgeray.storage.objects import get, tree, upload_all
from tests.object_store import ObjectStore
from tests.run.made_run import label_of, made_run

WHEN = re.compile(r"20[-0-9]+ [:0-9]+ UTC, [:0-9]+ ago")


def say(design: str, row_id: str) -> str:
    """C is wrong on odd rows."""
    number = int(row_id.removeprefix("row-"))
    return json.dumps({"verdict": label_of(number + (design == "C" and number % 2))})


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A finished run on a disk."""
    made = made_run(tmp_path, say)
    progress = {"state": "done", "providers": {"openai": {"done": 12, "total": 12, "failed": 0}}}
    (made / "progress.json").write_text(json.dumps(progress))
    return made


@pytest.fixture
def url(store: ObjectStore, run: Path) -> UPath:
    """The same run, copied to an object store."""
    place = store.place("run")
    assert isinstance(place, UPath)
    files = [path for path in run.rglob("*") if path.is_file()]
    upload_all([(path, place / path.relative_to(run).as_posix()) for path in files])
    return place


@pytest.mark.parametrize(
    "command", [["status"], ["show", "row-1"], ["show", "none"], ["cancel"], ["verify"], ["analyze"]]
)
def test_same_words_for_the_same_run(
    run: Path, url: UPath, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A URL stands where the path stood, and nothing else differs but when its objects were written."""
    outcomes = []
    for place in (str(run), str(url)):
        code = main([command[0], place, *command[1:]])
        said = capsys.readouterr()
        outcomes.append((code, WHEN.sub("WHEN", (said.out + said.err).replace(place, "RUN"))))
    assert outcomes[0] == outcomes[1]


def test_moved_run_goes_on_and_gives_the_same_bytes(
    run: Path, url: UPath, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was copied with its replies is bought already; tables come out as they were, and stale files go."""
    shutil.rmtree(run / "tables")
    before = tree(url)
    (run / "verdicts" / "stray.parquet").write_bytes(next(run.rglob("verdicts/**/*.parquet")).read_bytes())
    upload_all([(run / "verdicts" / "stray.parquet", url / "verdicts" / "stray.parquet")])
    assert main(["run", str(tmp_path / "made.yaml"), "--output", str(url)]) == 0
    assert main(["run", str(tmp_path / "made.yaml"), "--output", str(run)]) == 0
    capsys.readouterr()
    pulled = Mirror(url, tmp_path / "pulled")
    pulled.pull()
    tables = sorted(path.name for path in (run / "tables").iterdir())
    assert tables == sorted(path.name for path in (pulled.folder / "tables").iterdir())
    for name in ("report.md", *(f"tables/{table}" for table in tables)):
        assert (pulled.folder / name).read_bytes() == (run / name).read_bytes(), name
    assert derived(tree(url)) == derived(before)


def derived(names: Iterable[str]) -> set[str]:
    """Files that are worked out of the replies."""
    return {name for name in names if not name.startswith(("replies/", "logs/"))}


def test_replies_may_lie_apart_from_the_run(url: UPath, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`replies:` may be a URL while the run directory is local: nothing is bought again, and texts are found."""
    manifest, output = tmp_path / "apart.yaml", str(tmp_path / "apart")
    manifest.write_text((tmp_path / "made.yaml").read_text() + f"replies: {url}/replies\n")
    assert main(["run", str(manifest), "--output", output]) == 0
    assert main(["show", output, "row-1", "--design", "H"]) == 0
    assert '"verdict": "partially_supported"' in capsys.readouterr().out
    assert not (tmp_path / "apart" / "replies").exists()


def test_export_is_written_beside_the_run_or_here(
    run: Path, url: UPath, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without --output the file lies in the store; with it, on this machine."""
    assert main(["export", str(url), "--to", "jsonl"]) == 0
    assert f"written: {url}/export/verdicts.jsonl" in capsys.readouterr().out
    assert (get(url / "export" / "verdicts.jsonl") or b"").count(b"\n") == 12
    assert main(["export", str(url), "--to", "parquet", "--output", str(tmp_path / "v.parquet")]) == 0
    assert pl.read_parquet(tmp_path / "v.parquet").height == 12
    with pytest.raises(SystemExit):
        main(["export", str(url), "--to", "csv", "--output", str(url / "v.csv")])


def test_single_log_is_analysed_beside_itself(url: UPath, capsys: pytest.CaptureFixture[str]) -> None:
    """A verdict log at a URL gives its folder of results there; what lies beside it is left alone."""
    assert main(["export", str(url), "--to", "csv"]) == 0
    before = set(tree(url))
    assert main(["analyze", str(url / "export" / "verdicts.csv")]) == 0
    assert f"{url}/export/verdicts-analysis/report.html" in capsys.readouterr().out
    assert {name.rpartition("/")[0] for name in set(tree(url)) - before} == {
        "export/verdicts-analysis",
        "export/verdicts-analysis/tables",
    }
    assert main(["analyze", str(url / "none.csv")]) == 2
    assert "nothing is there" in capsys.readouterr().err


def test_batches_of_a_run_in_a_store_are_listed_and_forgotten(
    url: UPath, capsys: pytest.CaptureFixture[str]
) -> None:
    """Open batches lie beside the replies, and a person can give one up by its tag."""
    records = BatchRecords(replies_folder(url, None).batches)
    record = records.begin("openai", [Call("openai", "gpt-4.1", None, "x")])
    assert main(["status", str(url)]) == 0
    assert record.tag in capsys.readouterr().out
    assert main(["cancel", str(url), record.tag, "--forget"]) == 0
    assert records.open() == []


def test_status_tells_a_live_run_from_a_dead_one_by_its_lease(
    url: UPath, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written down last is read after the look at the lease; stops and journals are told as on a disk."""
    for name, seconds in {"BEAT_SECONDS": 0.1, "DEAD_SECONDS": 1.0, "LOOK_SECONDS": 0.1}.items():
        monkeypatch.setattr(lease, name, seconds)
    write_whole(url / "progress.json", json.dumps({"state": "answering", "providers": {}}).encode())
    folder = replies_folder(url, None)
    write_whole(folder.journal / "a.00000001.jsonl", b"line\n" * 300)
    write_whole(folder.stop_flag("my account"), b"HTTP 401")
    with run_lock(folder.run_lock, "live"):
        assert main(["status", str(url), "--json"]) == 0
        told = capsys.readouterr()
        found = json.loads(told.out)
        assert "watching for up to 1 s" in told.err
    assert (found["run"], found["state"], found["doing"]) == (str(url), "running", "answering")
    assert (found["replies_in_journals"], found["bytes_in_journals"]) == (None, 1_500)
    assert found["stops"] == [{"provider": "my account", "reason": "HTTP 401"}]
    assert 0 <= found["age_seconds"] < 60
    write_whole(folder.run_lock, Lease("dead").to_bytes())
    assert main(["status", str(url)]) == 0
    said = capsys.readouterr().out
    assert "run: died while answering" in said
    assert "1,500 bytes of replies are in journals and not in the ledger yet; the next run takes them in" in said


def test_runs_in_an_object_store_are_not_merged(run: Path, url: UPath, capsys: pytest.CaptureFixture[str]) -> None:
    """Whichever of the two lies there, one message says what to do, and nothing is changed."""
    before = tree(url)
    for pair in ((str(run), str(url)), (str(url), str(run))):
        assert main(["merge", *pair]) == 2
        assert f"{url}: merge takes runs that lie on a disk" in capsys.readouterr().err
    assert tree(url) == before


@pytest.mark.parametrize("command", ["status", "show", "analyze", "cancel", "export", "verify", "view"])
def test_url_without_a_run_is_said_to_be_one(
    store: ObjectStore, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is made of a folder that holds nothing."""
    url = str(store.place("none"))
    more = {"show": ["row"], "export": ["--to", "csv"]}.get(command, [])
    assert main([command, url, *more]) == 2
    assert f"{url}: nothing is there" in capsys.readouterr().err
