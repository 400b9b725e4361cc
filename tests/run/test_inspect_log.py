"""A run in Inspect's own words: what its reader gives back is what the run's verdict rows and ledger hold."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from judgeray.analysis import analyze, read_log
from judgeray.core.errors import BadInputError
from judgeray.designs.registry import DESIGNS
from judgeray.run.inspect_log.export import export_inspect
from judgeray.run.verdict_log import scan_verdicts
from tests.run.inspect_run import LABEL, SETTLED_ONLY, STATUSES, inspect_run, row_ids
from tests.run.made_run import HOSTILE, label_of, made_run

inspect_log = pytest.importorskip("inspect_ai.log", reason="needs the extra inspect")


def the_log(run: Path) -> Any:
    """The only log of an exported run, as Inspect reads it."""
    (log,) = [inspect_log.read_eval_log(path) for path in export_inspect(run).folder.glob("*.eval")]
    return log


def by_row(log: Any) -> dict[str, Any]:
    """The samples of the first epoch in the order of `STATUSES`."""
    samples = {sample.id: sample for sample in log.samples if sample.epoch == 1}
    return {name: samples[name.replace("\0", "\\x00")] for name in row_ids()}


def test_every_row_is_one_sample(tmp_path: Path) -> None:
    """Row ids are sample ids and replicates epochs, whatever the ids hold; labels are targets; nothing is lost."""
    run = inspect_run(tmp_path)
    log = the_log(run)
    rows = scan_verdicts(run).select("row_id", "replicate", "label").collect().rows()
    found = [(sample.id.replace("\\x00", "\0"), sample.epoch - 1, sample.target) for sample in log.samples]
    assert sorted(found) == sorted(rows)
    assert len(found) == 2 * len(STATUSES)
    assert log.eval.config.epochs == 2
    assert log.eval.dataset.samples == len(STATUSES)
    assert {sample.id for sample in log.samples} == set(log.eval.dataset.sample_ids)


def test_a_log_tells_what_was_judged_by_whom(tmp_path: Path) -> None:
    """Task, model, parameters and the prompt's source stand in the header."""
    log = the_log(inspect_run(tmp_path))
    assert (log.eval.task, log.eval.model, log.eval.solver) == ("mine-C", "openai/gpt-4.1", "judgeray/C")
    assert log.eval.task_args == {"dataset": "mine", "design": "C", "judge": "gpt", "condition": "full"}
    assert (log.eval.model_generate_config.temperature, log.eval.model_generate_config.max_tokens) == (0.5, 700)
    assert log.plan.steps[0].params["source"] == DESIGNS["C"].source
    assert (log.eval.created, log.stats.completed_at) == ("2026-01-01T00:00:00+00:00", "2026-01-01T00:00:07+00:00")


def test_scores_follow_statuses(tmp_path: Path) -> None:
    """A verdict is C or I, a reply without one N with its reason, and a row without a reply an error, unscored."""
    samples = list(by_row(the_log(inspect_run(tmp_path))).values())
    values = [sample.scores["verdict"].value if sample.scores else None for sample in samples]
    assert values == ["C", "I", "N", "N", "N", None, None, "C"]
    reasons = [sample.scores["verdict"].reason for sample in samples[2:5]]
    assert reasons == ["invalid_response_format", "refusal", "truncated"]
    wrong = samples[1].scores["verdict"]
    assert (wrong.answer, wrong.explanation) == ("unsupported", "The verdict is unsupported, the label supported.")
    assert wrong.metadata == {
        "status": "ok", "parse_branch": "embedded", "score": 4.0, "confidence": 0.5, "question_id": "q0",
        "complexity": 1, "simulated": False,
    }  # fmt: skip
    assert [sample.metadata["status"] for sample in samples] == list(STATUSES)
    assert samples[5].error.message == "out of \\ud800 luck"
    assert samples[6].error.message.startswith("pending")
    assert [sample.error for sample in samples[:5]] == [None] * 5


def test_texts_are_those_of_the_call_and_its_reply(tmp_path: Path) -> None:
    """System and user message are the prompt, the output is the reply; only what is no Unicode is spelled out."""
    samples = list(by_row(the_log(inspect_run(tmp_path))).values())
    system, user = samples[0].input
    assert (system.role, system.content) == ("system", DESIGNS["C"].system)
    assert user.content.startswith(
        "Question: Question 0?\nReference answer: r\nCandidate answer: answer 0 \\ud800\n"
    )
    said = json.dumps({"verdict": LABEL, "score": 4, "confidence": 0.5}) + " \0 \\ud800"
    assert [message.role for message in samples[0].messages] == ["system", "user", "assistant"]
    assert (samples[0].messages[2].content, samples[0].output.completion) == (said, said)
    assert (samples[0].output.model, samples[0].output.response_id) == ("gpt-4.1-2025", "resp-0")
    stops = [sample.output.stop_reason for sample in samples[2:5]]
    assert stops == ["stop", "content_filter", "max_tokens"]
    assert (samples[3].output.completion, samples[6].output.choices) == ("", [])
    assert [message.role for message in samples[6].messages] == ["system", "user"]


def test_known_tokens_are_counted_as_inspect_counts(tmp_path: Path) -> None:
    """Cached tokens leave the input, unknown counts are no zeros, and a sum with an unknown cost has none."""
    log = the_log(inspect_run(tmp_path))
    samples = list(by_row(log).values())
    usage = samples[0].model_usage["openai/gpt-4.1"]
    assert (usage.input_tokens, usage.input_tokens_cache_read, usage.output_tokens) == (60, 40, 20)
    assert (usage.reasoning_tokens, usage.total_tokens) == (5, 120)
    assert usage.total_cost > 0
    assert samples[7].model_usage == {}
    assert samples[7].output.usage is None
    total = log.stats.model_usage["openai/gpt-4.1"]
    assert (total.total_tokens, total.total_cost) == (2 * 5 * 120, None)
    assert (samples[0].total_time, samples[0].started_at) == (2.0, "2025-12-31T23:59:58+00:00")


def test_numbers_are_those_of_the_tables(tmp_path: Path) -> None:
    """Accuracy and its clustered error stand in table `standard_errors`; rows without a reply are told apart."""
    run = inspect_run(tmp_path)
    (row,) = analyze(read_log(run))["standard_errors"].to_dicts()
    results = the_log(run).results
    (score,) = results.scores
    assert (score.metrics["accuracy"].value, score.metrics["stderr"].value) == (row["value"], row["standard_error"])
    assert (results.total_samples, results.completed_samples, score.unscored_samples) == (16, 12, 4)


def test_inspect_computes_the_same_numbers(tmp_path: Path) -> None:
    """Where every row is settled, Inspect's own metrics over the samples give what the log says."""
    log = the_log(inspect_run(tmp_path, SETTLED_ONLY))
    told = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    inspect_log.recompute_metrics(log)
    again = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert again == pytest.approx(told)
    assert set(again) == {"accuracy", "stderr"}


def test_a_log_says_whether_it_is_complete_and_real(tmp_path: Path) -> None:
    """Pending rows make it cancelled, simulated replies give it a tag; neither is said of other logs."""
    for name, statuses, simulated in (("a", STATUSES, False), ("b", SETTLED_ONLY, True)):
        (tmp_path / name).mkdir()
        log = the_log(inspect_run(tmp_path / name, statuses, simulated))
        assert log.status == ("success" if simulated else "cancelled")
        assert (log.tags, log.metadata["simulated"]) == (["simulated"] if simulated else [], simulated)


def test_hostile_text_is_kept(tmp_path: Path) -> None:
    """Every character of prompt and reply comes back, in one log a design."""
    run = made_run(tmp_path, lambda _, row: json.dumps({"verdict": label_of(int(row[4:]))}) + HOSTILE, HOSTILE)
    done = export_inspect(run)
    assert (done.logs, done.rows, done.rows_without_prompts, done.lacking) == (2, 12, 0, None)
    for path in done.folder.glob("*.eval"):
        for sample in inspect_log.read_eval_log(path).samples:
            assert HOSTILE in sample.input[1].content
            assert sample.output.completion.endswith(HOSTILE)


def test_a_run_without_data_files_keeps_its_replies(tmp_path: Path) -> None:
    """No input text is made up: the replies and all else are there, and the export says what lacks."""
    run = inspect_run(tmp_path)
    (tmp_path / "rows.jsonl").unlink()
    done = export_inspect(run)
    assert done.rows_without_prompts == 16
    assert "rows.jsonl" in str(done.lacking)
    samples = list(by_row(the_log(run)).values())
    assert {sample.input for sample in samples} == {""}
    assert [message.role for message in samples[0].messages] == ["assistant"]
    assert samples[0].scores["verdict"].value == "C"


def test_prompts_that_were_not_asked_are_not_shown(tmp_path: Path) -> None:
    """Where a row of the data file has changed since, its sample has no input; the others keep theirs."""
    run = inspect_run(tmp_path)
    data = tmp_path / "rows.jsonl"
    data.write_text(data.read_text().replace("Question 3?", "Another question?"))
    done = export_inspect(run)
    assert (done.rows_without_prompts, "no longer those" in str(done.lacking)) == (2, True)
    inputs = [sample.input for sample in by_row(the_log(run)).values()]
    assert [text == "" for text in inputs] == [number == 3 for number in range(len(STATUSES))]


def test_an_export_can_be_repeated(tmp_path: Path) -> None:
    """The same run gives the same files with the same members; logs of others stay, and are counted."""
    run = inspect_run(tmp_path)
    first, second = (export_inspect(run, tmp_path / name) for name in ("one", "two"))
    (tmp_path / "two" / "other.eval").write_bytes(b"")
    assert export_inspect(run, tmp_path / "two").others == 1
    (mine,) = first.folder.iterdir()
    with zipfile.ZipFile(mine) as one, zipfile.ZipFile(second.folder / mine.name) as two:
        assert one.namelist() == two.namelist()
        assert all(one.read(name) == two.read(name) for name in one.namelist())


def test_a_log_appears_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fills up leaves no file behind, and one clear message."""

    def full(_log: object, path: Path, **_: object) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    run = inspect_run(tmp_path)
    monkeypatch.setattr(inspect_log, "write_eval_log", full)
    with pytest.raises(BadInputError, match=r"\.eval: cannot be written: No space left on device"):
        export_inspect(run, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_inspect_makes_data_frames_of_the_folder(tmp_path: Path) -> None:
    """Its tables of evals, samples and messages have a row for each log, sample and message."""
    analysis = pytest.importorskip("inspect_ai.analysis", reason="needs the extra inspect and pandas")
    run = inspect_run(tmp_path)
    folder = export_inspect(run).folder
    log = the_log(run)
    evals, samples = analysis.evals_df(folder, quiet=True), analysis.samples_df(folder, quiet=True)
    assert evals["score_headline_value"].to_list() == [log.results.scores[0].metrics["accuracy"].value]
    assert samples["metadata_question_id"].to_list() == [sample.metadata["question_id"] for sample in log.samples]
    answered = [sample for sample in log.samples if sample.output.choices]
    assert len(analysis.messages_df(folder, quiet=True)) == sum(len(sample.messages) for sample in answered)
