"""Sessions on finished runs of perturbation studies: read again, opened again, limited, sampled, oddly named."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from judgeray.cli.main import main
from judgeray.core.call import Call
from judgeray.run.grid import RunOptions, run_grid
from judgeray.run.reopen import reopen
from judgeray.studies.arm import arm_name
from tests.report.page_bench import Outline
from tests.run.made_run import HOSTILE
from tests.studies.perturbation.test_ladders_scored import LOST, UNDONE, Said, claimed, faulty
from tests.studies.scripted import GPT
from tests.studies.scripted_judges import write_rows
from tests.studies.scripted_ladders import (
    GRADE,
    PARSER,
    ScriptedStudy,
    perfect,
    question_row,
    scoring,
    scripted_study,
    step_of,
    study_manifest,
    study_of,
    write,
)

NLI = "nli: {provider: nli, model: cross-encoder/nli-deberta-v3-large}"
ODD = f"{HOSTILE}\ud800"


def reanalyzed(made: ScriptedStudy) -> tuple[int, str]:
    """Read the kept replies of a run again by the public function; exit code and what was said."""
    screen = StringIO()
    options = RunOptions(made.experiment.path, made.run, reanalyze=True, study="perturbation")
    return run_grid(options, Console(file=screen, width=120)), screen.getvalue()


def report_files(run: Path) -> dict[str, bytes]:
    """Tables and reports by name."""
    files = [*(run / "tables").iterdir(), run / "report.md", run / "report.html"]
    return {path.name: path.read_bytes() for path in files}


def test_reading_replies_again_moves_nothing(tmp_path: Path) -> None:
    """The same replies give the same rows and the same bytes; all is settled."""
    made = study_of(tmp_path, claimed, 3, f"{GRADE}, {{metric: factual_correctness, judges: [gpt]}}")
    before = report_files(made.run)
    code, said = reanalyzed(made)
    assert code == 0
    assert f"0 of {3 * 8 * 3} verdicts moved." in said
    assert report_files(made.run) == before


@pytest.mark.parametrize("name", LOST)
def test_a_run_that_lost_questions_is_settled(tmp_path: Path, name: str) -> None:
    """What no rerun could change ends with exit code 0."""
    assert reanalyzed(study_of(tmp_path, LOST[name][0], 2))[0] == 0


@pytest.mark.parametrize("step", ["rank", "score"])
def test_a_run_that_waits_is_not_settled(tmp_path: Path, step: str) -> None:
    """What a rerun would go on with ends with exit code 3, and the report is there all the same."""
    waits, _, _ = UNDONE["waiting"]
    judge = faulty("rank", waits) if step == "rank" else lambda call: write(call) if step_of(call) else None
    made = study_of(tmp_path, judge, 2)
    code, said = reanalyzed(made)
    assert code == 3
    assert "Not all rows are settled; the same command continues with them." in said
    assert "scores are missing" in (made.run / "report.md").read_text()


def test_other_metrics_leave_no_trace_of_former_ones(tmp_path: Path) -> None:
    """Records and tables of metrics and files that a manifest no longer names are gone after the next run."""
    twice = study_of(tmp_path, scoring(perfect), 2, f"{GRADE}, {GRADE.replace('judges', 'name: again, judges')}")
    assert (twice.run / "tables" / "metric_contrasts.csv").is_file()
    once = study_of(tmp_path, scoring(perfect), 2)
    assert once.run == twice.run
    assert reanalyzed(once)[0] == 0
    assert not (once.run / "tables" / "metric_contrasts.csv").exists()
    assert not list((once.run / "scores").glob("*/metric=again"))
    assert (once.run / "tables" / "tracking.csv").is_file()


def test_a_limited_sampled_run_opens_as_it_was(tmp_path: Path) -> None:
    """`--limit` and `--samples` are kept with the run: opened again it has the same questions and arms."""
    made = scripted_study(tmp_path, study_manifest(), scoring(lambda _: 7), limit=2, samples=True)
    assert {row["question_id"] for row in made.records()} == {"q1", "q2"}
    again = reopen(made.run)
    assert list(map(arm_name, again.arms)) == list(map(arm_name, made.experiment.arms))
    assert again.sources == made.experiment.sources
    assert again.study == made.experiment.study
    assert main(["show", str(made.run), "mine:q2:A4"]) == 0


def hostile_study(folder: Path, text: str) -> ScriptedStudy:
    """Questions whose ids and texts hold a text, a writer and a judge that say it, people called so."""
    folder.mkdir()
    rows = [question_row(number) for number in range(2)]
    for row in rows:
        row |= {"question_id": f"{text}{row['question_id']}", "question": f"{text}{row['question']}"}
    write_rows(folder, rows)

    def judge(call: Call) -> Said:
        if step_of(call) == "paraphrase":
            return f"{write(call)} {text.replace('{', '').replace('}', '').replace('[', '').replace(']', '')}"
        return write(call) if step_of(call) else json.dumps({"score": 3, "rationale": text})

    choices = [
        {"question_id": row["question_id"], "level": 1, "evaluator": f"{text}{name}", "choice": "ai"}
        for row in rows for name in ("ann", "bob")
    ]  # fmt: skip
    (folder / "choices.jsonl").write_text("".join(json.dumps(choice) + "\n" for choice in choices))
    return scripted_study(folder, study_manifest(spec=f"choices: '{folder}/choices.jsonl'"), judge)


def test_texts_full_of_markup_are_stored_and_do_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ids and answers with markup, NUL and lone surrogates go all the way; page and screen show text alone."""
    hostile, tame = hostile_study(tmp_path / "h", ODD), hostile_study(tmp_path / "t", "Plain. ")
    assert {row["status"] for row in hostile.records() if row["level"] is not None} == {"ok"}
    pages = [(made.run / "report.html").read_text(encoding="utf-8") for made in (hostile, tame)]
    assert Outline(pages[0]).tags == Outline(pages[1]).tags
    assert all("Human validation of the perturbed answers" in page for page in pages)
    assert reanalyzed(hostile)[0] == 0
    question = hostile.records()[0]["question_id"]
    capsys.readouterr()
    assert main(["show", str(hostile.run), f"mine:{question}:A1"]) == 0
    told = capsys.readouterr().out
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "\\u202eevil" in told


def test_entailment_in_process_costs_nothing(tmp_path: Path) -> None:
    """Claims by a prompted judge, pairs by a local model: their scores are told as any others, with all pairs."""

    def judge(call: Call) -> Said:
        if call.provider == "nli":
            pair = json.loads(call.user)
            right = "wrong" in pair["premise"] or "wrong" not in pair["hypothesis"]
            sure = 0.9 if right else 0.1
            return json.dumps({"entailment": sure, "neutral": 0.05, "contradiction": 0.95 - sure})
        return claimed(call)

    metrics = "{metric: factual_correctness_nli, judges: [gpt], nli: nli}"
    made = study_of(tmp_path, judge, 1, metrics, f"{GPT}, {NLI}")
    values = {row["variant"]: row["value"] for row in made.records()}
    assert values["A0"] == values["control.padded"] == 1.0
    assert 0 < values["A1"] < 1
    detail = json.loads(made.records(variant="A0")[0]["detail"])
    assert detail["answer_entailment"] == [0.9] * len(detail["answer_claims"])
    assert reanalyzed(made)[0] == 0


def test_provenance_names_who_wrote_and_what_parsed(tmp_path: Path) -> None:
    """Every judge that is asked, every prompt, and the versions of spaCy and its model, which decide the calls."""
    opus = "opus: {provider: anthropic, model: claude-opus-4-6}"
    writer = "{paraphrase: opus, rank: gpt, perturb: gpt}"
    made = study_of(tmp_path, scoring(perfect), 1, models=f"{GPT}, {opus}, {NLI}", writer=writer)
    told = json.loads((made.run / "provenance.json").read_text())
    assert {name: facts["model"] for name, facts in told["judges"].items()} == {
        "gpt": "gpt-4.1", "opus": "claude-opus-4-6"
    }  # fmt: skip
    assert {"ladder.paraphrase", "ladder.rank", "ladder.perturb", "judge_score"} == set(told["designs"])
    assert {"spacy", PARSER} <= set(told["packages"])
