"""Laws of `judgeray merge`: two runs become one, the first reply of a call wins, and conflicts are listed."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
import pytest

from judgeray.cli.main import main
from judgeray.core.call import Call
from judgeray.core.reply import Reply
from judgeray.engine.batches.record import BatchRecords
from judgeray.engine.ledger_merge import Overlap, take
from judgeray.engine.lock import run_lock
from judgeray.run import merge as merge_module
from judgeray.run.merge import CONFLICT_COLUMNS
from tests.run.kept_run import contents, journaled, kept_run, reanalyzed
from tests.studies.scripted import GPT, OPUS
from tests.studies.scripted_judges import chance, data_rows, reply_to, verdict, write_rows

Told = pytest.CaptureFixture[str]
ROWS = 6
GRID_A = "{designs: [C, H], judges: [gpt]}"
GRID_B = "{designs: [C], judges: [gpt]}, {designs: [C], judges: [opus]}"
BOTH = "{designs: [C], judges: [gpt, opus]}, {designs: [H], judges: [gpt]}"


@dataclass(frozen=True)
class Halves:
    """Two runs that share the rows of design C under gpt, on which they say otherwise."""

    folder: Path

    @property
    def a(self) -> Path:
        """The run that takes replies in."""
        return self.folder / "a"

    @property
    def b(self) -> Path:
        """The run that has them."""
        return self.folder / "b"

    def manifest(self, name: str, grid: str, more: str = "") -> Path:
        """A manifest on the folder's rows."""
        path = self.folder / f"{name}.yaml"
        path.write_text(
            f"name: {name}\ndatasets: {{mine: {{layout: table, path: '{self.folder / 'rows.jsonl'}'}}}}\n"
            f"judges: {{{GPT}, {OPUS}}}\ngrid: [{grid}]\n{more}"
        )
        return path

    def merge(self) -> int:
        """The command."""
        return main(["merge", str(self.a), str(self.b)])

    def conflicts(self) -> list[dict[str, str]]:
        """What the file of conflicts says."""
        (path,) = (self.a / "merge").iterdir()
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def came(self) -> list[tuple[str, str]]:
        """Every reply of A, and when it came."""
        files = self.a / "replies" / "ledger" / "**" / "*.parquet"
        return pl.read_parquet(files, hive_partitioning=False).select("key", "received_at").sort("key").rows()


def says(label: str, served: str, hour: Callable[[Call], int]) -> Callable[[Call], Reply]:
    """A judge that always says the same; each reply comes at its hour."""

    def judge(call: Call) -> Reply:
        at = f"2026-01-01T{hour(call):02d}:00:00.000+00:00"
        return replace(reply_to(call, verdict(label), served_model=served), received_at=at)

    return judge


def is_early(call: Call) -> bool:
    """Whether B's reply came before A's."""
    return chance(call) < 0.5


JUDGE_A = says("supported", "east", lambda _: 10)
JUDGE_B = says("unsupported", "west", lambda call: 5 if is_early(call) else 15)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Halves:
    """A run of C and H under gpt, and one of C under gpt and opus, made once; not to be changed."""
    folder = tmp_path_factory.mktemp("halves")
    made = Halves(folder)
    write_rows(folder, data_rows(ROWS // 2))
    kept_run(made.a, made.manifest("half-a", GRID_A), JUDGE_A)
    kept_run(made.b, made.manifest("half-b", GRID_B), JUDGE_B)
    return made


@pytest.fixture
def halves(made: Halves, tmp_path: Path) -> Halves:
    """Copies of both, to do anything to."""
    shutil.copytree(made.folder, tmp_path, dirs_exist_ok=True)
    return Halves(tmp_path)


def test_both_halves_are_one_run_afterwards(halves: Halves, capsys: Told) -> None:
    """With a manifest of both nothing is missing; of two replies the first counts; the other run stays as it is."""
    before = contents(halves.b)
    assert halves.merge() == 0
    said = capsys.readouterr().out
    assert f"{ROWS} replies of {halves.b} are new, 0 were there already" in said
    assert f"the first received is kept): {ROWS}\n" in said
    assert "with --reanalyze it reads" in said
    assert contents(halves.b) == before
    assert reanalyzed(halves.a, halves.manifest("both", BOTH))[0] == 0
    rows = pl.read_parquet(halves.a / "verdicts" / "**" / "*.parquet", hive_partitioning=False)
    assert rows.height == 3 * ROWS
    shared = rows.filter(pl.col("design") == "C", pl.col("judge") == "gpt")
    early = sum(row["kept_from"] == "B" for row in halves.conflicts())
    assert 0 < early < ROWS
    assert (shared["verdict"] == "unsupported").sum() == early
    assert set(rows.filter(pl.col("judge") == "opus")["verdict"]) == {"unsupported"}
    assert main(["verify", str(halves.a)]) == 0


def test_conflicts_are_listed_without_texts(halves: Halves, capsys: Told) -> None:
    """Each call with two replies has a row: who was asked, which is kept, when both came and who served them."""
    halves.merge()
    said = capsys.readouterr().out
    found = halves.conflicts()
    assert len(found) == ROWS
    assert tuple(found[0]) == CONFLICT_COLUMNS
    for row in found:
        assert (row["provider"], row["model"]) == ("openai", "gpt-4.1")
        assert (row["served_model_a"], row["served_model_b"]) == ("east", "west")
        first = min(row["received_at_a"], row["received_at_b"])
        assert row["kept_from"] == ("A" if first == row["received_at_a"] else "B")
    assert sum(row["key"][:12] in said for row in found) == merge_module.SHOWN
    assert "supported" not in next((halves.a / "merge").iterdir()).read_text()


def test_merging_again_changes_nothing(halves: Halves, capsys: Told) -> None:
    """The second time nothing is new; the conflicts are the same, those that B won among them."""
    halves.merge()
    capsys.readouterr()
    listed, came = contents(halves.a / "merge"), halves.came()
    assert halves.merge() == 0
    assert f"0 replies of {halves.b} are new, {ROWS} were there already" in capsys.readouterr().out
    assert contents(halves.a / "merge") == listed
    assert halves.came() == came


@pytest.mark.parametrize("steps", [0, 1])
def test_a_crash_between_changes_nothing_in_the_end(
    steps: int, halves: Halves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken off after any partition and run again, a merge ends as one that was not, with the same conflicts."""
    whole = Halves(halves.folder / "whole")
    for name in ("a", "b"):
        shutil.copytree(halves.folder / name, whole.folder / name)
    whole.merge()
    done = iter(range(100))

    def dying(overlap: Overlap) -> None:
        if next(done) == steps:
            raise KeyboardInterrupt
        take(overlap)

    with monkeypatch.context() as patch:
        patch.setattr(merge_module, "take", dying)
        assert halves.merge() == 130
    assert halves.merge() == 0
    assert halves.came() == whole.came()
    assert halves.conflicts() == whole.conflicts()


def test_journals_that_were_never_compacted_count(halves: Halves, capsys: Told) -> None:
    """A run that was killed has its replies in journals: they are taken in, and stay where they are."""
    shutil.rmtree(halves.b)
    replies = journaled(halves.b, halves.folder / "half-b.yaml", JUDGE_B)
    (halves.b / "manifest.yaml").write_bytes((halves.folder / "half-b.yaml").read_bytes())
    before = contents(halves.b)
    assert halves.merge() == 0
    assert f"{ROWS} replies of {halves.b} are new" in capsys.readouterr().out
    assert len(halves.conflicts()) == ROWS
    assert contents(halves.b) == before
    assert list(replies.ledger.rglob("*.parquet")) == []


def held(run: Path) -> AbstractContextManager[None]:
    """Hold a run as a live one does."""
    return run_lock(run / "replies" / "run.lock", "live")


def open_a_batch(halves: Halves) -> AbstractContextManager[None]:
    """Leave a batch open in B."""
    BatchRecords(halves.b / "batches").begin("openai", [Call("openai", "gpt-4.1", None, "x")])
    return nullcontext()


def share(halves: Halves) -> AbstractContextManager[None]:
    """Let B keep its replies where A does."""
    shared = halves.manifest("half-b", GRID_B, f"replies: '{halves.a / 'replies'}'\n")
    (halves.b / "manifest.yaml").write_bytes(shared.read_bytes())
    return nullcontext()


def without(name: str) -> Callable[[Halves], AbstractContextManager[None]]:
    """Take a file or folder of B away."""

    def remove(halves: Halves) -> AbstractContextManager[None]:
        path = halves.b / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        return nullcontext()

    return remove


@pytest.mark.parametrize(
    ("prepare", "told"),
    [
        (lambda halves: held(halves.a), "a: a run goes on here. Wait until it has ended"),
        (lambda halves: held(halves.b), "b: a run goes on here. Wait until it has ended"),
        (open_a_batch, "1 open batches (jr"),
        (share, "there is nothing to merge"),
        (without("manifest.yaml"), "b: no manifest.yaml here; is this a run directory?"),
        (without("replies"), "b: has no replies: "),
    ],
)
def test_what_cannot_be_merged_is_refused(
    prepare: Callable[[Halves], AbstractContextManager[None]], told: str, halves: Halves, capsys: Told
) -> None:
    """One message, exit code 2, and nothing is changed."""
    with prepare(halves):
        before = contents(halves.folder)
        assert halves.merge() == 2
        said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert contents(halves.folder) == before


def test_a_run_is_not_merged_with_itself(halves: Halves, capsys: Told) -> None:
    """The same folder, however it is spelled, is no second run."""
    assert main(["merge", str(halves.a), str(halves.b / ".." / "a")]) == 2
    assert "is the same run directory" in capsys.readouterr().err
