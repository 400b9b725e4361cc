"""Laws of `judgeray verify`: what a run leaves follows from its replies, and whatever does not is named."""

from __future__ import annotations

import json
import platform
import re
import shutil
from collections.abc import Callable
from contextlib import chdir
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from upath import UPath

from judgeray.cli.main import main
from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.engine.journal import JournalWriter
from judgeray.engine.lock import run_lock
from judgeray.run import fingerprints, provenance, survey
from judgeray.run.record_files import FINGERPRINT
from judgeray.run.verify.verify import verify
from judgeray.storage.objects import tree, upload_all
from judgeray.studies import parts
from tests.object_store import ObjectStore
from tests.run.kept_run import contents, kept_run
from tests.studies.averaging import scripted_summaries as summaries
from tests.studies.scripted import GPT, GRID, OPUS, manifest_of, written
from tests.studies.scripted_judges import data_rows, honest, reply_to, write_rows
from tests.studies.scripted_ladders import perfect, scoring, study_manifest, write_questions

Change = Callable[[Path], None]
Told = pytest.CaptureFixture[str]


def grid_run(folder: Path) -> Path:
    """Verdicts, pairs and texts; the manifest names its data by a relative path."""
    write_rows(folder, data_rows(4))
    diagnostics = "pairwise_order: {}, generated_answers: {designs: [H], judges: [gpt], generators: {opus: {}}}"
    manifest = manifest_of(diagnostics, f"{GPT}, {OPUS}", GRID).replace("{rows}", "rows.jsonl")
    with chdir(folder):
        return kept_run(folder / "run", written(folder, manifest), honest)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a grid run, made once; not to be changed."""
    return grid_run(tmp_path_factory.mktemp("made")).parent


@pytest.fixture
def run(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, to do anything to."""
    shutil.copytree(made, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy" / "run"


def perturbation_run(folder: Path) -> Path:
    """Ladders and scores."""
    write_questions(folder, 2)
    return kept_run(folder / "run", written(folder, study_manifest()), scoring(perfect))


def averaging_run(folder: Path) -> Path:
    """Sentences, claims and sheets for annotators."""
    summaries.write_summaries(folder, summaries.SIX)
    (folder / "marks.csv").write_text(summaries.annotations_csv(summaries.SIX))
    manifest = summaries.manifest_of(summaries.CLAIMS, f"{summaries.GPT}, {summaries.HAIKU}")
    return kept_run(folder / "run", summaries.written(folder, manifest), summaries.honest)


def verified(run: Path, told: Told) -> tuple[int, str]:
    """Run the command; exit code and what it said. Nothing in the run directory may change."""
    before = contents(run)
    code = main(["verify", str(run)])
    assert contents(run) == before
    said = told.readouterr()
    return code, said.out + said.err


@pytest.mark.parametrize(
    ("make", "kinds"),
    [
        (grid_run, ("pairs", "texts", "verdicts")),
        (perturbation_run, ("ladders", "scores")),
        (averaging_run, ("sentences", "texts", "annotations", "review")),
    ],
)
def test_a_run_agrees_with_its_replies(
    make: Callable[[Path], Path], kinds: tuple[str, ...], tmp_path: Path, capsys: Told
) -> None:
    """Runs of all three studies: every kind of record is made again, and everything is the same."""
    run = make(tmp_path)
    with chdir(tmp_path):
        code, said = verified(run, capsys)
    assert code == 0, said
    checks = [line for line in said.splitlines() if line.startswith("agrees")]
    assert said.splitlines()[-1] == f"{len(checks)} checks, 0 differ"
    assert all(f"agrees  {kind}: " in said for kind in (*kinds, "data", "replies", "keys", "tables", "report.html"))


def test_parts_are_compared_one_by_one(tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """An arm in several files is several files here; the first row that differs is found in the right one."""
    for module in (parts, survey):
        monkeypatch.setattr(module, "SLICE_ROWS", 2)
    run = grid_run(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert verified(run, capsys)[0] == 0
    change_rows(
        "design=C/judge=gpt/full-r0-00001", pl.col("row_id").str.ends_with(":neg"), verdict=pl.lit("supported")
    )(run)
    code, said = verified(run, capsys)
    assert code == 1
    assert re.search(
        r"full-r0-00001\.parquet: 1 of 2 rows differ; the first is row_id \S+:neg in column verdict", said
    )


def record(run: Path, name: str) -> Path:
    """The first file of records whose path holds a name."""
    return next(path for path in sorted(run.rglob("*.parquet")) if name in path.as_posix())


def change_rows(name: str, where: pl.Expr, **changes: pl.Expr) -> Change:
    """Change rows of a file of records."""

    def change(run: Path) -> None:
        path = record(run, name)
        new = [
            pl.when(where).then(value).otherwise(pl.col(column)).alias(column) for column, value in changes.items()
        ]
        pl.read_parquet(path, hive_partitioning=False).with_columns(new).write_parquet(path)

    return change


def drop_a_row(run: Path) -> None:
    """Lose the third row of a file."""
    path = record(run, "design=H/judge=gpt")
    rows = pl.read_parquet(path, hive_partitioning=False)
    pl.concat([rows.head(2), rows.tail(-3)]).write_parquet(path)


def rename_a_column(run: Path) -> None:
    """A file of another program."""
    path = record(run, "/texts/")
    pl.read_parquet(path, hive_partitioning=False).rename({"text": "words"}).write_parquet(path)


def copy_records(run: Path) -> None:
    """Put a file beside the others."""
    shutil.copy(record(run, "/pairs/"), record(run, "/pairs/").with_name("other-00000.parquet"))


def remove_records(run: Path) -> None:
    """Lose a file."""
    record(run, "/verdicts/").unlink()


def tear_records(run: Path) -> None:
    """Leave half a file."""
    path = record(run, "/pairs/")
    path.write_bytes(path.read_bytes()[:200])


def edit(name: str, old: str = "0", new: str = "9") -> Change:
    """Change the first place in a file."""

    def change(run: Path) -> None:
        path = run / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def add_table(run: Path) -> None:
    """A table of somebody else's."""
    (run / "tables" / "mine.csv").write_text("a\n1\n")


def ledger_file(run: Path) -> Path:
    """A file of the ledger."""
    return sorted((run / "replies" / "ledger").rglob("*.parquet"))[0]


def change_ledger(**changes: pl.Expr) -> Change:
    """Change columns of a ledger file for its first row."""

    def change(run: Path) -> None:
        path = ledger_file(run)
        schema = pq.read_schema(path)
        first = pl.int_range(pl.len()) == 0
        new = [pl.when(first).then(value).otherwise(pl.col(name)).alias(name) for name, value in changes.items()]
        pq.write_table(
            pl.read_parquet(path, hive_partitioning=False).with_columns(new).to_arrow().cast(schema), path
        )

    return change


def copy_ledger(run: Path) -> None:
    """Every reply of a file a second time."""
    shutil.copy(ledger_file(run), ledger_file(run).with_name("part-copy.parquet"))


def leave_a_journal(run: Path) -> None:
    """What a run leaves that was killed."""
    writer = JournalWriter(run / "replies" / "journal", "actor")
    writer.append(reply_to(Call("openai", "gpt-4.1", None, "x"), "yes"))
    writer.close()


def change_data(run: Path) -> None:
    """An empty line more, which changes no row."""
    with (run.parent / "rows.jsonl").open("a") as file:
        file.write("\n")


def change_provenance(*path: str, value: object) -> Change:
    """Set one value of provenance.json."""

    def change(run: Path) -> None:
        document: dict[str, Any] = json.loads((run / "provenance.json").read_text())
        inner = document
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value
        (run / "provenance.json").write_text(json.dumps(document))

    return change


RECORDS: tuple[tuple[Change, str], ...] = (
    (change_rows("design=C", pl.col("row_id").str.contains("q001"), score=pl.lit(9.0)),
     r"design=C/\S+: 2 of 8 rows differ; the first is row_id mine:q001:\w+ in column score"),
    (change_rows("mine.generated/design=H", pl.lit(value=True), cost_usd=pl.lit(None)),
     r"mine.generated/design=H/\S+: 8 of 8 rows differ; the first is row_id .+ in column cost_usd"),
    (drop_a_row, r"design=H/judge=gpt/\S+: 7 rows recorded, 8 now; the first that differs is row_id mine:q001:pos"),
    (rename_a_column, r"texts/\S+: has other columns or types: text, words"),
    (copy_records, r"pairs/\S+/other-00000.parquet: belongs to no arm of the manifest"),
)  # fmt: skip
FILES: tuple[tuple[Change, str], ...] = (
    (remove_records, r"verdicts/\S+: is not there; it should have 8 rows"),
    (tear_records, r"pairs/\S+: cannot be read: "),
    (edit("tables/accuracy.csv"), r"tables/accuracy.csv: differs from line 2 on"),
    (add_table, r"tables/mine.csv: is not made by the analysis"),
    (edit("report.md", "# scripted", "# better"), "report.md: differs from line 1 on"),
    (edit("report.html", "scripted", "better"), "report.html: differs from line"),
)
LEDGER: tuple[tuple[Change, str], ...] = (
    (change_ledger(output_tokens=pl.lit(99), simulated=pl.lit(value=True)),
     r"ledger/\S+: reply \w{12}: the reply says something else than output_tokens, simulated"),
    (copy_ledger, "DIFFERS keys: [0-9]+ stand more than once, one is [0-9a-f]{64}"),
    (leave_a_journal, "DIFFERS journals: 1 replies wait there"),
)  # fmt: skip
MADE_OF: tuple[tuple[Change, str], ...] = (
    (change_data, r"DIFFERS data: 1 differ\n +mine.rows.jsonl: '[0-9a-f]{64}' recorded, '[0-9a-f]{64}' now"),
    (
        change_provenance("designs", "H", "sha256", value="0"),
        r"DIFFERS prompts: 1 differ\n +H.sha256: '0' recorded",
    ),
    (change_provenance("judges", "gpt", "model", value="x"), "judges.gpt.model: 'x' recorded, 'gpt-4.1' now"),
    (edit("manifest.yaml", "name: scripted", "name: other"), "manifest.name: 'scripted' recorded, 'other' now"),
)


@pytest.mark.parametrize(
    ("changes", "checks"),
    [
        (RECORDS, {"pairs", "texts", "verdicts"}),
        (FILES, {"pairs", "verdicts", "tables", "report.md", "report.html"}),
        (LEDGER, {"replies", "keys", "journals"}),
        (MADE_OF, {"data", "prompts", "provenance.json", "report.md", "report.html"}),
    ],
)
def test_what_does_not_follow_is_named(
    changes: tuple[tuple[Change, str], ...], checks: set[str], run: Path, capsys: Told
) -> None:
    """Whatever is changed behind judgeray's back is told with its place; other checks agree, the exit code is 1."""
    for change, _ in changes:
        change(run)
    code, said = verified(run, capsys)
    assert code == 1, said
    for _, told in changes:
        assert re.search(told, said), said
    assert set(re.findall("^DIFFERS (.*?):", said, re.MULTILINE)) == checks
    assert said.splitlines()[-1].endswith(f" checks, {len(checks)} differ")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (change_ledger(reply=pl.lit(b"{}")), r"reply \w{12}: cannot be read\n"),
        (lambda run: ledger_file(run).write_bytes(b"PAR1"), r"part-\w+.parquet: cannot be read: "),
    ],
)
def test_a_ledger_that_cannot_be_read_is_replayed_by_nobody(
    change: Change, told: str, run: Path, capsys: Told
) -> None:
    """What stands on a broken ledger is not compared with anything."""
    change(run)
    code, said = verified(run, capsys)
    assert code == 1
    assert re.search(told, said), said
    assert "DIFFERS records: are not made again" in said
    assert said.splitlines()[-1] == "7 checks, 2 differ"


def test_another_version_is_a_note(run: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages and Python may be others now: that is told, and the report, which names those of then, agrees."""
    monkeypatch.setattr(provenance, "version", lambda name: "99.0" if name == "polars" else version(name))
    monkeypatch.setattr(platform, "python_version", lambda: "9.9")
    code, said = verified(run, capsys)
    assert code == 0, said
    found = re.search(r"agrees  versions: note: (.*)", said)
    assert found is not None
    assert re.fullmatch(r"polars \S+ then, 99\.0 now; python \S+ then, 9\.9 now", found[1])


def test_fingerprints_of_another_program_are_no_difference(
    run: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an older program marked with its own fingerprints, and with fewer facts of datasets, still agrees."""
    assert pq.read_schema(record(run, "/verdicts/")).metadata[FINGERPRINT]
    monkeypatch.setattr(fingerprints, "program_digest", lambda: "another program")
    assert verified(run, capsys)[0] == 0
    document = json.loads((run / "provenance.json").read_text())
    assert document["datasets"]["mine"].pop("fingerprint")
    for name in ("pairs", "units", "labelled", "slices"):
        del document["datasets"]["mine"][name]
    (run / "provenance.json").write_text(json.dumps(document))
    code, said = verified(run, capsys)
    assert re.findall("^DIFFERS (.*?):", said, re.MULTILINE) == [
        "report.html"
    ]  # which shows all of provenance.json
    assert code == 1


def test_a_fingerprint_does_not_vouch_for_rows(run: Path, capsys: Told) -> None:
    """Rows that were changed under the fingerprint of the run are found all the same; so are counts of datasets."""
    path = record(run, "design=C/judge=gpt")
    table = pq.read_table(path, partitioning=None)
    score = table.schema.get_field_index("score")
    changed = table.set_column(score, table.schema.field(score), pa.array([9.0] * len(table), pa.float64()))
    pq.write_table(changed, path)
    assert pq.read_schema(path).metadata[FINGERPRINT]
    change_provenance("datasets", "mine", "slices", value=7)(run)
    code, said = verified(run, capsys)
    assert code == 1
    assert "in column score" in said
    assert "datasets.mine.slices: '7' recorded, '1' now" in said


def test_a_run_in_an_object_store_is_verified_alike(
    run: Path, store: ObjectStore, capsys: Told, tmp_path: Path
) -> None:
    """The same run at a URL gives the same checks in the same words, and nothing there is written."""
    change_rows("design=C", pl.col("row_id").str.contains("q001"), score=pl.lit(9.0))(run)
    url = store.place("run")
    assert isinstance(url, UPath)
    files = [path for path in run.rglob("*") if path.is_file() and path.suffix != ".lock"]
    upload_all([(path, url / path.relative_to(run).as_posix()) for path in files])
    before = tree(url)
    code, said = verified(run, capsys)
    assert main(["verify", str(url)]) == code == 1
    assert capsys.readouterr().out == said
    assert tree(url) == before


def test_a_live_run_is_left_alone(run: Path, capsys: Told) -> None:
    """While a run holds its replies nothing can be told: exit code 2, one message, and the run goes on."""
    with run_lock(run / "replies" / "run.lock", "live"):
        code, said = verified(run, capsys)
        assert code == 2
        assert said.count("\n") == 1
        assert "a run goes on here. Wait until it has ended" in said
        assert (run / "replies" / "run.lock").read_text() == "live"
    assert verified(run, capsys)[0] == 0


def test_a_run_that_begins_meanwhile_spoils_the_checks(run: Path) -> None:
    """A session that came and went while files were compared leaves no verdict on them."""
    checks = verify(run)
    next(checks)
    with run_lock(run / "replies" / "run.lock", "another"):
        pass
    with pytest.raises(BadInputError, match="a run began here in the meantime"):
        list(checks)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda run: (run / "manifest.yaml").unlink(), "no manifest.yaml here"),
        (lambda run: (run / "provenance.json").unlink(), "no provenance.json here"),
        (lambda run: (run / "provenance.json").write_text('{"datasets": 1}'), "datasets: found no JSON object"),
        (change_provenance("datasets", "mine", value=1), "datasets.mine: found no JSON object"),
        (lambda run: (run.parent / "rows.jsonl").unlink(), "rows.jsonl"),
    ],
)
def test_what_cannot_be_told_is_bad_input(change: Change, told: str, run: Path, capsys: Told) -> None:
    """A folder that is no run, or whose data are gone, ends with exit code 2 and one message."""
    change(run)
    assert main(["verify", str(run)]) == 2
    assert told in capsys.readouterr().err
