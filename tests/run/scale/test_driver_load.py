"""Laws of the driver's load and of the walls ahead of a mix."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.engine.ledger import PART_REPLIES
from judgeray.engine.rounds import WINDOW_CALLS
from judgeray.providers.account import Account
from judgeray.run.scale.driver import DriverLoad, driver_load
from judgeray.run.scale.measured import DRIVER_BASE_BYTES
from judgeray.run.scale.mix import Mix
from judgeray.run.scale.walls import Wall, walls
from judgeray.studies.slices import SLICE_ROWS
from tests.run.scale.mixes import arm, mix, mixes

ROWS = st.integers(1, 10**9)


@given(mixes(), ROWS, ROWS)
def test_more_rows_are_never_less_load(made: Mix, rows: int, further: int) -> None:
    """Every figure of the driver is monotone in rows."""
    few, many = driver_load(made, rows), driver_load(made, rows + further)
    for name in DriverLoad.__dataclass_fields__:
        assert getattr(many, name) >= getattr(few, name), name
    assert many.hours >= few.hours
    assert many.stored_bytes >= few.stored_bytes


def test_kept_bytes_double_and_those_of_a_round_do_not() -> None:
    """Ledger and records grow with rows; journal and spool hold a round, however many there are."""
    once, twice = driver_load(mix(arm()), 10 * WINDOW_CALLS), driver_load(mix(arm()), 20 * WINDOW_CALLS)
    assert twice.ledger_bytes == pytest.approx(2 * once.ledger_bytes)
    assert twice.record_bytes == pytest.approx(2 * once.record_bytes)
    assert (twice.journal_bytes, twice.spool_bytes) == (once.journal_bytes, once.spool_bytes)


def test_lookups_grow_with_the_square() -> None:
    """Each lookup searches a whole ledger."""
    once, twice = driver_load(mix(arm()), 100 * WINDOW_CALLS), driver_load(mix(arm()), 200 * WINDOW_CALLS)
    assert twice.lookup_hours == pytest.approx(4 * once.lookup_hours)
    halves = driver_load(mix(arm(calls=0.5, model="a"), arm(calls=0.5, model="b")), 100 * WINDOW_CALLS)
    assert halves.lookup_hours == pytest.approx(once.lookup_hours / 2)


def test_files_are_parts_of_ledger_and_records() -> None:
    """One file for so many replies of a model, and one for so many records of an arm."""
    rows = 10 * PART_REPLIES
    assert driver_load(mix(arm()), rows).files == 10 + rows // SLICE_ROWS
    assert driver_load(mix(arm(), arm(model="b")), 1).files == 2 + 2


def test_memory_is_that_of_a_round_until_the_analysis_needs_more() -> None:
    """A round's memory has a ceiling; the analysis reads all records at once and has none."""
    small, large = driver_load(mix(arm()), 10), driver_load(mix(arm()), 10**9)
    assert small.memory_bytes == pytest.approx(DRIVER_BASE_BYTES, rel=0.01)
    assert large.memory_bytes > 100 * 10**9


@given(mixes())
def test_walls_stand_in_order_and_where_they_say(made: Mix) -> None:
    """The nearest wall comes first, and more calls a row never push it away."""
    ahead = walls(made)
    assert ahead == sorted(ahead, key=lambda wall: wall.rows)
    assert ahead
    lookups = next(wall.rows for wall in ahead if "lookups" in wall.what)
    assert driver_load(made, lookups).lookup_hours >= 24
    assert driver_load(made, int(lookups * 0.99)).lookup_hours < 24.1


def test_denser_mix_meets_its_walls_earlier() -> None:
    """Twice the calls a row bring the square's wall nearer by half, and name the same things."""
    thin, dense = walls(mix(arm())), walls(mix(arm(calls=2.0)))
    assert {wall.what for wall in thin} == {wall.what for wall in dense}
    assert find(dense, "lookups").rows == pytest.approx(find(thin, "lookups").rows / 2, rel=0.01)


def test_batch_wall_stands_only_where_batches_are_used() -> None:
    """Rounds of up to a day each matter to accounts in batch mode alone."""
    assert not any("batches" in wall.what for wall in walls(mix(arm())))
    batched = walls(mix(arm(), openai=Account("openai", "openai", mode="batch")))
    assert find(batched, "batches").rows == pytest.approx(29 * WINDOW_CALLS, rel=0.01)


def find(ahead: list[Wall], words: str) -> Wall:
    """The wall that is described by these words."""
    return next(wall for wall in ahead if words in wall.what)
