"""Summaries are loaded from tables and benchmark layouts; what is missing is skipped, odd things are named."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from judgeray.core.errors import BadInputError
from judgeray.datasets.summaries_registry import SUMMARY_LAYOUTS, load_summaries
from judgeray.datasets.summary_source import SummarySource
from judgeray.datasets.table import digest
from judgeray.rows import Skip
from judgeray.summaries import Summary

Records = list[dict[str, Any]]


def write_csv(path: Path, records: Records) -> None:
    """Write records as CSV, None as an empty cell."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(records[0]))
        writer.writeheader()
        writer.writerows(records)


def write_json(path: Path, records: Records) -> None:
    """Write records as a JSON list."""
    path.write_text(json.dumps(records), "utf-8")


def write_lines(path: Path, records: Records) -> None:
    """Write records as JSON Lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def write_parquet(path: Path, records: Records) -> None:
    """Write records as Parquet."""
    parquet.write_table(pa.Table.from_pylist(records), path)


WRITERS: dict[str, Callable[[Path, Records], None]] = {
    "s.csv": write_csv,
    "s.json": write_json,
    "s.jsonl": write_lines,
    "s.parquet": write_parquet,
}


def loaded(path: Path, layout: str = "table", **more: Any) -> list[Any]:
    """Load all summaries of a file."""
    return list(load_summaries(SummarySource("data", layout, str(path), **more)))


def written(folder: Path, records: Any) -> Path:
    """Write records as JSON Lines into a folder."""
    path = folder / "s.jsonl"
    write_lines(path, records)
    return path


@pytest.mark.parametrize("name", WRITERS)
def test_a_table_in_every_format(tmp_path: Path, name: str) -> None:
    """Texts come verbatim; ids default to a digest of the document and a count."""
    records = [
        {"document": "D  one.", "summary": " S one. ", "label": 1},
        {"document": "D  one.", "summary": "S two.", "label": 0},
    ]
    WRITERS[name](tmp_path / name, records)
    document_id = digest("D  one.")
    assert loaded(tmp_path / name) == [
        Summary("data", "", document_id, document_id, "D  one.", " S one. ", 1),
        Summary("data", "", f"{document_id}:2", document_id, "D  one.", "S two.", 0),
    ]


def test_columns_are_mapped(tmp_path: Path) -> None:
    """Fields under other names are found, ids and subsets among them; whole numbers are ids."""
    record = {"src": "D.", "hyp": "S.", "ok": "unfaithful", "n": 7, "who": "BART", "part": "xsum"}
    columns = {
        "document": "src",
        "summary": "hyp",
        "label": "ok",
        "document_id": "n",
        "variant": "who",
        "subset": "part",
    }
    assert loaded(written(tmp_path, [record]), columns=columns) == [
        Summary("data", "xsum", "xsum:7:BART", "7", "D.", "S.", 0)
    ]
    own = {"document": "D.", "summary": "S.", "summary_id": "mine", "label": 1}
    assert loaded(written(tmp_path, [own]))[0].summary_id == "mine"


@pytest.mark.parametrize(
    ("value", "label"),
    [(1, 1), (0, 0), (1.0, 1), (0.0, 0), (True, 1), (False, 0), ("1", 1), ("0", 0), ("1.0", 1), ("TRUE", 1),
     ("false", 0), (" Faithful ", 1), ("unfaithful", 0)],
)  # fmt: skip
def test_labels_have_several_spellings(tmp_path: Path, value: object, label: int) -> None:
    """0 and 1, true and false, faithful and unfaithful, as numbers, booleans or text."""
    (summary,) = loaded(written(tmp_path, [{"document": "D.", "summary": "S.", "label": value}]))
    assert summary.label == label


@pytest.mark.parametrize("value", ["yes", "2", 2, 0.5, -1, "half", [1]])
def test_other_labels_are_named(tmp_path: Path, value: object) -> None:
    """What is no label is one message with file, row, column, value found and values allowed."""
    path = written(tmp_path, [{"document": "D.", "summary": "S.", "label": value}])
    with pytest.raises(BadInputError) as caught:
        loaded(path)
    assert str(caught.value) == (
        f"dataset 'data', {path}: row 1: label: found {value!r}, expected 0 or 1, true or false, faithful or "
        "unfaithful"
    )


def test_incomplete_records_are_skipped_with_their_reason(tmp_path: Path) -> None:
    """Each lacks one thing and says which; the document's id is named where it is known."""
    records = [
        {"document": " ", "summary": "S.", "label": 1, "document_id": None},
        {"document": "D.", "summary": None, "label": 1, "document_id": "d2"},
        {"document": "D.", "summary": "S.", "label": "", "document_id": "d3"},
        {"document": "D.", "summary": "S.", "document_id": "d4"},
        {"document": "D.", "summary": "S.", "label": 0, "document_id": "d5"},
    ]
    assert loaded(written(tmp_path, records))[:4] == [
        Skip("data", "row 1", "no document"),
        Skip("data", "d2", "no summary"),
        Skip("data", "d3", "no label"),
        Skip("data", "d4", "no label"),
    ]


def test_a_table_without_labels_has_none(tmp_path: Path) -> None:
    """Without a label column, summaries are there and their label is not known."""
    (summary,) = loaded(written(tmp_path, [{"document": "D.", "summary": "S."}]))
    assert summary.label is None


@pytest.mark.parametrize(
    ("records", "more", "message"),
    [
        ([{"document": "D."}], {}, "not of layout 'table': found document; missing summary"),
        ([{"document": "D.", "summary": "S."}], {"columns": {"label": "ok"}}, "missing ok"),
        (
            [{"document": "D.", "summary": "S."}],
            {"columns": {"lable": "x"}},
            r"columns: found 'lable', .*'label'\?",
        ),
        ([{"document": 5, "summary": "S."}], {}, "row 1: document: found 5, expected text"),
        ([{"document": "D.", "summary": "S.", "document_id": 1.5}], {}, "document_id: found 1.5, expected text"),
        (["text"], {}, "not of layout 'table'"),
        ([{"document": "D.", "summary": "S."}], {"subsets": ("cnn",)}, "subsets: found 'cnn', allowed: "),
        ([{"document": "D.", "summary": "S."}], {"questions": 0}, "questions: found 0, allowed: 1 or more"),
        ([{"document": "D.", "summary": "S."}], {"split": "val"}, "split: layout 'table' has none, only aggrefact"),
        ([{"document": "D.", "summary": "S."}], {"documents": "d.csv"}, "documents: layout 'table' has none"),
        ([{"document": "D.", "summary": "S."}], {"layout": "tabel"}, "layout: found 'tabel', .* 'table'"),
        ([{"document": "D.", "summary": "S.", "summary_id": "a"}] * 2, {}, "summary id 'a' comes twice"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, records: Any, more: dict[str, Any], message: str) -> None:
    """A wrong source, file or cell is one clear message."""
    with pytest.raises(BadInputError, match=message):
        loaded(written(tmp_path, records), **{"layout": "table", **more})


def test_the_first_documents_are_kept_whole(tmp_path: Path) -> None:
    """A limit counts documents that have a summary; summaries that stand apart come along."""
    rows = [("a", "1"), ("b", None), ("c", "2"), ("a", "3"), ("d", "4"), ("c", "5")]
    records = [{"document": f"{name}.", "summary": text, "document_id": name} for name, text in rows]
    found = loaded(written(tmp_path, records), questions=2)
    assert [item.summary for item in found if isinstance(item, Summary)] == ["1", "2", "3", "5"]
    assert [item for item in found if isinstance(item, Skip)] == [Skip("data", "b", "no summary")]


def test_subsets_are_kept_alone(tmp_path: Path) -> None:
    """Only the subsets named are loaded, and skips of others are not shown."""
    records = [
        {"dataset": name, "doc": "D.", "claim": claim, "label": 1}
        for name, claim in (("AggreFact-CNN", "A."), ("Wice", ""), ("Wice", "B."), ("RAGTruth", "C."))
    ]
    path = written(tmp_path, records)
    found = loaded(path, "llm_aggrefact", subsets=("AggreFact-CNN", "RAGTruth"))
    assert [(item.subset, item.summary) for item in found] == [("AggreFact-CNN", "A."), ("RAGTruth", "C.")]
    assert found[0].summary_id == f"AggreFact-CNN:{digest('D.')}"
    assert len(loaded(path, "llm_aggrefact")) == 4


def test_aggrefact_with_labels(tmp_path: Path) -> None:
    """The unified table: subset from dataset and origin, variant from the summarizer, one cut if one is named."""
    base = {"origin": "cnndm", "id": 5, "doc": "D.", "DAE_score": 0.5}
    records = [
        base | {"dataset": "CLIFF", "summary": "A.", "model_name": "BART", "label": 1, "cut": "val"},
        base | {"dataset": "CLIFF", "summary": "B.", "model_name": "BART", "label": 0, "cut": "test"},
        base | {"dataset": "FRANK", "summary": "C.", "model_name": "BART", "label": 0, "cut": "test"},
    ]
    path = tmp_path / "aggre_fact_final.csv"
    write_csv(path, records)
    assert [(item.summary_id, item.label) for item in loaded(path, "aggrefact")] == [
        ("CLIFF-cnndm:5:BART", 1), ("CLIFF-cnndm:5:BART:2", 0), ("FRANK-cnndm:5:BART", 0)]  # fmt: skip
    assert [item.summary for item in loaded(path, "aggrefact", split="test")] == ["B.", "C."]
    assert {item.document_id for item in loaded(path, "aggrefact")} == {"5"}
    with pytest.raises(BadInputError, match=r"split: found 'dev', allowed: test, val"):
        loaded(path, "aggrefact", split="dev")


@pytest.mark.parametrize(("kind", "label"), [("correct", 1), ("", 1), (None, 1), ("['extrinsic-NP']", 0)])
def test_aggrefact_with_error_types(tmp_path: Path, kind: str | None, label: int) -> None:
    """Without labels, a summary is faithful where its error type is `correct` or empty."""
    record = {"dataset": "CLIFF", "origin": "xsum", "id": "a", "doc": "D.", "summ": "S.", "error_type": kind}
    path = tmp_path / "s.csv"
    write_csv(path, [record])
    (summary,) = loaded(path, "aggrefact")
    assert (summary.label, summary.summary_id) == (label, "CLIFF-xsum:a")


def test_diversumm(tmp_path: Path) -> None:
    """Origin, id, document, summary, summarizer and label, as its file has them."""
    record = {"origin": "arXiv", "id": "p1", "doc": "D.", "summary": "S.", "model_name": "bart", "label": 0}
    path = tmp_path / "DiverSumm.csv"
    write_csv(path, [record])
    assert loaded(path, "diversumm") == [Summary("data", "arXiv", "arXiv:p1:bart", "p1", "D.", "S.", 0)]


def test_halueval_gives_two_summaries_a_record(tmp_path: Path) -> None:
    """The right one has label 1, the hallucinated one 0; a missing one is skipped alone."""
    records = [
        {"document": "D.", "right_summary": "R.", "hallucinated_summary": "H."},
        {"document": "E.", "right_summary": "R.", "hallucinated_summary": ""},
    ]
    found = loaded(written(tmp_path, records), "halueval")
    name = digest("D.")
    assert found[:2] == [
        Summary("data", "", f"{name}:right", name, "D.", "R.", 1),
        Summary("data", "", f"{name}:hallucinated", name, "D.", "H.", 0),
    ]
    assert found[3] == Skip("data", digest("E."), "no summary")


def _votes(text: str, *votes: str) -> dict[str, Any]:
    return {"sentence": text, "responses": [{"worker_id": n, "response": vote} for n, vote in enumerate(votes)]}


def test_qags_counts_votes(tmp_path: Path) -> None:
    """A sentence is what most say; a summary is faithful where all its sentences are; even votes are unknown."""
    records = [
        {
            "article": "D.",
            "summary_sentences": [_votes(" A. ", "yes", "yes", "no"), _votes("B.", "yes", "yes", "yes")],
        },
        {
            "article": "E.",
            "summary_sentences": [_votes("A.", "yes", "yes", "yes"), _votes("B.", "no", "no", "yes")],
        },
        {"article": "F.", "summary_sentences": [_votes("A.", "yes", "no")]},
        {"article": "G.", "summary_sentences": []},
    ]
    found = loaded(written(tmp_path, records), "qags")
    assert [(item.summary, item.label, item.own_verdicts) for item in found[:2]] == [
        ("A. B.", 1, ("faithful", "faithful")),
        ("A. B.", 0, ("faithful", "unfaithful")),
    ]
    assert found[0].own_sentences == ("A.", "B.")
    assert found[2:] == [Skip("data", digest("F."), "no label"), Skip("data", digest("G."), "no summary")]


@pytest.mark.parametrize(
    "sentences",
    ["text", ["text"], [{"sentence": 5, "responses": []}], [_votes("A.", "maybe")], [{"sentence": "A."}]],
)
def test_odd_votes_are_named(tmp_path: Path, sentences: object) -> None:
    """What is no list of sentences with votes is one message that names the row."""
    path = written(tmp_path, [{"article": "D.", "summary_sentences": sentences}])
    with pytest.raises(BadInputError, match=r"row 1: summary_sentences: found .*, expected "):
        loaded(path, "qags")


def _frank(*annotations: dict[str, list[str]], **more: Any) -> dict[str, Any]:
    sentences = [f"S{n}." for n in range(len(annotations))]
    return {
        "hash": "h1", "model_name": "PtGen", "article": "D.", "summary": " ".join(sentences), "split": "test",
        "summary_sentences": sentences, "summary_sentences_annotations": list(annotations), **more,
    }  # fmt: skip


def test_frank_counts_annotators(tmp_path: Path) -> None:
    """A sentence is faithful where most annotators name no error; the summary where all are."""
    right = {"annotator_0": ["NoE"], "annotator_1": ["NoE"], "annotator_2": ["EntE"]}
    wrong = {"annotator_0": ["OutE"], "annotator_1": ["CircE", "EntE"], "annotator_2": ["NoE"]}
    path = written(tmp_path, [_frank(right, right), _frank(right, wrong, model_name="BERTS2S", split="validation")])
    first, second = loaded(path, "frank")
    assert (first.label, first.own_verdicts, first.summary_id) == (1, ("faithful", "faithful"), "h1:PtGen")
    assert (second.label, second.own_verdicts, second.document_id) == (0, ("faithful", "unfaithful"), "h1")
    assert [item.summary_id for item in loaded(path, "frank", split="validation")] == ["h1:BERTS2S"]
    with pytest.raises(BadInputError, match="expected 1 annotations, one for each sentence"):
        loaded(written(tmp_path, [_frank(right) | {"summary_sentences_annotations": []}]), "frank")


TOFU = [
    {"doc_id": "d1", "topic": "t", "model_name": "m", "sent_idx": "2", "summ_sent": "B.", "sent_label": "no"},
    {"doc_id": "d1", "topic": "t", "model_name": "m", "sent_idx": "1", "summ_sent": "A.", "sent_label": "yes"},
    {"doc_id": "d2", "topic": "t", "model_name": "m", "sent_idx": "1", "summ_sent": "C.", "sent_label": "yes"},
]


def _json_object(path: Path) -> None:
    path.write_text(json.dumps({"d1": "Dialogue.", "d9": " "}), "utf-8")


def _json_lines(path: Path) -> None:
    write_lines(path, [{"doc_id": "d1", "document": "Dialogue."}, {"doc_id": "d9", "document": ""}])


def _meetings(path: Path) -> None:
    write_csv(path, [{"meeting_id": "d1", "source": "Dialogue."}])


@pytest.mark.parametrize(
    ("name", "write"), [("d.json", _json_object), ("d.jsonl", _json_lines), ("d.csv", _meetings)]
)
def test_tofueval_takes_documents_from_a_file(tmp_path: Path, name: str, write: Callable[[Path], None]) -> None:
    """Sentences are put in order; the document is looked up; without one a summary is skipped."""
    write_csv(tmp_path / "t.csv", TOFU)
    write(tmp_path / name)
    summary, skip = loaded(tmp_path / "t.csv", "tofueval", documents=str(tmp_path / name))
    assert (summary.summary_id, summary.summary, summary.label) == ("d1:t:m", "A. B.", None)
    assert (summary.document, summary.own_verdicts) == ("Dialogue.", ("faithful", "unfaithful"))
    assert skip == Skip("data", "d2", "no document")


def test_tofueval_without_documents_is_all_skips(tmp_path: Path) -> None:
    """The benchmark holds no documents: every summary says so."""
    write_csv(tmp_path / "t.csv", TOFU)
    assert {item.reason for item in loaded(tmp_path / "t.csv", "tofueval")} == {"no document"}


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"doc_id": "d", "document": "A."}, {"doc_id": "d", "document": "B."}], "document 'd' comes twice"),
        ([{"name": "d", "document": "A."}], "missing doc_id or document_id or meeting_id or id"),
    ],
)
def test_odd_documents_are_named(tmp_path: Path, records: Records, message: str) -> None:
    """A file of documents with contradicting texts or without ids is refused."""
    write_csv(tmp_path / "t.csv", TOFU)
    write_lines(tmp_path / "d.jsonl", records)
    with pytest.raises(BadInputError, match=message):
        loaded(tmp_path / "t.csv", "tofueval", documents=str(tmp_path / "d.jsonl"))


@pytest.mark.parametrize("layout", sorted(set(SUMMARY_LAYOUTS) - {"table"}))
def test_another_layout_is_told(tmp_path: Path, layout: str) -> None:
    """A file of another benchmark is refused with what it lacks."""
    with pytest.raises(BadInputError, match=f"not of layout '{layout}': found question; missing "):
        loaded(written(tmp_path, [{"question": "Q?"}]), layout)


def test_a_file_that_is_not_there_is_named_at_once(tmp_path: Path) -> None:
    """Nothing is read lazily before the path is known to exist."""
    with pytest.raises(BadInputError, match="no file at"):
        load_summaries(SummarySource("data", "table", str(tmp_path / "none.csv")))
