"""What an averaging study takes from its datasets: summaries with something to tell, the rest counted by reason."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from judgeray.datasets.summaries_split import SINGLE_SENTENCE
from judgeray.rows import Skip
from judgeray.run.resolve import read_experiment
from judgeray.run.survey import DatasetFacts, survey
from judgeray.studies.averaging.labels import SentenceLabels, sentence_labels
from judgeray.studies.averaging.spec import AveragingSpec
from judgeray.studies.averaging.study import NO_LABEL, averaging_study
from judgeray.summaries import Sentence, SplitSummary, Summary
from tests.studies.averaging.scripted_summaries import (
    SIX,
    annotations_csv,
    honest,
    manifest_of,
    scripted,
    summary,
    write_summaries,
    written,
)


def found(folder: Path, rows: list[dict[str, Any]], averaging: str = "") -> DatasetFacts:
    """What a survey finds in summaries."""
    write_summaries(folder, rows)
    experiment = read_experiment(written(folder, manifest_of(averaging)))
    return survey(experiment.sources, experiment.arms, experiment.study)["mine"]


def without(row: dict[str, Any], field: str) -> dict[str, Any]:
    """Empty a field of a row."""
    return row | {field: None}


def test_what_is_left_out_is_counted_by_reason(tmp_path: Path) -> None:
    """Single sentences, and summaries without a document, a text or a label."""
    rows = [
        *SIX, summary("s:1", "1", 1), summary("s:2", "0", 0), without(summary("t:1", "10", 1), "document"),
        without(summary("t:2", "10", 1), "summary"), summary("t:3", "10", 1) | {"summary": "  "},
        without(summary("t:4", "10", 1), "label"),
    ]  # fmt: skip
    facts = found(tmp_path, rows)
    assert facts.skips == {SINGLE_SENTENCE: 2, "no document": 1, "no summary": 2, "no label": 1}
    assert (facts.rows, facts.questions, facts.units, facts.labelled) == (6, 4, 16, 0)


def test_the_report_says_what_was_left_out(tmp_path: Path) -> None:
    """By dataset and reason, in summaries."""
    write_summaries(tmp_path, [*SIX, summary("s:1", "1", 1), without(summary("t:4", "10", 1), "label")])
    report = (scripted(tmp_path, manifest_of(), honest).run / "report.md").read_text("utf-8")
    assert "- mine: 1 summaries left out: a single sentence." in report
    assert "- mine: 1 summaries left out: no label." in report


def test_a_dataset_without_labels_is_left_out_beside_another(tmp_path: Path) -> None:
    """Each of its summaries is counted; the other dataset is judged."""
    write_summaries(tmp_path, SIX)
    unlabelled = [{name: value for name, value in row.items() if name != "label"} for row in SIX]
    write_summaries(tmp_path, unlabelled, "bare.jsonl")
    both = "mine: {layout: table, path: '{folder}/rows.jsonl'}, bare: {layout: table, path: '{folder}/bare.jsonl'}"
    made = scripted(tmp_path, manifest_of(datasets=both), honest)
    facts = survey(made.experiment.sources, made.experiment.arms, made.experiment.study)
    assert (facts["bare"].rows, facts["bare"].skips) == (0, {NO_LABEL: 6})
    assert set(made.log["dataset"]) == {"mine"}
    assert "- bare: 6 summaries left out: no human label." in (made.run / "report.md").read_text("utf-8")


def test_documents_stand_together_in_the_order_they_came(tmp_path: Path) -> None:
    """Summaries keep their order within a document; what was left out comes first and parts nothing."""
    write_summaries(tmp_path, [*SIX, summary("s:1", "1", 1)])
    experiment = read_experiment(written(tmp_path, manifest_of()))
    items = list(experiment.study.load(experiment.sources[0]))
    assert isinstance(items[0], Skip)
    names = [item.summary.summary_id for item in items[1:]]
    assert names == ["a:1", "a:2", "b:1", "b:2", "c:1", "d:1"]
    assert [name for name, _ in groupby(items[1:], key=experiment.study.unit)] == ["a", "b", "c", "d"]


def test_a_limit_counts_documents_that_are_judged(tmp_path: Path) -> None:
    """Two documents are all summaries of the first two of which something is left, wherever they stand."""
    singles = [summary(f"s{number}:1", "1", 1) for number in range(3)]
    write_summaries(tmp_path, [*singles[:2], *SIX, singles[2]])
    experiment = read_experiment(written(tmp_path, manifest_of()), limit=2)
    items = list(experiment.study.load(experiment.sources[0]))
    skips = [item for item in items if isinstance(item, Skip)]
    assert [skip.question_id for skip in skips] == ["s0", "s1"]
    assert [item.summary.summary_id for item in items[len(skips) :]] == ["a:1", "a:2", "b:1", "b:2"]


def test_claims_keep_what_has_a_labelled_sentence(tmp_path: Path) -> None:
    """A single sentence is kept where people marked it clearly, and counts for claims alone."""
    rows = [*SIX, summary("s:1", "1", 1), summary("s:2", "1", 1)]
    (tmp_path / "marks.csv").write_text(
        "summary_id,sentence_index,annotation\ns:1,0,Faithful\ns:2,0,Unclear\na:1,1,Unfaithful\n"
    )
    facts = found(tmp_path, rows, "annotations: '{folder}/marks.csv', claims: {writer: gpt}")
    assert (facts.rows, facts.units, facts.labelled) == (7, 16, 2)
    assert facts.skips == {SINGLE_SENTENCE: 1}


def split(verdicts: tuple[Any, ...]) -> SplitSummary:
    """A summary with a benchmark's own verdicts on each of its sentences."""
    texts = tuple(f"Sentence {number}." for number in range(len(verdicts)))
    whole = Summary("d", "", "s", "doc", "D.", " ".join(texts), 1, texts, verdicts)
    return SplitSummary(whole, tuple(Sentence(number, text) for number, text in enumerate(texts)))


@given(st.lists(st.sampled_from(["faithful", "unfaithful", "unclear", None]), max_size=6))
def test_own_verdicts_are_labels_where_they_are_clear(verdicts: list[Any]) -> None:
    """Each clear verdict gives its sentence a label, in order; nothing else does."""
    labelled = SentenceLabels().sentences(split(tuple(verdicts)))
    expected = {n: int(said == "faithful") for n, said in enumerate(verdicts) if said in ("faithful", "unfaithful")}
    assert {item.sentence.index: item.label for item in labelled} == expected


def test_a_file_may_say_which_dataset_it_means(tmp_path: Path) -> None:
    """A mark for a dataset goes before one for any; ids of other datasets are not mistaken for it."""
    path = tmp_path / "marks.csv"
    path.write_text(
        "dataset,summary_id,sentence_index,annotation\nd,s,0,Faithful\n,s,0,Unfaithful\n,s,1,Unfaithful\ne,s,2,Faithful\n"
    )
    spec = AveragingSpec.model_validate({"annotations": str(path), "claims": {"writer": "gpt"}})
    labels = sentence_labels("m", spec)
    assert labels is not None
    assert [(item.sentence.index, item.label) for item in labels.sentences(split((None,) * 4))] == [(0, 1), (1, 0)]


def test_no_labels_are_read_without_claims(tmp_path: Path) -> None:
    """Annotations alone measure judges; a file that is gone does not keep a run from being opened again."""
    spec = AveragingSpec.model_validate({"annotations": str(tmp_path / "gone.csv")})
    assert sentence_labels("m", spec) is None
    assert averaging_study("m", spec).name == "averaging"


def test_annotated_sentences_become_claims_of_the_study(tmp_path: Path) -> None:
    """All sentences of six summaries, marked in a file, are taken apart."""
    (tmp_path / "marks.csv").write_text(annotations_csv(SIX))
    facts = found(tmp_path, list(SIX), "annotations: '{folder}/marks.csv', claims: {writer: gpt}")
    assert Counter({"units": facts.units, "labelled": facts.labelled}) == {"units": 16, "labelled": 16}
