"""Laws of a run in an object store as a user runs it: what a killed driver had bought is kept, and all is sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from upath import UPath

from judgeray.cli.main import main
from judgeray.engine.journal import lines_of, reply_journals
from judgeray.engine.lease import DEAD_SECONDS
from judgeray.run.mirror import Mirror
from judgeray.storage.files import read_each
from judgeray.storage.objects import tree
from judgeray.storage.place import place_of
from tests.object_store import ObjectStore
from tests.run.bench import JUDGES, Bench, running_bench

CALLS = 2 * 40 * 2 * 2  # datasets x rows x designs x judges
CONCURRENCY = 8
HOW = f"""
providers:
  openai: {{concurrency: {CONCURRENCY}}}
  anthropic: {{concurrency: {CONCURRENCY}}}
"""


@dataclass
class FarBench(Bench):
    """A bench whose run directory is a URL."""

    url: str = ""

    @property
    def place(self) -> UPath:
        """The run directory."""
        place = place_of(self.url)
        assert isinstance(place, UPath)
        return place

    def command(self, *options: str) -> list[str]:
        """The public command line, with the URL in the place of the folder."""
        return [self.url if part == str(self.output) else part for part in super().command(*options)]

    def journaled(self) -> int:
        """Replies on storage that are not compacted yet."""
        parts = reply_journals(self.place / "replies" / "journal")
        return sum(len(list(lines_of(data))) for _, data in read_each(parts))

    def pull(self) -> None:
        """Copy what was derived to where the bench looks for it."""
        Mirror(self.place, self.output).pull()


@pytest.fixture
def bench(store: ObjectStore, tmp_path: Path) -> Iterator[FarBench]:
    """A slow emulator, and a URL to run at."""
    with running_bench(tmp_path, JUDGES, HOW, latency_seconds=0.15, latency_sigma=0.3) as made:
        url = str(store.place("runs/x"))
        yield FarBench(made.emulator, made.manifest, made.output, made.mark, url=url).through_ray()


@pytest.mark.timeout(600)  # half a minute to be sure of the death, two more until Ray's agents are sure of it
def test_killed_driver_loses_and_doubles_nothing(bench: FarBench, capsys: pytest.CaptureFixture[str]) -> None:
    """SIGKILL in the middle: the same command watches the dead run's lease, takes over, and repeats at most what
    was in flight; verdicts are whole, the report is there, and nothing of the session is left."""
    process = bench.start()
    bench.wait_until_journaled(40, process)
    assert main(["status", bench.url]) == 0
    assert "x: " in capsys.readouterr().out
    bench.kill(process)
    code, said = bench.run()
    assert code == 0, said
    assert f"watching for {DEAD_SECONDS:g} s" in said
    assert "taken over" in said
    assert f"Report: {bench.url}/report.html" in said
    counts = bench.emulator.counts()
    assert counts["prompts"] == CALLS
    assert counts["received"] - counts["prompts"] <= 2 * CONCURRENCY
    bench.pull()
    verdicts = bench.verdicts()
    assert verdicts.height == CALLS
    assert verdicts.select("dataset", "design", "judge", "row_id").n_unique() == CALLS
    assert set(verdicts["status"]) == {"ok"}
    assert bench.progress()["state"] == "done"
    names = {name.partition("/")[0] for name in tree(bench.place)}
    assert names == {"derived.json", "logs", "manifest.yaml", "progress.json", "provenance.json", "replies",
                     "report.html", "report.md", "tables", "verdicts"}  # fmt: skip
    inner = {name.partition("/")[0] for name in tree(bench.place / "replies")}
    assert inner <= {"ledger", "limits", "spool"}
    assert main(["status", bench.url]) == 0
    assert "x: done" in capsys.readouterr().out
