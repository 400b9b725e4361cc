"""Metrics of known sensitivity through the whole road, from manifest to report: each is told for what it is."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from judgeray.cli.logs import analyze_command
from judgeray.cli.main import main
from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Answer
from judgeray.report.view import View
from judgeray.run.finish import REPORTS
from judgeray.run.kinds import kind_of
from tests.studies.scripted import GPT
from tests.studies.scripted_judges import failure_of
from tests.studies.scripted_ladders import (
    ScriptedStudy,
    constant,
    inverted,
    noisy,
    perfect,
    scoring,
    step_of,
    study_of,
)

GRADES: dict[str, Callable[[Call], int]] = {
    "perfect": perfect, "noisy": noisy, "constant": constant, "inverted": inverted
}  # fmt: skip
MODELS = ", ".join([GPT, *(f"{name}: {{provider: openai, model: {name}:7b}}" for name in GRADES)])
ALL = "{metric: judge_score, judges: [perfect, noisy, constant, inverted]}"
QUESTIONS = 6


def by_model(call: Call) -> str:
    """Each judge grades as its model is called."""
    return scoring(GRADES[call.model.removesuffix(":7b")] if call.model.endswith(":7b") else perfect)(call)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> ScriptedStudy:
    """A finished run of four metrics of known sensitivity, with other tools' scores and human choices beside."""
    folder = tmp_path_factory.mktemp("known")
    write_others(folder / "others.csv")
    write_choices(folder / "choices.csv")
    files = f"scores: '{folder}/others.csv', choices: '{folder}/choices.csv'"
    return study_of(folder, by_model, QUESTIONS, ALL, MODELS, spec=files)


def write_others(path: Path) -> None:
    """Scores of another tool, without a dataset: it falls from A0 on, but not from A3 to A4."""
    with path.open("w", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(["question_id", "level", "metric", "judge", "score"])
        writer.writerows(
            (f"q{q}", level, "rouge", "scorer", (1.0, 0.8, 0.6, 0.4, 0.4)[level])
            for q in range(QUESTIONS)
            for level in range(5)
        )


def write_choices(path: Path) -> None:
    """Two evaluators who prefer the pipeline at A1 and see no difference elsewhere."""
    with path.open("w", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(["question_id", "level", "evaluator", "choice"])
        writer.writerows(
            (f"q{q}", level, name, "ai" if level == 1 else "both_good")
            for q in range(QUESTIONS) for level in range(5) for name in ("ann", "bob")
        )  # fmt: skip


def table(made: ScriptedStudy, name: str) -> list[dict[str, Any]]:
    """A table of the finished run."""
    return pl.read_csv(made.run / "tables" / f"{name}.csv").to_dicts()


def first_view(made: ScriptedStudy) -> View:
    """The ranking that the report shows."""
    chapter = REPORTS["perturbation"](made.run, "x", ()).chapters[0]
    assert chapter.name == "tracking"
    return chapter.views[0]


def test_metrics_are_ranked_by_what_they_see(known: ScriptedStudy) -> None:
    """Perfect, another tool that misses one step, noisy, inverted; what is undefined comes last and says why."""
    view = first_view(known)
    judge, why = view.header.index("judge"), view.header.index("why undefined")
    assert [row[judge] for row in view.rows] == ["perfect", "scorer", "noisy", "inverted", "constant"]
    assert [row[why] for row in view.rows] == ["—", "—", "—", "—", "all scores are equal"]
    found = {row["judge"]: row for row in table(known, "tracking")}
    assert (found["perfect"]["kendall"], found["perfect"]["strict_order_share"]) == (-1.0, 1.0)
    assert found["inverted"]["kendall"] == 1.0
    assert -1 < found["noisy"]["kendall_high"] < 0
    assert (found["constant"]["kendall"], found["constant"]["pearson"]) == (None, None)
    assert found["constant"]["questions_undefined"] == QUESTIONS


def test_steps_show_where_a_metric_goes_blind(known: ScriptedStudy) -> None:
    """Each step is tested by itself: the other tool sees all but the last."""
    steps = [row for row in table(known, "steps") if row["judge"] == "scorer"]
    assert [(row["fell"], row["tied"]) for row in steps] == [(QUESTIONS, 0)] * 3 + [(0, QUESTIONS)]


def test_controls_do_not_move_who_reads_facts(known: ScriptedStudy) -> None:
    """A metric of facts gives controls what it gives A0."""
    rows = [row for row in table(known, "controls") if row["judge"] == "perfect"]
    assert [row["control"] for row in rows] == ["control.padded", "control.reordered", "control.restyled"]
    assert {(row["change"], row["first_fall"], row["still_share"]) for row in rows} == {(0.0, 2.0, 1.0)}


def test_contrasts_join_the_other_tool(known: ScriptedStudy) -> None:
    """Scores without a dataset are of the only one; every two metrics are compared on common questions."""
    rows = table(known, "metric_contrasts")
    assert len(rows) == 5 * 4 // 2
    assert {row["dataset"] for row in rows} == {"mine"}
    (found,) = (row for row in rows if {row["judge_a"], row["judge_b"]} == {"perfect", "scorer"})
    sign = 1 if found["judge_a"] == "perfect" else -1
    assert sign * found["delta_kendall"] > 0
    assert found["questions"] == QUESTIONS


def test_people_have_a_chapter(known: ScriptedStudy) -> None:
    """Human choices are told by level, with the test of non-inferiority."""
    rows = {row["levels"]: row for row in table(known, "human_validation")}
    assert set(rows) == {"A0", "A1", "A2", "A3", "A4", "A1-A4"}
    assert (rows["A1"]["both_ai"], rows["A2"]["neither"]) == (QUESTIONS, QUESTIONS)
    assert rows["A1-A4"]["mean_composite"] == 0.25
    assert (known.run / "tables" / "contingency.csv").is_file()
    assert "## Human validation of the perturbed answers" in (known.run / "report.md").read_text()


def test_one_size_is_no_comparison_of_sizes(known: ScriptedStudy) -> None:
    """Four judges of seven billions, and one of no known size, are no chapter."""
    assert not (known.run / "tables" / "size_quality.csv").exists()


def test_the_report_says_what_was_run(known: ScriptedStudy) -> None:
    """Scores by status, other tools' apart, metrics, judges and costs; the screen shows the ranking."""
    text = (known.run / "report.md").read_text()
    total = QUESTIONS * (8 * 4 + 5)
    assert f"- Scores: {total} ({total} ok) on {QUESTIONS} source questions" in text
    assert f"- Of these, from other tools: {QUESTIONS * 5}" in text
    assert "- Judges: constant, inverted, noisy, perfect, scorer" in text
    assert "- Cost of the ladders: 0." in text
    assert "- Cost of scoring: not known" in text
    assert "Which metric tracks damage" in known.said
    assert known.said.index("perfect") < known.said.index("noisy") < known.said.index("constant")


def test_reading_a_run_again_gives_the_same_bytes(known: ScriptedStudy, tmp_path: Path) -> None:
    """Analysis of a run directory rewrites what the run wrote, whatever it is called from."""
    before = {path.name: path.read_bytes() for path in files(known.run)}
    assert kind_of(known.run) == "perturbation"
    assert analyze_command([str(known.run), "--output", str(tmp_path / "again")]) == 0
    assert {path.name: path.read_bytes() for path in files(tmp_path / "again")} == before


def files(folder: Path) -> list[Path]:
    """Tables and reports."""
    return [*(folder / "tables").glob("*.csv"), folder / "report.md", folder / "report.html"]


def test_a_run_whose_files_are_gone_says_so(tmp_path: Path) -> None:
    """One message names the key and the file that the manifest names; then nothing is rewritten."""
    write_others(tmp_path / "others.csv")
    made = study_of(tmp_path, scoring(perfect), QUESTIONS, spec=f"scores: '{tmp_path}/others.csv'")
    assert made.run.is_dir()
    (tmp_path / "others.csv").unlink()
    with pytest.raises(BadInputError, match=r"perturbation: scores: .*others\.csv: no such file or directory"):
        REPORTS["perturbation"](made.run, "x", ())


def silent(_call: Call) -> Answer | None:
    """No answer at all."""
    return None


@pytest.mark.parametrize("judge", [silent, failure_of])
def test_a_run_without_any_score_has_a_report(tmp_path: Path, judge: Callable[[Call], Any]) -> None:
    """Where nothing came back there are tables without numbers, and the reason."""
    made = study_of(tmp_path, judge, 2)
    (row,) = table(made, "tracking")
    assert (row["kendall"], row["pearson"], row["reason"], row["missing"]) == (None, None, "no score", 10)
    (loss,) = table(made, "ladder_losses")
    assert loss["outcome"] == ("pending" if judge is silent else "undelivered")
    assert "16 of 16 scores are missing" in (made.run / "report.md").read_text()
    assert (made.run / "report.html").stat().st_size > 100_000


def test_losses_are_told_by_step(tmp_path: Path) -> None:
    """Questions that a step lost are counted with its reason, and their answers as missing."""

    def judge(call: Call) -> str:
        odd = step_of(call) == "perturb" and "harbour 1" in call.user
        return "no tag" if odd else scoring(perfect)(call)

    made = study_of(tmp_path, judge, 3)
    told = {row["outcome"]: (row["step"], row["reason"], row["questions"]) for row in table(made, "ladder_losses")}
    assert told == {"lost": ("perturb A1", "no <output>", 1), "whole": (None, None, 2)}
    (row,) = table(made, "tracking")
    assert (row["questions"], row["missing"], row["undelivered"], row["questions_incomplete"]) == (3, 4, 4, 1)


def test_a_score_is_shown_whole(known: ScriptedStudy, capsys: pytest.CaptureFixture[str]) -> None:
    """`judgeray show` finds an answer by dataset, question and variant: prompts, replies, and what was read."""
    assert known.run.is_dir()
    assert main(["show", str(known.run), "mine:q1:A2", "--judge", "perfect"]) == 0
    told = capsys.readouterr().out
    for part in (
        "mine:q1:A2 (mine, question q1)", "Who is number 1?", "judge_score · perfect · full · replicate 0",
        "system message of call 7", "Answer to grade: It is said that the lighthouse of harbour 1",
        '{"score": 6, "rationale": "so"}', "status ok", "value 6.0",
    ):  # fmt: skip
        assert part in told
    assert "verdict" not in told
    assert "constant" not in told


def test_a_row_that_is_not_there_is_named(known: ScriptedStudy, capsys: pytest.CaptureFixture[str]) -> None:
    """Near rows are told."""
    assert main(["show", str(known.run), "q1"]) == 2
    assert "no row 'q1'. Did you mean: mine:q1:A0, mine:q1:A1, " in capsys.readouterr().err


@pytest.mark.parametrize("to", ["csv", "inspect"])
def test_what_takes_verdicts_alone_says_where_scores_are(
    known: ScriptedStudy, capsys: pytest.CaptureFixture[str], to: str
) -> None:
    """One message, exit code 2."""
    assert main(["export", str(known.run), "--to", to]) == 2
    assert "run: holds scores, no verdicts: they are Parquet below " in capsys.readouterr().err


def test_controls_that_change_nothing_are_no_failures(tmp_path: Path) -> None:
    """How many there are none of is said, with the reason; controls of lost texts are not counted."""

    def judge(call: Call) -> str:
        if step_of(call) == "paraphrase" and "harbour 2" in call.user:
            return " "
        return "It rained." if step_of(call) == "paraphrase" else scoring(perfect)(call)

    made = study_of(tmp_path, judge, 3)
    text = (made.run / "report.md").read_text()
    assert "- 4 of 6 controls would have left their answer as it is" in text
