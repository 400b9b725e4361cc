"""Every mistake in a manifest of a perturbation study is one clear message, before any call and any file."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from judgeray.core.errors import BadInputError
from judgeray.run.grid import RunOptions, run_grid
from judgeray.run.resolve import read_experiment
from tests.studies.scripted import GPT, GRID, manifest_of, written
from tests.studies.scripted_judges import data_rows, write_rows
from tests.studies.scripted_ladders import GRADE, MINI, PARSER, study_manifest, write_questions

OVERLAP = "overlap: {provider: lexical}"
NLI = "deberta: {provider: nli, model: cross-encoder/nli-deberta-v3-large}"
ALL = f"{GPT}, {MINI}, {OVERLAP}, {NLI}"
CLAIMS_NLI = "metric: factual_correctness_nli, judges: [gpt]"
AT_0 = "perturbation.metrics.0: "


def complaint(folder: Path, manifest: str) -> str:
    """The message that a manifest gets as a run begins, without the folder's name; nothing is written by then."""
    if not (folder / "rows.jsonl").exists():
        write_questions(folder, 2)
    options = RunOptions(written(folder, manifest), folder / "out", study="perturbation")
    with pytest.raises(BadInputError) as caught:
        run_grid(options, Console(file=StringIO()))
    assert not (folder / "out").exists()
    message = str(caught.value).replace(f"{folder}/", "")
    assert "\n" not in message
    return message


METRICS = {
    "no such metric": (
        "{metric: bleu, judges: [gpt]}",
        AT_0 + "metric: found 'bleu', allowed: factual_correctness, factual_correctness_nli, judge_score,",
    ),
    "no such judge": (
        "{metric: judge_score, judges: [gtp]}", AT_0 + "judges: found 'gtp', allowed: deberta, gpt, mini, overlap. "
    ),
    "a judge twice": ("{metric: judge_score, judges: [gpt, gpt]}", AT_0 + "judges: 'gpt' stands more than once."),
    "a judge that reads no prompt": (
        "{metric: judge_score, judges: [overlap]}",
        AT_0 + "judges.overlap: metric judge_score: found 'lexical', which reads no prompts, allowed: a judge ",
    ),
    "no such design": (
        "{metric: support_verdict, judges: [gpt], design: Q}", AT_0 + "metric settings: design: found 'Q', ",
    ),
    "a pairwise design": (
        "{metric: support_score, judges: [gpt], design: P}", AT_0 + "metric settings: design: found 'P', ",
    ),
    "no NLI judge": (
        f"{{{CLAIMS_NLI}}}", AT_0 + "metric factual_correctness_nli: nli: found nothing, allowed: a judge of an ",
    ),
    "an NLI judge over an API": (
        f"{{{CLAIMS_NLI}, nli: mini}}", AT_0 + "metric factual_correctness_nli: nli: found judge mini of openai, ",
    ),
    "an NLI judge that is none": (
        f"{{{CLAIMS_NLI}, nli: overlap}}",
        "perturbation: metric factual_correctness_nli: nli: found 'overlap', which is of kind lexical, ",
    ),
    "no such NLI judge": (f"{{{CLAIMS_NLI}, nli: roberta}}", AT_0 + "nli: found 'roberta', allowed: deberta, "),
    "an NLI judge that would read a design": (
        "{metric: support_verdict, name: support, judges: [deberta]}",
        "perturbation: metric support: judges: found 'deberta', which is of kind nli, allowed: ",
    ),
    "a setting that is not read": (
        "{metric: judge_score, judges: [gpt], mode: recall}",
        AT_0 + "setting of judge_score: found 'mode', allowed: nothing.",
    ),
    "a design that is not read": (
        "{metric: factual_correctness, judges: [gpt], design: R}",
        AT_0 + "setting of factual_correctness: found 'design', allowed: atomicity, beta, coverage, mode, recall.",
    ),
    "an NLI judge that is not read": (
        "{metric: factual_correctness, judges: [gpt], nli: deberta}",
        AT_0 + "setting of factual_correctness: found 'nli', allowed: atomicity, ",
    ),
    "one name twice": (
        f"{GRADE}, {{metric: judge_score, judges: [mini]}}",
        "perturbation.metrics.1: 'judge_score' is the name of an earlier metric; give this one another with name:.",
    ),
    "a name that is taken": (
        f"{GRADE}, {{metric: support_score, name: judge_score, judges: [gpt]}}",
        "perturbation.metrics.1: 'judge_score' is the name of an earlier metric; give this one another with name:.",
    ),
    "no metric": ("", "perturbation.metrics: found [], "),
    "no judge": ("{metric: judge_score, judges: []}", "perturbation.metrics.0.judges: found [], "),
    "no weight": (
        "{metric: factual_correctness, judges: [gpt], beta: 0.0}", "perturbation.metrics.0.beta: found 0.0, ",
    ),
    "a name that is a path": (
        "{metric: judge_score, name: ../x, judges: [gpt]}", "perturbation.metrics.0.name: found '../x', ",
    ),
    "an unknown key": (
        "{metric: judge_score, judge: gpt, judges: [gpt]}",
        "perturbation.metrics.0: unknown key: found 'judge', allowed: atomicity, beta, ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_that_does_not_fit(tmp_path: Path, name: str) -> None:
    """Place, value found, values allowed."""
    metrics, expected = METRICS[name]
    assert complaint(tmp_path, study_manifest(metrics, ALL)).startswith(f"scripted.yaml: {expected}")


SPECS = {
    "nothing is kept": ("keep_share: 0.0", "perturbation.keep_share: found 0.0, "),
    "more than all is kept": ("keep_share: 1.2", "perturbation.keep_share: found 1.2, "),
    "no level": ("levels: 0", "perturbation.levels: found 0, "),
    "levels as text": ("levels: four", "perturbation.levels: found 'four', "),
    "unknown key": (
        "keep: 0.8",
        "perturbation: unknown key: found 'keep', allowed: choices, controls, keep_share,",
    ),
}


@pytest.mark.parametrize("name", SPECS)
def test_a_ladder_that_cannot_be(tmp_path: Path, name: str) -> None:
    """Shares, levels and keys are checked by place and value."""
    spec, expected = SPECS[name]
    assert complaint(tmp_path, study_manifest(spec=spec)).startswith(f"scripted.yaml: {expected}")


WRITERS = {
    "nobody": ("writer: nobody", "writer: found 'nobody', allowed: gpt, mini."),
    "in process": ("writer: overlap", "writer: found 'overlap', allowed: gpt, mini."),
    "one step": (
        "writer: {paraphrase: gpt, rank: deberta, perturb: mini}",
        "writer.rank: found 'deberta', allowed: gpt, mini.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_a_writer_that_cannot_write(tmp_path: Path, name: str) -> None:
    """Writers are judges that answer prompts; the step is named where each has its own."""
    writer, expected = WRITERS[name]
    manifest = study_manifest(judges=ALL).replace("writer: gpt", writer)
    assert complaint(tmp_path, manifest) == f"scripted.yaml: perturbation: {expected}"


def test_a_parser_that_is_not_there(tmp_path: Path) -> None:
    """The message names the place and says how to install one."""
    message = complaint(tmp_path, study_manifest().replace(PARSER, "en_core_web_xx"))
    assert message.startswith("scripted.yaml: perturbation: parser: found 'en_core_web_xx', which is no installed ")
    assert "python -m spacy download en_core_web_sm" in message


@pytest.mark.parametrize("key", ["conditions: [no_reference]", "replicates: 2", "condition_texts: {padding: x}"])
def test_what_only_grids_read(tmp_path: Path, key: str) -> None:
    """A key that would change nothing is refused."""
    message = complaint(tmp_path, study_manifest(more=f"{key}\n"))
    assert message.startswith(
        f"scripted.yaml: {key.partition(':')[0]}: belongs to grid and diagnostics, and 'perturb"
    )


def test_two_kinds_of_study(tmp_path: Path) -> None:
    """A manifest holds one kind of study."""
    message = complaint(tmp_path, study_manifest(more=GRID))
    assert message == (
        "scripted.yaml: found several kinds of study: grid and diagnostics, perturbation, or averaging."
    )


def test_a_manifest_of_another_study(tmp_path: Path) -> None:
    """The job says which manifests it takes, and which command takes any."""
    write_rows(tmp_path, data_rows(2))
    message = complaint(tmp_path, manifest_of("grounding: {}"))
    assert message == (
        "scripted.yaml: found a manifest of a grid study; this job takes one with 'perturbation:'. judgeray run "
        "takes any."
    )


def test_every_writer_needs_a_price_under_a_budget(tmp_path: Path) -> None:
    """A budget counts all that is asked: a step whose model has no price is named."""
    judges = f"{GPT}, own: {{provider: openai, model: my-model}}"
    manifest = study_manifest(judges=judges, writer="{paraphrase: own, rank: gpt, perturb: gpt}")
    message = complaint(tmp_path, f"{manifest}budget_usd: 5.0\n")
    assert message.startswith("scripted.yaml: budget_usd: the price of model 'my-model' is not known; say it ")


def test_a_dataset_without_a_reference(tmp_path: Path) -> None:
    """The columns that were found are told."""
    write_rows(tmp_path, [{"question": "Who?", "gold": "Me."}])
    message = complaint(tmp_path, study_manifest())
    assert message.startswith("dataset 'mine', rows.jsonl: no column 'reference or ground_truth or answer' for 're")


SCORES = "question_id,level,metric,judge,value\nq0,0,rouge,rouge,0.5\n"
CHOICES = "question_id,level,evaluator,choice\nq0,1,ann,ai\nq0,1,bob,ai\n"

FILES = {
    "scores": {
        "not there": (None, "other.csv: no such file or directory"),
        "another file": ("a,b\n1,2\n", "other.csv: missing column 'question_id'; columns found: a, b"),
        "empty": ("", "other.csv: "),
        "a level that is none": (SCORES.replace(",0,", ",x,"), "other.csv: row 1: level: found 'x', "),
        "a score twice": (SCORES + SCORES.splitlines()[1], "other.csv: one score stands twice: "),
        "other questions": (
            SCORES.replace("q0", "z9"), "question_id: found 'z9', which is no question of 'mine', nor is ",
        ),
        "another dataset": (
            SCORES.replace("value", "value,dataset").replace("0.5", "0.5,theirs"),
            "dataset: found 'theirs', allowed: mine.",
        ),
        "scores that the run makes": (
            SCORES.replace("rouge,rouge", "judge_score,gpt"),
            "metric 'judge_score' by judge 'gpt' is scored by the run as well; give the metric another name in the",
        ),
    },
    "choices": {
        "not there": (None, "other.csv: cannot be read: No such file or directory"),
        "a file of scores": (SCORES, "other.csv: missing column 'evaluator'; columns found: judge, level, "),
        "an unknown choice": (CHOICES.replace("ai", "both"), "other.csv: row 1: choice: found 'both', allowed: "),
        "one evaluator": (CHOICES.replace("q0,1,bob,ai\n", ""), "other.csv: evaluator: found 1 ('ann'), allowed: "),
        "other questions": (
            CHOICES.replace("q0", "z9"), "question_id: found 'z9', which is no question of 'mine', nor is ",
        ),
    },
}  # fmt: skip
CASES = [(field, name) for field, cases in FILES.items() for name in cases]


@pytest.mark.parametrize(("field", "name"), CASES)
def test_a_file_beside_the_questions(tmp_path: Path, field: str, name: str) -> None:
    """Files that only the report needs are read before any call; messages name key, file, row and value."""
    text, expected = FILES[field][name]
    if text is not None:
        (tmp_path / "other.csv").write_text(text, encoding="utf-8")
    message = complaint(tmp_path, study_manifest(spec=f"{field}: '{tmp_path}/other.csv'"))
    place = f"scripted.yaml: perturbation: {field}: "
    assert message.startswith((place + expected, f"{place}other.csv: {expected}"))


@pytest.mark.parametrize("field", FILES)
def test_files_are_read_whatever_is_limited(tmp_path: Path, field: str) -> None:
    """A question beyond `--limit` is a question all the same; --samples leaves both files alone."""
    write_questions(tmp_path, 3)
    (tmp_path / "other.csv").write_text((CHOICES if field == "choices" else SCORES).replace("q0", "q2"))
    manifest = written(tmp_path, study_manifest(spec=f"{field}: '{tmp_path}/other.csv'"))
    plan = RunOptions(manifest, tmp_path / "out", dry_run=True, limit=1)
    assert run_grid(plan, Console(file=StringIO())) == 0
    sampled = read_experiment(manifest, samples=True).manifest.perturbation
    assert sampled is not None
    assert getattr(sampled, field) is None


def test_samples_need_no_columns_of_ones_own(tmp_path: Path) -> None:
    """Columns that name a file's own do not matter to a sample."""
    manifest = study_manifest().replace("{layout: table,", "{layout: table, columns: {reference: gold},")
    experiment = read_experiment(written(tmp_path, manifest), limit=2, samples=True)
    (source,) = experiment.sources
    assert (source.path, source.questions) == ("sample:questions", 2)
    assert len(list(experiment.study.load(source))) == 2
