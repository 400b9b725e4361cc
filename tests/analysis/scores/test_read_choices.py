"""Reading choices: three formats give the same, and every defect is named."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from judgeray.analysis.scores import read_choices
from judgeray.core.errors import BadInputError

HEADER = "question_id,level,evaluator,choice"
GOOD = f"{HEADER}\nq,1,ann,ai\nq,1,bob,both_good"


def test_formats_say_the_same(tmp_path: Path) -> None:
    """CSV, JSON Lines and Parquet, in any order; further columns are left unread."""
    frame = pl.DataFrame(
        {"question_id": ["q", "q"], "level": [1, 1], "evaluator": ["ann", "bob"], "choice": ["ai", "both_good"]}
    )
    (tmp_path / "c.csv").write_text(GOOD, "utf-8")
    lines = [json.dumps(row | {"note": "!"}) for row in frame.reverse().to_dicts()]
    (tmp_path / "c.jsonl").write_text("\n".join(lines), "utf-8")
    frame.write_parquet(tmp_path / "c.parquet")
    for name in ("c.csv", "c.jsonl", "c.parquet"):
        assert_frame_equal(read_choices(tmp_path / name), frame)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (HEADER, "no rows: the file is empty"),
        ("question_id,level,choice\nq,1,ai", "missing column 'evaluator'; columns found: choice, level, quest"),
        (f"{GOOD}\nq,2,ann,AI", "row 3: choice: found 'AI', allowed: ai, both_bad, both_good, expert."),
        (f"{GOOD}\nq,2,ann,both_godo", "Did you mean 'both_good'?"),
        (f"{GOOD}\nq,2,ann,", "row 3: choice: found nothing, allowed: a value in every row"),
        (f"{GOOD}\nq,,ann,ai", "row 3: level: found nothing, allowed: a whole number from 0"),
        (f"{GOOD}\nq,1.5,ann,ai", "row 3: level: found '1.5', expected a whole number"),
        (f"{GOOD}\n,2,ann,ai", "row 3: question_id: found nothing, allowed: a value in every row"),
        (f"{GOOD}\nq,1,ann,expert", "one choice stands twice: question_id 'q', level 1, evaluator 'ann'"),
        (f"{GOOD}\nq,2,eve,ai", "evaluator: found 3 ('ann', 'bob', 'eve'), allowed: two evaluators"),
        (f"{HEADER}\nq,1,ann,ai", "evaluator: found 1 ('ann'), allowed: two evaluators"),
    ],
)  # fmt: skip
def test_a_broken_file_is_explained(tmp_path: Path, text: str, message: str) -> None:
    """The message names the file and what is wrong there."""
    path = tmp_path / "choices.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(BadInputError) as error:
        read_choices(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere is the user's to mend."""
    with pytest.raises(BadInputError, match=r"nothing\.csv: cannot be read"):
        read_choices(tmp_path / "nothing.csv")
