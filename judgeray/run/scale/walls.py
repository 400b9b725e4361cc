"""Where a larger run of the same mix would stop fitting: what gives way first, and at how many rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from judgeray.engine.batches.counter import WINDOW_HOURS
from judgeray.run.scale.accounts import scaled_accounts
from judgeray.run.scale.driver import DriverLoad, driver_load
from judgeray.run.scale.mix import Mix

DAY_HOURS = 24.0
DISK_BYTES = 10.0**12
MEMORY_BYTES = 16.0 * 2**30
MOST_FILES = 1_000_000
MONTH_ROUNDS = 30.0
MOST_ROWS = 10**13
"""Beyond this many rows no wall is looked for."""


@dataclass(frozen=True)
class Wall:
    """From `rows` on, `what` holds."""

    rows: int
    what: str


def walls(mix: Mix) -> list[Wall]:
    """All walls of a mix, the nearest first."""
    found = [Wall(rows, what) for what, reached in _conditions(mix) if (rows := _first(reached)) is not None]
    return sorted(found, key=lambda wall: wall.rows)


def _conditions(mix: Mix) -> Iterator[tuple[str, Callable[[int], bool]]]:
    """What may be reached, each with whether it is at so many rows; once reached, it stays so."""

    def over(measure: Callable[[DriverLoad], float], most: float) -> Callable[[int], bool]:
        return lambda rows: measure(driver_load(mix, rows)) >= most

    yield (
        "lookups in the ledger, which search each of its files, take a day",
        over(lambda load: load.lookup_hours, DAY_HOURS),
    )
    yield "a rerun with nothing to do takes a day", over(lambda load: load.rerun_hours, DAY_HOURS)
    yield "the driver, one core, works longer than the limits ask for", lambda rows: _driver_is_slower(mix, rows)
    yield "the run holds a terabyte", over(lambda load: load.stored_bytes, DISK_BYTES)
    yield "the driver needs 16 GiB of memory", over(lambda load: load.memory_bytes, MEMORY_BYTES)
    yield "the run has a million files", over(lambda load: load.files, MOST_FILES)
    if any(account.mode != "realtime" for account in mix.accounts.values()):
        days = f"rounds of batches, {WINDOW_HOURS:.0f} h each at most, may take a month"
        yield days, over(lambda load: load.rounds, MONTH_ROUNDS)


def _driver_is_slower(mix: Mix, rows: int) -> bool:
    slowest = max(account.realtime.hours for account in scaled_accounts(mix, rows).values())
    return driver_load(mix, rows).hours >= max(slowest, 1.0)


def _first(reached: Callable[[int], bool]) -> int | None:
    """The least number of rows at which a wall stands, to three digits; None where there is none in sight."""
    high = 1
    while not reached(high):
        high *= 2
        if high > MOST_ROWS:
            return None
    low = high // 2
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
