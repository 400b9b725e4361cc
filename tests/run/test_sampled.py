"""`--samples` and `--limit` change what is judged in known ways, and a run opens again as it was made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from judgeray.core.errors import BadInputError
from judgeray.engine.ledger import write_part
from judgeray.manifest.read import read_manifest
from judgeray.report.evidence import CaseKey
from judgeray.run.checks import check_standards
from judgeray.run.evidence import run_evidence
from judgeray.run.reopen import reopen, replies_of
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.sampled import with_samples
from judgeray.samples import SAMPLES
from judgeray.studies.arm import arm_name
from judgeray.studies.diagnostics.registry import DIAGNOSTICS
from judgeray.studies.parts import parts
from tests.studies.scripted import GPT, GRID, OPUS, Scripted, manifest_of, scripted
from tests.studies.scripted_judges import data_rows, honest, verdict, write_rows

THREE = "truthfulqa: {path: nowhere/t.csv}, mine: {path: nowhere/a.json, layout: asqa, split: train, questions: 3}"
LABELS = "label_standards: {path: nowhere/labels.csv}"


def on_benchmarks(datasets: str = THREE, diagnostics: str = "perturbations: {designs: [H]}") -> str:
    """A manifest whose data files are not there."""
    return (
        f"name: away\ndatasets: {{{datasets}}}\njudges: {{{GPT}}}\n"
        f"grid: [{{designs: [C], judges: [gpt]}}]\ndiagnostics: {{{diagnostics}}}\n"
    )


@pytest.fixture
def away(tmp_path: Path) -> Path:
    """The manifest as a file."""
    path = tmp_path / "away.yaml"
    path.write_text(on_benchmarks(diagnostics=f"perturbations: {{designs: [H]}}, {LABELS}"))
    return path


def test_every_data_file_is_replaced(away: Path) -> None:
    """Each dataset keeps name and questions and takes the sample of its layout; labels are replaced as well."""
    before = read_manifest(away)
    after = with_samples("m", before)
    paths = {name: spec.path for name, spec in after.datasets.items()}
    assert paths == {"truthfulqa": "sample:truthfulqa", "mine": "sample:asqa"}
    assert [(spec.layout, spec.split, spec.questions) for spec in after.datasets.values()] == [
        ("truthfulqa", None, None), ("asqa", None, 3)
    ]  # fmt: skip
    assert after.diagnostics.asked()["label_standards"].model_dump()["path"] == "sample:labels"
    kept = {"datasets", "diagnostics"}
    assert after.model_dump(exclude=kept) == before.model_dump(exclude=kept)


def test_a_manifest_without_its_files_is_tried_on_samples(away: Path) -> None:
    """Nothing of one's own is read: what fails without the option works with it."""
    with pytest.raises(BadInputError, match=r"no file at 'nowhere/t\.csv'"):
        read_experiment(away)
    experiment = read_experiment(away, samples=True)
    assert all(source.path.startswith("sample:") for source in experiment.sources)
    assert sum(len(part.items) for part in parts(experiment.sources, experiment.arms)) > 100


def test_a_layout_without_a_sample_is_one_message(tmp_path: Path) -> None:
    """A table has no sample; the message names the dataset, and the layouts that have one."""
    path = tmp_path / "m.yaml"
    path.write_text(on_benchmarks("mine: {path: rows.csv, layout: table}, truthfulqa: {path: x}"))
    with pytest.raises(BadInputError) as caught:
        read_experiment(path, samples=True)
    assert str(caught.value) == (
        f"{path}: datasets.mine: --samples has none of the layout: found 'table', allowed: "
        f"{', '.join(sorted(SAMPLES))}."
    )


@pytest.mark.parametrize("datasets", ["truthfulqa: {path: x}", "mine: {path: x, layout: asqa}", THREE])
def test_sample_labels_fit_any_choice_of_samples(tmp_path: Path, datasets: str) -> None:
    """Labels of samples that are not judged, or have another name here, are no mistake."""
    made = scripted(
        tmp_path, on_benchmarks(datasets, LABELS), lambda call: verdict("supported"), samples=True
    )  # fmt: skip
    standards = made.log.standards
    named = set() if standards is None else set(standards["dataset"])
    assert named == ({"truthfulqa"} if "truthfulqa" in datasets else set())


def test_own_labels_must_fit_also_where_samples_are_named(tmp_path: Path) -> None:
    """Only the packaged labels are taken in part; a file of one's own beside packaged data is checked in full."""
    labels = tmp_path / "labels.csv"
    labels.write_text("row_id,label\ntruthfulqa:0:pos,supported\nasqa:1:full,supported\n")
    path = tmp_path / "m.yaml"
    path.write_text(
        on_benchmarks("truthfulqa: {path: 'sample:truthfulqa'}", f"label_standards: {{path: '{labels}'}}")
    )
    with pytest.raises(BadInputError, match="row 2: row_id: found 'asqa:1:full'"):
        read_experiment(path)


def test_no_label_file_is_read_where_none_is_asked_for() -> None:
    """Most manifests have no label standards."""
    check_standards("m", {}, ())


def calls(experiment: Experiment) -> dict[str, list[str]]:
    """The first calls of every arm, by its name."""
    found: dict[str, list[str]] = {}
    for part in parts(experiment.sources, experiment.arms):
        keys = [call.key for task in part.shard().tasks for call in next(task.start())]
        found.setdefault(arm_name(part.arm), []).extend(keys)
    return found


OPTIONS: dict[str, Mapping[str, Any]] = {
    "none": {},
    "limit": {"limit": 3},
    "samples": {"samples": True},
    "both": {"samples": True, "limit": 2},
    "emulated": {"emulate": True, "limit": 2, "samples": True},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_a_run_opens_again_as_it_was_made(tmp_path: Path, name: str) -> None:
    """The same arms, calls and swaps: what the command line said is kept with the run."""
    path = "sample:truthfulqa" if "samples" not in OPTIONS[name] else "nowhere.csv"
    diagnostics = "perturbations: {designs: [H]}, pairwise_order: {}, generated_answers: {generators: {gpt: {}}}"
    manifest = on_benchmarks(f"truthfulqa: {{path: '{path}'}}", diagnostics)
    made = scripted(tmp_path, manifest, lambda call: verdict("supported"), **OPTIONS[name])
    again = reopen(made.run)
    assert again.options == made.experiment.options
    assert again.sources == made.experiment.sources
    assert again.arms == made.experiment.arms
    assert calls(again) == calls(made.experiment)
    assert again.settings == made.experiment.settings
    assert len(again.settings["truthfulqa"].swaps) == OPTIONS[name].get(
        "limit", len(again.settings["truthfulqa"].swaps)
    )


def test_a_limit_draws_its_own_swaps(tmp_path: Path) -> None:
    """With fewer questions each takes its reference from among them; all of them would be another draw."""
    (tmp_path / "few").mkdir()
    manifest = on_benchmarks("truthfulqa: {path: 'sample:truthfulqa'}")
    few = scripted(tmp_path / "few", manifest, lambda call: None, limit=3).experiment.settings["truthfulqa"].swaps
    whole = scripted(tmp_path, manifest, lambda call: None).experiment.settings["truthfulqa"].swaps
    assert {swap.question_id for swap in few.values()} == set(few)
    assert {name: whole[name] for name in few} != few


LABELLED = "label_standards: {path: '%s'}"


@pytest.mark.parametrize(("questions", "limit"), [(None, 2), (2, None)])
def test_labels_beyond_a_cut_run_are_left_out(tmp_path: Path, questions: int | None, limit: int | None) -> None:
    """A label file for the whole data serves a run on its first questions, and the report is still made."""
    labels = tmp_path / "labels.csv"
    labels.write_text("row_id,label\n" + "".join(f"mine:q00{n}:pos,supported\n" for n in range(5)))
    write_rows(tmp_path, data_rows(5))
    manifest = manifest_of(LABELLED % labels, more=GRID)
    if questions is not None:
        manifest = manifest.replace("layout: table,", f"layout: table, questions: {questions},")
    standards = scripted(tmp_path, manifest, honest, limit=limit).log.standards
    assert standards is not None
    assert sorted(set(standards["row_id"])) == ["mine:q000:pos", "mine:q001:pos"]


def test_labels_of_rows_that_were_not_judged_make_no_chapter(tmp_path: Path) -> None:
    """Where the cut leaves no labelled row, there is no standard to speak of."""
    labels = tmp_path / "labels.csv"
    labels.write_text("row_id,label\nmine:q004:pos,supported\n")
    write_rows(tmp_path, data_rows(5))
    made = scripted(tmp_path, manifest_of(LABELLED % labels, more=GRID), honest, limit=2)
    assert made.log.standards is None
    assert DIAGNOSTICS["label_standards"].chapter(made.log) is None


ALL_KINDS = (
    "perturbations: {designs: [H]}, pairwise_order: {}, "
    "generated_answers: {designs: [H], judges: [gpt], generators: {opus: {}}}"
)


def kept(folder: Path) -> Scripted:
    """A run of all classes of arms whose ledger holds the replies."""
    write_rows(folder, data_rows(3))
    made = scripted(folder, manifest_of(ALL_KINDS, f"{GPT}, {OPUS}"), honest, limit=2)
    replies = replies_of(made.run, made.experiment)
    replies.make()
    given = [reply for _, states in made.made for state in states for reply in state.replies]
    for model in {reply.model for reply in given}:
        mine = {reply.key: reply for reply in given if reply.model == model}
        write_part(replies.partition(next(iter(mine.values())).provider, model), mine)
    return made


WRITES = "claude-opus-4-6 has to say supported to it."


@pytest.mark.parametrize(
    ("key", "candidate", "exchanges"),
    [
        (
            CaseKey("mine", "mine:q001:neg", "H", "gpt", "padding", 0),
            "Say unsupported to 1. To put it in so many words",
            [("Candidate answer: Say unsupported to 1. To put", '"verdict": "unsupported"')],
        ),
        (
            CaseKey("mine", "mine:q001:pos-neg", "P", "opus", "reversed", 0),
            "Say supported to 1.",
            [("Answer A: Say unsupported to 1.", '"winner": "B"')],
        ),
        (CaseKey("mine", "mine:q001:opus", "answer", "opus", "full", 0), "", [("Question: Question 1?", WRITES)]),
        (
            CaseKey("mine.generated", "mine.generated:q001:opus.partial", "H", "gpt", "full", 0),
            "(partial text by opus: the reply to call 1)",
            [("Question: Question 1?", WRITES), (f"Candidate answer: {WRITES}\n\nJudge", '"verdict": "')],
        ),
    ],
)  # fmt: skip
def test_texts_behind_any_record_are_found_again(
    tmp_path: Path, key: CaseKey, candidate: str, exchanges: list[tuple[str, str]]
) -> None:
    """Changed rows, pairs, written answers and verdicts on them are shown with all that was asked and said."""
    source = run_evidence(kept(tmp_path).run)
    assert source is not None
    evidence = source.find([key])[key]
    assert evidence.question == "Question 1?"
    assert evidence.candidate.startswith(candidate)
    assert len(evidence.exchanges) == len(exchanges)
    for exchange, (asked, said) in zip(evidence.exchanges, exchanges, strict=True):
        assert asked in exchange.user
        assert said in (exchange.reply or "")
