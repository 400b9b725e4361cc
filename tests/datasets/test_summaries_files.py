"""On the real files, the loaders give what the benchmarks state of themselves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from judgeray.datasets.summaries_annotations import own_annotations
from judgeray.datasets.summaries_registry import load_summaries
from judgeray.datasets.summaries_split import split_summary
from judgeray.datasets.summary_source import SummarySource
from judgeray.rows import Skip
from judgeray.summaries import Summary

FILES = {
    "cliff": ("aggrefact", "aggrefact/CLIFF_error_types.csv"),
    "goyal21": ("aggrefact", "aggrefact/Goyal21_error_types.csv"),
    "halueval": ("halueval", "halueval/dataset_halueval_summarization.first500.jsonl"),
    "qags_cnndm": ("qags", "qags/mturk_cnndm.jsonl"),
    "qags_xsum": ("qags", "qags/mturk_xsum.jsonl"),
    "tofueval": ("tofueval", "tofueval/*_dev.csv"),
}


def items(folder: Path, name: str) -> list[Summary | Skip]:
    """Load a real file."""
    layout, path = FILES[name]
    return list(load_summaries(SummarySource(name, layout, str(folder / path))))


@pytest.mark.parametrize(
    ("name", "documents", "labels"),
    [
        ("cliff", 300, {1: 374, 0: 226}),
        ("goyal21", 141, {1: 38, 0: 112}),
        ("halueval", 500, {1: 500, 0: 500}),
        ("qags_cnndm", 235, {1: 113, 0: 122}),
        ("qags_xsum", 239, {1: 116, 0: 123}),
    ],
)
def test_labels_and_documents(data_folder: Path, name: str, documents: int, labels: dict[int, int]) -> None:
    """Nothing is skipped, and counts of labels and documents are those of the files."""
    loaded = items(data_folder, name)
    summaries = [item for item in loaded if isinstance(item, Summary)]
    assert len(summaries) == len(loaded)
    assert Counter(summary.label for summary in summaries) == labels
    assert len({summary.document_id for summary in summaries}) == documents


def test_tofueval_lacks_its_documents(data_folder: Path) -> None:
    """All summaries of the two development files are skipped for want of a document."""
    assert Counter(item.reason for item in items(data_folder, "tofueval") if isinstance(item, Skip)) == {
        "no document": 1243
    }


def test_tofueval_with_documents(data_folder: Path, tmp_path: Path) -> None:
    """With made-up documents all summaries load, and their sentences are all the rows of the files."""
    skips = items(data_folder, "tofueval")
    path = tmp_path / "documents.csv"
    ids = sorted({item.question_id for item in skips if isinstance(item, Skip)})
    path.write_text("doc_id,source\n" + "".join(f'"{name}",Words.\n' for name in ids), "utf-8")
    source = SummarySource("t", "tofueval", str(data_folder / FILES["tofueval"][1]), documents=str(path))
    summaries = [item for item in load_summaries(source) if isinstance(item, Summary)]
    assert (len(summaries), sum(len(summary.own_sentences) for summary in summaries)) == (1243, 3437)
    assert Counter(label.verdict for summary in summaries for label in own_annotations(summary)) == {
        "faithful": 2793,
        "unfaithful": 644,
    }


def test_xsum_summaries_are_single_sentences(data_folder: Path) -> None:
    """XSum's summaries are one sentence long, CNN/DM's mostly are not (study 3, section 4)."""
    summaries = [item for item in items(data_folder, "cliff") if isinstance(item, Summary)]
    several = Counter(summary.subset for summary in summaries if len(split_summary(summary, "pysbd").sentences) > 1)
    assert several["CLIFF-cnndm"] > 280
    assert several["CLIFF-xsum"] < 5


@pytest.mark.parametrize("name", [name for name in FILES if name != "tofueval"])
def test_no_word_of_a_real_summary_is_lost(data_folder: Path, name: str) -> None:
    """The sentences of every summary hold all of its characters but blanks."""
    for item in items(data_folder, name):
        assert isinstance(item, Summary)
        words = "".join("".join(sentence.text.split()) for sentence in split_summary(item, "pysbd").sentences)
        assert words == "".join(item.summary.split())
