"""Mistakes in an averaging study get one clear message with its place, before anything is begun."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from judgeray.datasets.sentences import split_sentences
from tests.studies.averaging.scripted_summaries import (
    GPT,
    HAIKU,
    OVERLAP,
    SIX,
    annotations_csv,
    complaint,
    manifest_of,
    summary,
    write_summaries,
)

PLACE = "scripted.yaml: averaging"
OWN_ALONE = (
    "found sentences 'pysbd', allowed: own, for the annotations that come with a benchmark are about its own "
    "sentences; or name a file under annotations."
)
KNOWN = (
    "allowed: aggrefact, diversumm, frank, halueval, llm_aggrefact, qags, table, tofueval. Did you mean 'table'?"
)
ENDINGS = ".csv, .json, .jsonl, .ndjson, .parquet"
GONE = "cannot be read: No such file or directory"
MARKS = "annotations: '{folder}/marks.csv'"
VOTES = "quotes: {layout: qags, path: '{folder}/votes.jsonl'}"


def mistake(folder: Path, averaging: str = "", judges: str = GPT, datasets: str = "", more: str = "") -> str:
    """What is said of a manifest on six summaries."""
    write_summaries(folder, SIX)
    return complaint(folder, manifest_of(averaging, judges, datasets, more))


@pytest.mark.parametrize(
    ("averaging", "message"),
    [
        ("judges: [overlap]", ": judges: found 'overlap', allowed: gpt, haiku."),
        ("judges: [gtp]", ": judges: found 'gtp', allowed: gpt, haiku. Did you mean 'gpt'?"),
        ("judges: [gpt, gpt]", ": judges: 'gpt' stands more than once."),
        ("sentences: own, claims: {writer: overlap}", ".claims: writer: found 'overlap', allowed: gpt, haiku."),
        ("sentences: own, claims: {writer: gpt, judges: [m]}", ".claims: judges: found 'm', allowed: gpt, haiku."),
        ("sentences: nltk", ": sentences: found 'nltk', allowed: own, pysbd, spacy:en_core_web_sm."),
        ("claims: {writer: gpt}", f".claims: {OWN_ALONE}"),
        ("annotations: own", f": annotations: {OWN_ALONE}"),
        (MARKS, f": annotations: marks.csv: {GONE}"),
        (f"{MARKS}, claims: {{writer: gpt}}", f": annotations: marks.csv: {GONE}"),
        ("reviews: '{folder}/sheet.csv'", f": reviews: sheet.csv: {GONE}"),
        ("reviews: sheet.txt", f": reviews: sheet.txt: file name ending: found '.txt', allowed: {ENDINGS}."),
    ],
)  # fmt: skip
def test_names_and_files(tmp_path: Path, averaging: str, message: str) -> None:
    """A name that is not known, in place of which one is, and a file that is not there."""
    assert mistake(tmp_path, averaging, f"{GPT}, {HAIKU}, {OVERLAP}") == PLACE + message


def test_nobody_to_ask(tmp_path: Path) -> None:
    """A study without any judge that reads prompts."""
    assert mistake(tmp_path, judges=OVERLAP) == (
        f"{PLACE}: judges: found overlap, none of which reads prompts, needed: one that does."
    )


def test_a_spacy_model_that_is_not_there(tmp_path: Path) -> None:
    """The message says how to install it."""
    message = mistake(tmp_path, "sentences: 'spacy:en_core_web_huge'")
    assert message.startswith(f"{PLACE}: ")
    assert "python -m spacy download" in message
    assert message.count("\n") == 0


def test_spacy_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the extra."""
    monkeypatch.setitem(sys.modules, "spacy", None)
    message = mistake(tmp_path, "sentences: 'spacy:another_model'")
    assert message.startswith(f"{PLACE}: ")
    assert "judgeray[spacy]" in message


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("a:9,0,Faithful", "row 17: summary_id: found 'a:9' sentence 0"),
        ("a:1,2,Faithful", "row 17: summary_id: found 'a:1' sentence 2"),
        ("a:1,0,Faithful", "row 17: summary_id: found 'a:1', sentence 0 a second time"),
        ("a:1,0,maybe", "row 17: annotation: found 'maybe', allowed: Faithful, Unclear, Unfaithful."),
        ("a:1,x,Faithful", "row 17: sentence_index: found 'x'"),
    ],
)
def test_annotations_that_do_not_fit(tmp_path: Path, lines: str, message: str) -> None:
    """File and row are named, whether claims need the labels or not."""
    (tmp_path / "marks.csv").write_text(annotations_csv(SIX, f"{lines}\n"))
    for averaging in (MARKS, f"{MARKS}, claims: {{writer: gpt}}"):
        assert mistake(tmp_path, averaging).startswith(f"{PLACE}: annotations: marks.csv: {message}")


def test_annotations_of_other_sentences(tmp_path: Path) -> None:
    """Where the file holds the sentences, one that was split otherwise is named: indices alone would mislead."""
    text = "summary_id,sentence_index,annotation,sentence\na:1,0,Faithful,Point 1 of a:1 is right.\n"
    (tmp_path / "marks.csv").write_text(text)
    assert mistake(tmp_path, MARKS) == (
        f"{PLACE}: annotations: marks.csv: row 1: sentence: found 'Point 1 of a:1 is right.', but the sentence "
        "that is judged is 'Point 0 of a:1 is right.'; split summaries as they were for the annotators."
    )


def test_annotations_that_might_be_about_two_datasets(tmp_path: Path) -> None:
    """Ids that two datasets have need the column that says which."""
    (tmp_path / "marks.csv").write_text(annotations_csv(SIX))
    two = "x: {layout: table, path: '{folder}/rows.jsonl'}, y: {layout: table, path: '{folder}/rows.jsonl'}"
    assert mistake(tmp_path, MARKS, datasets=two) == (
        f"{PLACE}: annotations: marks.csv: row 1: summary_id: found 'a:1', which stands in datasets x, y; column "
        "'dataset' must say which"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("summary_id,sentence_index,annotation\n", "no rows: the file is empty"),
        ("summary_id,sentence_index,annotation\na:1,0,\n", "annotation: found nothing in any row"),
        ("summary_id,sentence_index,annotation\nz:1,0,Faithful\n", "row 1: summary_id: found 'z:1' sentence 0"),
        ("summary_id,annotation\na:1,Faithful\n", "missing column 'sentence_index'"),
        ('summary_id,sentence_index,annotation\n"a:1,0,Faithful\n', "line 2: broken CSV"),
    ],
)
def test_reviews_that_do_not_fit(tmp_path: Path, text: str, message: str) -> None:
    """An empty or broken sheet, and one of another run."""
    (tmp_path / "sheet.csv").write_text(text)
    found = mistake(tmp_path, "reviews: '{folder}/sheet.csv'")
    assert found.startswith(f"{PLACE}: reviews: sheet.csv: ")
    assert message in found


@pytest.mark.parametrize(
    ("datasets", "message"),
    [
        ("mine: {layout: tabel, path: rows.jsonl}", f"dataset 'mine': layout: found 'tabel', {KNOWN}"),
        ("asqa: {path: rows.jsonl}", "datasets.asqa: dataset 'asqa': layout: found 'asqa'"),
        ("mine: {layout: table, path: gone.jsonl}", "datasets.mine: dataset 'mine': no file at 'gone.jsonl'"),
        ("mine: {layout: table, path: r, documents: d.csv}", "documents: layout 'table' has none, only tofueval"),
        ("mine: {layout: table, path: r, split: dev}", "split: layout 'table' has none, only aggrefact, frank"),
        ("mine: {layout: halueval, path: r, columns: {document: x}}", "columns: layout 'halueval' has none"),
    ],
)  # fmt: skip
def test_datasets_that_cannot_be(tmp_path: Path, datasets: str, message: str) -> None:
    """A layout that is not known, a file that is not there, and settings of other layouts."""
    found = mistake(tmp_path, datasets=datasets)
    assert found.startswith("scripted.yaml: datasets.")
    assert message in found


@pytest.mark.parametrize("field", ["documents: d.csv", "subsets: [CNN]"])
def test_settings_of_summaries_elsewhere(tmp_path: Path, field: str) -> None:
    """Other studies have no documents and subsets."""
    text = (
        f"name: n\ndatasets: {{truthfulqa: {{path: 'sample:truthfulqa', {field}}}}}\njudges: {{{GPT}}}\n"
        "grid: [{designs: [C], judges: [gpt]}]\n"
    )
    assert complaint(tmp_path, text) == (
        "scripted.yaml: datasets.truthfulqa: documents and subsets belong to averaging studies alone."
    )


def test_a_subset_that_is_not_there(tmp_path: Path) -> None:
    """Known ones are listed."""
    write_summaries(tmp_path, [row | {"subset": "CNN"} for row in SIX], "parts.jsonl")
    found = mistake(tmp_path, datasets="mine: {layout: table, path: '{folder}/parts.jsonl', subsets: [XSum]}")
    assert found == "dataset 'mine': subsets: found 'XSum', allowed: CNN."


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("grid: [{designs: [C], judges: [gpt]}]\n", "found several kinds of study"),
        ("diagnostics: {grounding: {}}\n", "found several kinds of study"),
    ],
)
def test_one_kind_of_study_a_manifest(tmp_path: Path, more: str, message: str) -> None:
    """Averaging stands alone."""
    assert message in mistake(tmp_path, more=more)


def test_a_manifest_of_another_job(tmp_path: Path) -> None:
    """The job says what it takes, and which command takes any."""
    text = f"name: n\ndatasets: {{truthfulqa: {{path: 'sample:truthfulqa'}}}}\njudges: {{{GPT}}}\n"
    assert complaint(tmp_path, f"{text}grid: [{{designs: [C], judges: [gpt]}}]\n") == (
        "scripted.yaml: found a manifest of a grid study; this job takes one with 'averaging:'. judgeray run takes "
        "any."
    )


@pytest.mark.parametrize("label", [2, "yes", 0.5])
def test_labels_that_are_not_binary(tmp_path: Path, label: object) -> None:
    """File, row and field are named."""
    write_summaries(tmp_path, [SIX[0], SIX[1] | {"label": label}], "odd.jsonl")
    found = mistake(tmp_path, datasets="mine: {layout: table, path: '{folder}/odd.jsonl'}")
    assert found == (
        f"dataset 'mine', odd.jsonl: row 2: label: found {label!r}, expected 0 or 1, true or false, faithful or "
        "unfaithful"
    )


def test_ids_that_come_twice(tmp_path: Path) -> None:
    """Two summaries of one id could not be told apart."""
    write_summaries(tmp_path, [SIX[0], SIX[0]], "twice.jsonl")
    found = mistake(tmp_path, datasets="mine: {layout: table, path: '{folder}/twice.jsonl'}")
    assert found == "dataset 'mine', twice.jsonl: summary id 'a:1' comes twice"


def test_nothing_but_single_sentences(tmp_path: Path) -> None:
    """Where everything is left out, the rule that did it is named."""
    write_summaries(tmp_path, [summary("a:1", "1", 1), summary("b:1", "0", 0)], "short.jsonl")
    found = mistake(tmp_path, datasets="mine: {layout: table, path: '{folder}/short.jsonl'}")
    assert found == "dataset 'mine': short.jsonl holds no row that can be judged (2 left out: a single sentence)."


def test_sentences_of_a_benchmark_that_has_none(tmp_path: Path) -> None:
    """A table comes without a split of its own."""
    assert mistake(tmp_path, "sentences: own").startswith(
        "dataset 'mine': sentences: found 'own', but summary 'a:1'"
    )


def test_claims_without_any_labelled_sentence(tmp_path: Path) -> None:
    """Nobody marked a sentence clearly."""
    (tmp_path / "marks.csv").write_text("summary_id,sentence_index,annotation\na:1,0,Unclear\n")
    assert mistake(tmp_path, f"{MARKS}, claims: {{writer: gpt}}") == (
        f"{PLACE}: claims: no sentence of any dataset has a human label; take a benchmark that brings them with "
        "it, or name a file of them under annotations."
    )


def test_splitters_find_the_sentences_of_the_tests() -> None:
    """What the other laws take for granted."""
    for row in SIX:
        assert " ".join(sentence.text for sentence in split_sentences(row["summary"])) == row["summary"]
        assert len(split_sentences(row["summary"])) == row["summary"].count(". ") + 1
