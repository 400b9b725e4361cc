"""Laws of the mirror: a working folder and the URL that it stands for."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.run import mirror as mirror_module
from judgeray.run.mirror import Mirror, mirrored, origin, shown, work_on, write_to
from judgeray.run.reopen import replies_folder
from judgeray.storage import objects
from judgeray.storage.objects import get, put, tree
from tests.object_store import ObjectStore


@pytest.fixture
def url(store: ObjectStore) -> UPath:
    """An empty folder of a run."""
    place = store.place("runs/x")
    assert isinstance(place, UPath)
    return place


def test_only_what_changed_is_sent(url: UPath, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are new or differ are sent, those that went are removed, and all others are left alone."""
    for name in (
        "same",
        "changed",
        "verdicts/gone",
        "replies/ledger/kept",
        "batches/kept",
        "logs/kept",
        "export/kept",
    ):
        put(url / name, b"old")
    mirror = Mirror(url, tmp_path / "x")
    assert mirror.pull()
    assert not (mirror.folder / "replies").exists()
    (mirror.folder / "changed").write_bytes(b"new")
    (mirror.folder / "tables").mkdir()
    (mirror.folder / "tables" / "fresh.csv").write_bytes(b"new")
    (mirror.folder / "verdicts" / "gone").unlink()
    sent: list[str] = []
    upload_all = objects.upload_all

    def noted(pairs: list[tuple[Path, UPath]]) -> None:
        sent.extend(path.name for path, _ in pairs)
        upload_all(pairs)

    monkeypatch.setattr(mirror_module, "upload_all", noted)
    mirror.push()
    assert sorted(sent) == ["changed", "fresh.csv"]
    names = {
        "same",
        "changed",
        "tables/fresh.csv",
        "replies/ledger/kept",
        "batches/kept",
        "logs/kept",
        "export/kept",
    }
    assert set(tree(url)) == names
    mirror.push()
    assert len(sent) == 2


def test_push_that_is_cut_off_leaves_no_note(url: UPath, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What says that tables and report are those of the records is gone until all of them are there."""
    put(url / "derived.json", b"old")
    mirror = Mirror(url, tmp_path / "x")
    mirror.pull()
    for name in ("derived.json", "report.html"):
        (mirror.folder / name).write_bytes(b"new")

    def fails(pairs: list[tuple[Path, UPath]]) -> None:
        raise BadInputError("no answer")

    monkeypatch.setattr(mirror_module, "upload_all", fails)
    with pytest.raises(BadInputError):
        mirror.push()
    assert tree(url) == {}
    monkeypatch.undo()
    mirror.push()
    assert get(url / "derived.json") == b"new"


def test_nothing_is_removed_that_was_not_pulled(url: UPath, tmp_path: Path) -> None:
    """A mirror of some files knows of no others."""
    put(url / "notes.txt", b"mine")
    mirror = Mirror(url, tmp_path / "x")
    assert not mirror.pull(only=["progress.json"])
    mirror.push()
    assert set(tree(url)) == {"notes.txt"}


def test_progress_is_sent_while_work_goes_on(url: UPath, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Onlookers see it change; the last word is that of the push at the end."""
    monkeypatch.setattr(mirror_module, "PROGRESS_SECONDS", 0.05)
    mirror = Mirror(url, tmp_path / "x")
    with mirror.keeping("progress.json"):
        (mirror.folder / "progress.json").write_text("answering")
        end = time.monotonic() + 10
        while get(url / "progress.json") != b"answering":
            assert time.monotonic() < end
            time.sleep(0.02)
    (mirror.folder / "progress.json").write_text("done")
    mirror.push()
    assert get(url / "progress.json") == b"done"


def test_local_run_is_worked_on_in_place(tmp_path: Path) -> None:
    """A path stands for itself, and nothing is written into it."""
    with work_on(tmp_path) as folder, write_to(tmp_path) as (same, mirror):
        assert folder == same == tmp_path
        assert mirror is None
        assert origin(folder) == tmp_path
        assert shown(folder / "report.html") == str(tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


def test_copy_knows_what_it_stands_for(url: UPath) -> None:
    """Replies are found at the URL, paths and messages name it, and the copy ends with the block."""
    put(url / "progress.json", b"{}")
    with work_on(url) as folder:
        assert folder.name == "x"
        assert origin(folder) == url
        assert replies_folder(folder, None).address == f"{url}/replies"
        assert replies_folder(folder, "s3://bucket/shared").address == "s3://bucket/shared"
        assert shown(folder / "tables" / "a.csv") == f"{url}/tables/a.csv"
    assert not folder.exists()
    with pytest.raises(BadInputError, match=f"^{url}/verdicts: none$"), mirrored(url) as mirror:
        raise BadInputError(f"{mirror.folder}/verdicts: none")
