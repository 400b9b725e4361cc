"""The report of an averaging study: the same from a run, from its directory, and from its sentences alone."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rich.console import Console

from judgeray.analysis.averaging.diagnostic import NO_ANNOTATIONS
from judgeray.cli.main import main
from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Answer
from judgeray.run.averaging_report import averaging_report
from judgeray.run.finish import REPORTS
from judgeray.run.kinds import kind_of
from tests.report.page_bench import Outline
from tests.run.made_run import HOSTILE
from tests.studies.averaging.scripted_summaries import (
    CLAIMS,
    GPT,
    HAIKU,
    MARKS,
    SIX,
    annotations_csv,
    honest,
    manifest_of,
    scripted,
    study,
    write_summaries,
)
from tests.studies.scripted_judges import failure_of, reply_to

BOTH = f"{GPT}, {HAIKU}"
WRITTEN = ("report.md", "report.html")


def derived(folder: Path) -> Mapping[str, bytes]:
    """What a report is made of, by its path below a folder."""
    files = [*(folder / name for name in WRITTEN), *(folder / "tables").glob("*.csv")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def headings(folder: Path) -> list[str]:
    """Chapters of the Markdown report, in order."""
    lines = (folder / "report.md").read_text("utf-8").splitlines()
    return [line.removeprefix("## ") for line in lines if line.startswith("## ")]


def test_chapters_stand_in_order(tmp_path: Path) -> None:
    """From the main comparison to what caching saved, in Markdown and on the page."""
    run = study(tmp_path).run
    expected = [
        "What was run", "Minimum or mean", "Are the human labels biased toward averaging?",
        "How much averaging a small gap can hide", "Suspicious labels", "What summaries are made of",
        "One level down: claims of a sentence", "What prompt caching saved", "How these numbers were made",
        "Read with care",
    ]  # fmt: skip
    assert headings(run) == expected
    shown = [text for _, text in Outline((run / "report.html").read_text("utf-8")).headings]
    assert [text for text in dict.fromkeys(shown) if text in expected[1:-2]] == expected[1:-2]


def test_facts_count_each_thing_once(tmp_path: Path) -> None:
    """Judgments, lists, summaries with their labels, sentences, documents."""
    report = (study(tmp_path).run / "report.md").read_text("utf-8")
    for fact in ("Judgments: 96 (96 ok)", "Lists of claims: 16 (16 ok)", "Summaries: 6 (4 faithful, 2 not)",
                 "Sentences: 16", "Documents: 4", "Judges: gpt, haiku"):  # fmt: skip
        assert f"- {fact}\n" in report


def test_the_same_replies_give_the_same_bytes(tmp_path: Path) -> None:
    """Over again in another folder, whatever the order of what was asked."""
    folders = (tmp_path / "one", tmp_path / "two")
    for folder in folders:
        folder.mkdir()
        write_summaries(folder, SIX)
        (folder / "marks.csv").write_text(annotations_csv(SIX))
    first, second = (scripted(folder, manifest_of(CLAIMS, BOTH), honest).run for folder in folders)
    same = {name: text for name, text in derived(first).items() if name != "report.html"}
    assert same == {name: text for name, text in derived(second).items() if name != "report.html"}
    page = derived(first)["report.html"].replace(str(folders[0]).encode(), str(folders[1]).encode())
    assert page == derived(second)["report.html"]


def test_analyze_gives_what_the_run_gave(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`judgeray analyze RUN` changes no byte, in place or beside it, however the directory is called."""
    run = study(tmp_path).run
    before, sheets = derived(run), (run / "review" / "review.csv").read_bytes()
    assert main(["analyze", str(run), "--output", str(tmp_path / "beside")]) == 0
    assert derived(tmp_path / "beside") == before
    moved = run.rename(tmp_path / "moved")
    assert main(["analyze", str(moved)]) == 0
    assert derived(moved) == before
    assert (moved / "review" / "review.csv").read_bytes() == sheets
    assert "Minimum or mean" in capsys.readouterr().out


def test_sentences_alone_have_a_report(tmp_path: Path) -> None:
    """A Parquet file from anywhere: tables and chapters, without what only a run directory knows."""
    made = study(tmp_path)
    path = tmp_path / "mine.parquet"
    pl.read_parquet(made.run / "sentences" / "**" / "*.parquet", hive_partitioning=False).sample(
        fraction=1, shuffle=True, seed=3
    ).write_parquet(path)
    assert kind_of(path) == "averaging"
    assert main(["analyze", str(path), "--output", str(tmp_path / "out")]) == 0
    for name in ("aggregation", "mean_against_min", "suspicious", "claim_aggregation"):
        table = (tmp_path / "out" / "tables" / f"{name}.csv").read_bytes()
        assert table == (made.run / "tables" / f"{name}.csv").read_bytes()
    diagnostic = pl.read_csv(tmp_path / "out" / "tables" / "diagnostic.csv")
    assert set(diagnostic["conclusion"]) == {NO_ANNOTATIONS}
    assert (tmp_path / "out" / "report.md").read_text("utf-8").startswith("# mine\n")


def test_a_report_needs_no_data_files(tmp_path: Path) -> None:
    """Annotations and reviews are kept with the run; only the price of uncached input goes with the data."""
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("summary_id,sentence_index,annotation\nb:1,1,Unfaithful\n")
    run = study(tmp_path, f"{CLAIMS}, reviews: '{{folder}}/sheet.csv'").run
    before, sheets = derived(run), (run / "review" / "review.csv").read_bytes()
    for name in ("rows.jsonl", "marks.csv", "sheet.csv"):
        (tmp_path / name).unlink()
    assert main(["analyze", str(run)]) == 0
    changed = {name for name, text in derived(run).items() if text != before[name]}
    assert changed == {"tables/caching.csv", *WRITTEN}
    assert pl.read_csv(run / "tables" / "caching.csv")["uncached_cost_usd"].is_null().all()
    assert (run / "review" / "review.csv").read_bytes() == sheets


def test_what_a_study_no_longer_makes_is_removed(tmp_path: Path) -> None:
    """Tables, lists and annotations of an earlier run do not stand beside the new ones."""
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("summary_id,sentence_index,annotation\nb:1,1,Unfaithful\n")
    run = study(tmp_path, f"{CLAIMS}, reviews: '{{folder}}/sheet.csv'").run
    assert {"annotations.csv", "reviews.csv", "texts"} <= {path.name for path in run.iterdir()}
    study(tmp_path, "sentences: pysbd").ended(Console(file=StringIO()))
    assert not {"annotations.csv", "reviews.csv", "texts"} & {path.name for path in run.iterdir()}
    names = {path.stem for path in (run / "tables").glob("*.csv")}
    assert not [name for name in names if name.startswith("claim") or name in ("confirmed", "gap_simulation")]


def test_an_emulator_is_named_everywhere(tmp_path: Path) -> None:
    """Simulated rows are counted on the report, the page, the screen, and beside the tables."""

    def simulated(call: Call) -> Answer:
        text = honest(call)
        return reply_to(call, text, simulated=True)

    screen = StringIO()
    made = study(tmp_path, judge=simulated, emulate=True)
    run = made.ended(Console(file=screen, width=120))
    told = "96 of 96 rows"
    assert told in (run / "report.md").read_text("utf-8")
    assert told in (run / "report.html").read_text("utf-8")
    assert told in screen.getvalue()
    assert told in (run / "tables" / "SIMULATED.txt").read_text("utf-8")


def test_missing_labels_are_told(tmp_path: Path) -> None:
    """How many judgments have none, of sentences and of claims."""

    def judge(call: Call) -> str | Answer:
        return failure_of(call) if "Point 0 of a:1" in call.user and "Document" in call.user else honest(call)

    report = (study(tmp_path, judge=judge).run / "report.md").read_text("utf-8")
    assert "2 of 32 judgments of sentences have no label; a summary counts" in report
    assert "2 of 62 judgments of claims have no label; a sentence counts" in report


def test_uncached_prices_are_those_of_the_mode(tmp_path: Path) -> None:
    """Without a cached token nothing is saved by caching, in realtime or in batches at half the price."""
    for mode in ("realtime", "batch"):
        folder = tmp_path / mode
        folder.mkdir()

        def judge(call: Call, mode: str = mode) -> Answer:
            return reply_to(call, honest(call), mode=mode)

        line = study(folder, judge=judge).line("caching", judge="gpt")
        assert line["cost_usd"] > 0
        assert line["saving_usd"] == pytest.approx(0, abs=1e-12), mode


MEAN_TEXTS: list[dict[str, Any]] = [
    {**row, "document_id": f"{HOSTILE}{number // 2}", "summary_id": f"{HOSTILE}{row['summary_id']}",
     "document": f"{HOSTILE} \ud800 {row['document']}", "subset": HOSTILE,
     "summary": row["summary"].replace("Point", f"Point {HOSTILE.replace('. ', ' ')}")}
    for number, row in enumerate(SIX)
]  # fmt: skip


def test_hostile_texts_act_nowhere(tmp_path: Path) -> None:
    """Markup, escapes and formulas of texts and ids change no element of a page and no cell of a table."""
    write_summaries(tmp_path, MEAN_TEXTS)
    first = MEAN_TEXTS[0]["summary_id"]
    marks = {"summary_id": [first, first], "sentence_index": [0, 1], "annotation": ["Faithful", "Unfaithful"]}
    pl.DataFrame(marks).write_parquet(tmp_path / "marks.parquet")
    screen = StringIO()
    averaging = "claims: {writer: gpt}, annotations: '{folder}/marks.parquet'"
    made = scripted(tmp_path, manifest_of(averaging), honest)
    run = made.ended(Console(file=screen, width=200))
    (tmp_path / "tame").mkdir()
    tame = study(tmp_path / "tame", judge=honest).run
    for page in ("report.html", "review/review.html"):
        text = (run / page).read_text("utf-8")
        assert not {"\x1b", "\u202e", "\x00"} & set(text), page
        assert "window.hacked=1" in text
        assert set(Outline(text).tags) <= set(Outline((tame / page).read_text("utf-8")).tags), page
    report = (run / "report.md").read_text("utf-8")
    assert "<script" not in report
    assert not {"\x1b", "\u202e", "\x00"} & set(report + screen.getvalue())
    for path in [*(run / "tables").glob("*.csv"), *(run / "review").glob("*.csv")]:
        with path.open(encoding="utf-8", newline="") as file:
            assert not [cell for row in csv.reader(file) for cell in row if cell[:1] in ("=", "+", "@", "\t")], path


@pytest.mark.parametrize("name", ["gone", "sentences"])
def test_a_directory_without_sentences(tmp_path: Path, name: str) -> None:
    """A run that has none is one message."""
    run = tmp_path / "run"
    (run / name).mkdir(parents=True)
    with pytest.raises(BadInputError, match="no judged sentences here"):
        averaging_report(run, "n")


def test_a_damaged_provenance_is_named(tmp_path: Path) -> None:
    """Its name and its mistake."""
    run = study(tmp_path, "sentences: pysbd").run
    (run / "provenance.json").write_text("{")
    with pytest.raises(BadInputError, match=r"provenance\.json: cannot be read"):
        averaging_report(run, "n")


def test_the_study_has_its_report() -> None:
    """It is made at the end of a run and by `judgeray analyze` alike."""
    assert REPORTS["averaging"] is averaging_report


def test_a_killed_run_has_a_report_of_what_is_there(tmp_path: Path) -> None:
    """Records of some arms: annotations of all sentences are no mistake."""
    run = study(tmp_path, MARKS).run
    for path in (run / "sentences").rglob("*.parquet"):
        pl.read_parquet(path).head(6).write_parquet(path)
    assert main(["analyze", str(run)]) == 0
    assert pl.read_csv(run / "tables" / "aggregation.csv")["summaries"].max() == 2
