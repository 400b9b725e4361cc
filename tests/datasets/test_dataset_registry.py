"""Loading checks its source, limits by question and lets no row id come twice."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import pytest

from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row, Skip


def qampari(path: Path, *answer_counts: int) -> str:
    """Write a QAMPARI list in which question n has the n-th number of answers."""
    records = [
        {"id": f"q{n}", "question": "Q", "answers": [[f"A{i}"] for i in range(count)]}
        for n, count in enumerate(answer_counts)
    ]
    path.write_text(json.dumps(records), "utf-8")
    return str(path)


def test_limit_counts_accepted_questions(tmp_path: Path) -> None:
    """`questions` counts accepted questions in file order; the skips among them are shown, later ones not."""
    path = qampari(tmp_path / "q.json", 1, 5, 0, 5, 1, 5)
    items = list(load(DatasetSource("data", "qampari", path, questions=2)))
    shown = [(type(item), item.question_id) for item in items]
    assert shown == [(Skip, "q0"), (Row, "q1"), (Row, "q1"), (Skip, "q2"), (Row, "q3"), (Row, "q3")]


def test_limit_beyond_the_file(tmp_path: Path) -> None:
    """A limit greater than the file gives what is there."""
    path = qampari(tmp_path / "q.json", 5, 5)
    assert len(list(load(DatasetSource("data", "qampari", path, questions=9)))) == 4


def test_limit_keeps_scattered_rows(tmp_path: Path) -> None:
    """Rows of a chosen question are kept wherever they stand in a table."""
    path = tmp_path / "t.jsonl"
    base = {"question": "Q", "reference": "R", "candidate": "C", "label": "supported"}
    path.write_text("".join(json.dumps({**base, "question_id": q}) + "\n" for q in "abacb"), "utf-8")
    items = list(load(DatasetSource("data", "table", str(path), questions=1)))
    assert [item.row_id for item in items if isinstance(item, Row)] == ["data:a:1", "data:a:2"]


def test_duplicate_row_id(tmp_path: Path) -> None:
    """A row id that comes twice stops the load and is named, with the file."""
    path = tmp_path / "q.json"
    record = {"id": "same", "question": "Q", "answers": [["A"], ["B"]]}
    path.write_text(json.dumps([record, record]), "utf-8")
    with pytest.raises(BadInputError, match=r"dataset 'data', .*q\.json: row id 'data:same:full' comes twice"):
        list(load(DatasetSource("data", "qampari", str(path))))


def test_dataset_name_stands_in_rows(tmp_path: Path) -> None:
    """The name given to the dataset, not the layout, stands in rows and row ids."""
    item = next(load(DatasetSource("mine", "qampari", qampari(tmp_path / "q.json", 5))))
    assert isinstance(item, Row)
    assert (item.dataset, item.row_id) == ("mine", "mine:q0:full")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layout": "truthfullqa"}, "layout: found 'truthfullqa', allowed: asqa, .*Did you mean 'truthfulqa'"),
        ({"questions": 0}, "questions: found 0, allowed: 1 or more"),
        ({"split": "dev"}, "split: layout 'qampari' has no splits"),
        ({"columns": {"question": "q"}}, "columns: only layout 'table' has columns"),
        ({"path": "nothing.json"}, "no file at 'nothing.json'"),
    ],
)
def test_wrong_source(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    """A wrong source is refused when load is called, before any row is asked for."""
    fields = {"name": "data", "layout": "qampari", "path": qampari(tmp_path / "q.json", 5), **changes}
    with pytest.raises(BadInputError, match=f"dataset 'data': {message}"):
        load(DatasetSource(**fields))


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that vanishes between check and reading gives one message, not a traceback."""
    path = Path(qampari(tmp_path / "q.json", 5))
    items = load(DatasetSource("data", "qampari", str(path)))
    path.unlink()
    with pytest.raises(BadInputError, match=r"dataset 'data': .*q\.json'"):
        next(items)


def test_abandoned_load_leaves_nothing_open(tmp_path: Path) -> None:
    """A load that is given up after one row closes its files; an open one would fail as a warning."""
    path = tmp_path / "q.jsonl"
    path.write_text("".join(f'{{"qid": {n}, "question": "Q", "answers": [["A"], ["B"]]}}\n' for n in range(999)))
    items = load(DatasetSource("data", "qampari", str(path)))
    assert next(items).question_id == "0"
    del items
    gc.collect()
