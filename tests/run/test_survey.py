"""What a survey finds out about a dataset is true of every later reading."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.run.survey import known, survey

questions = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)


def table(folder: str, names: str | list[str]) -> DatasetSource:
    """A table with one row for each of these questions, in order; an empty name is a row that is left out."""
    cells = {"question": "?", "reference": "r", "candidate": "c", "label": "supported"}
    path = Path(folder) / "rows.jsonl"
    path.write_text("".join(json.dumps({**cells, "question_id": name}) + "\n" for name in names), "utf-8")
    return DatasetSource("mine", "table", str(path))


@given(questions, st.none() | st.integers(1, 4))
@example(list("aba"), 1)
@example(["a", "", "a"], None)
def test_a_known_source_gives_the_same_rows(names: list[str], limit: int | None) -> None:
    """Rows and their ids are the same with and without what the survey knows, whatever stands between them."""
    with TemporaryDirectory() as folder:
        source = DatasetSource("mine", "table", table(folder, names).path, limit)
        (again,) = known([source], survey([source]))
        assert again.ids_checked
        assert list(load(again)) == list(load(source))


@given(questions)
def test_questions_stand_together_or_not(names: list[str]) -> None:
    """Questions stand together exactly where none comes back after another."""
    with TemporaryDirectory() as folder:
        facts = survey([table(folder, names)])["mine"]
    back = any(name in names[: place - 1] and names[place - 1] != name for place, name in enumerate(names) if place)
    assert facts.questions_together == (not back)


def test_the_survey_itself_checks_ids(tmp_path: Path) -> None:
    """An id that comes twice is refused by the survey, before anything relies on it."""
    source = table(str(tmp_path), "ab")
    lines = [{**json.loads(line), "row_id": "x"} for line in Path(source.path).read_text("utf-8").splitlines()]
    Path(source.path).write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with pytest.raises(BadInputError, match="row id 'x' comes twice"):
        survey([source])
