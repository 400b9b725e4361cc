"""Which question lends its reference to which: a seeded derangement of a dataset's source questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from judgeray.conditions.condition import Swap
from judgeray.core.errors import BadInputError
from judgeray.rows import Row


def swaps_of(dataset: str, rows: Iterable[Row], seed: int = 42) -> dict[str, Swap]:
    """Give each question id of `rows` another question's reference: question id -> Swap, sorted by id.

    Each question lends the reference of its first row, to exactly one other question. Ids are sorted
    lexicographically and shuffled by PCG64, so that file order matters only for which row of a question is first.
    A partner whose reference reads the same (case and runs of blanks aside) is given, and marked `same_text`, only
    where more than half of all questions share one reference, and then as seldom as can be. Memory holds the text
    of one reference per question, never all rows. Raises BadInputError for fewer than two questions.
    """
    lent: dict[str, str] = {}
    for row in rows:
        lent.setdefault(row.question_id, row.reference)
    if len(lent) < 2:
        raise BadInputError(
            f"dataset '{dataset}': swapped_reference: found {len(lent)} question{'s' * (len(lent) != 1)}, needed: "
            "at least two, since each takes the reference of another."
        )
    return {
        taker: Swap(giver, lent[giver], _reading(lent[taker]) == _reading(lent[giver]))
        for taker, giver in sorted(_pairs(lent, seed))
    }


def _pairs(lent: Mapping[str, str], seed: int) -> Iterable[tuple[str, str]]:
    """Stand questions in a ring, equal references side by side, and pair each with the one `step` places on.

    A step as long as the longest run of equal references leads out of every run; it can lead back into one only
    round the whole ring, where that run is more than half of it. With references all different the step is 1, and
    every ring is equally likely.
    """
    ids = sorted(lent)
    runs: dict[str, list[str]] = {}
    for place in np.random.Generator(np.random.PCG64(seed)).permutation(len(ids)):
        runs.setdefault(_reading(lent[ids[place]]), []).append(ids[place])
    ring = [question_id for run in runs.values() for question_id in run]
    longest = max(map(len, runs.values()))
    step = longest if longest < len(ring) else 1
    return zip(ring, ring[step:] + ring[:step], strict=True)


def _reading(text: str) -> str:
    return " ".join(text.split()).casefold()
