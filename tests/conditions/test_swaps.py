"""References are swapped in a seeded derangement of source questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.conditions.condition import Swap
from judgeray.conditions.swaps import swaps_of
from judgeray.core.errors import BadInputError
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row
from tests.conditions.changed_rows import any_text, row_of

PINNED = ["7", "8", "4", "2", "9", "6", "0", "3", "5", "1"]

references_by_id = st.dictionaries(any_text, any_text | st.sampled_from("ab"), min_size=2, max_size=12)


def rows_of(references: Mapping[str, str]) -> list[Row]:
    """Make one row per question."""
    return [row_of(reference, question_id=question_id) for question_id, reference in references.items()]


def givers(swaps: Mapping[str, Swap]) -> list[str]:
    """The ids that lend a reference."""
    return [swap.question_id for swap in swaps.values()]


def fewest_repeats(texts: Iterable[str]) -> int:
    """How many questions at least must take a text equal to their own: a majority cannot find enough others."""
    counts = Counter(texts)
    return max(0, 2 * max(counts.values()) - counts.total())


@given(references_by_id, st.integers(0, 2**32))
def test_derangement(references: dict[str, str], seed: int) -> None:
    """Every question takes and lends exactly once, never to itself, and what it takes is the lender's reference."""
    swaps = swaps_of("d", rows_of(references), seed)
    assert list(swaps) == sorted(references) == sorted(givers(swaps))
    for taker, swap in swaps.items():
        assert swap.question_id != taker
        assert swap.reference == references[swap.question_id]


@given(
    st.dictionaries(st.text(), st.sampled_from(["a", " A ", "b", "c"]), min_size=2, max_size=12), st.integers(0, 9)
)
def test_equal_texts_only_where_they_must(references: dict[str, str], seed: int) -> None:
    """A text that reads like the own one is taken as seldom as possible, and always marked."""
    swaps = swaps_of("d", rows_of(references), seed)
    reading = {question_id: text.strip().lower() for question_id, text in references.items()}
    same = {taker: reading[taker] == reading[swap.question_id] for taker, swap in swaps.items()}
    assert same == {taker: swap.same_text for taker, swap in swaps.items()}
    assert sum(same.values()) == fewest_repeats(reading.values())


@given(references_by_id, st.randoms(use_true_random=False))
def test_file_order_does_not_matter(references: dict[str, str], random: Random) -> None:
    """Rows in another order, or more rows of the same questions behind the first, give the same swaps."""
    rows = rows_of(references)
    later = [row_of("later", question_id=row.question_id) for row in rows]
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert swaps_of("d", shuffled + later) == swaps_of("d", rows)


def test_first_row_lends() -> None:
    """A question with several references lends that of its first row."""
    swaps = swaps_of(
        "d", [row_of("a1", question_id="a"), row_of("a2", question_id="a"), row_of("b", question_id="b")]
    )
    assert swaps == {"a": Swap("b", "b"), "b": Swap("a", "a1")}


def test_pinned_swaps() -> None:
    """Seed 42 pairs ten questions in this one way, so that calls bought once are found again."""
    swaps = swaps_of("d", rows_of({str(n): f"r{n}" for n in range(10)}))
    assert givers(swaps) == PINNED


def test_seeds_differ() -> None:
    """Another seed gives another pairing."""
    rows = rows_of({str(n): f"r{n}" for n in range(50)})
    assert len({tuple(givers(swaps_of("d", rows, seed))) for seed in range(20)}) == 20


def test_all_partners_are_likely() -> None:
    """Over many seeds, a question takes from every other about equally often."""
    rows = rows_of({str(n): f"r{n}" for n in range(6)})
    counts = Counter(swaps_of("d", rows, seed)["0"].question_id for seed in range(1000))
    assert counts.keys() == set("12345")
    assert max(counts.values()) - min(counts.values()) < 80


@pytest.mark.parametrize(("rows", "found"), [([], "0 questions"), ([row_of("a"), row_of("b")], "1 question,")])
def test_too_few_questions(rows: list[Row], found: str) -> None:
    """Fewer than two questions are refused: dataset, count, and what is needed."""
    with pytest.raises(BadInputError, match=f"dataset 'mine': swapped_reference: found {found}.*at least two"):
        swaps_of("mine", rows)


def test_rows_may_be_a_stream() -> None:
    """Rows are read once, one by one."""
    assert len(swaps_of("d", iter(rows_of({"a": "1", "b": "2"})))) == 2


def test_truthfulqa(data_folder: Path) -> None:
    """On TruthfulQA, where 56 best answers say "I have no comment", nobody takes a reference like the own one."""
    source = DatasetSource("t", "truthfulqa", str(data_folder / "truthfulqa/v1/TruthfulQA.csv"))
    rows = [item for item in load(source) if isinstance(item, Row)]
    assert sum(row.reference == "I have no comment" for row in rows) == 2 * 56
    swaps = swaps_of("t", rows)
    assert len(set(givers(swaps))) == len(swaps) == 817
    assert not [swap for swap in swaps.values() if swap.same_text]
    assert all(row.reference != swaps[row.question_id].reference for row in rows)
