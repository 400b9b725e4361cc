"""A large run on the screen: what it buys, how long that takes, what this side carries, and the walls ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.filesize import decimal
from rich.table import Table

from judgeray.providers.prices import BATCH_DISCOUNT
from judgeray.run.estimate import together
from judgeray.run.plan_tables import dollars
from judgeray.run.scale.accounts import Bound, ScaledAccount, scaled_accounts
from judgeray.run.scale.driver import DriverLoad, driver_load
from judgeray.run.scale.mix import Mix
from judgeray.run.scale.walls import Wall, walls


def scale_tables(mix: Mix, rows: int, simulated: bool) -> Iterator[Table]:
    """All tables of a run of so many rows."""
    accounts = scaled_accounts(mix, rows)
    yield amount_table(accounts, rows, simulated)
    yield time_table(accounts, {name: account.mode for name, account in mix.accounts.items()})
    yield load_table(driver_load(mix, rows), sum(account.core_hours for account in accounts.values()), mix)
    yield wall_table(walls(mix), rows)


def amount_table(accounts: Mapping[str, ScaledAccount], rows: int, simulated: bool) -> Table:
    """A line per provider account and a sum: calls, tokens, and dollars in each mode."""
    title = f"a run of {rows:,} rows of this mix" + (" (emulated: nothing is billed)" if simulated else "")
    table = _table(title, ("provider",), (*AMOUNTS, "realtime cost", "batch cost"))
    for name, account in accounts.items():
        amounts = (f"{getattr(account, part):,}" for part in AMOUNTS.values())
        batch = "-" if account.batch is None else dollars(account.cost, BATCH_DISCOUNT)
        table.add_row(name, *amounts, dollars(account.cost), batch)
    table.add_section()
    sums = (f"{sum(getattr(account, part) for account in accounts.values()):,}" for part in AMOUNTS.values())
    cost = together([account.cost for account in accounts.values()])
    table.add_row("all", *sums, dollars(cost), dollars(cost, BATCH_DISCOUNT), style="bold")
    return table


AMOUNTS = {"calls": "calls", "input tokens": "input_tokens", "output tokens": "output_tokens"}


def time_table(accounts: Mapping[str, ScaledAccount], modes: Mapping[str, str]) -> Table:
    """A line per provider account: how long each mode takes, what binds it, and which is set."""
    table = _table("", ("provider", "mode"), ("realtime", "batches", "batch, at most"))
    for name, account in accounts.items():
        batch = ("-", "-") if account.batch is None else (f"{account.batches:,}", _bound(account.batch))
        table.add_row(name, modes[name], _bound(account.realtime), *batch)
    return table


def load_table(load: DriverLoad, core_hours: float, mix: Mix) -> Table:
    """What this side of the APIs does and keeps."""
    table = _table("on this side", ("",), ("how much",))
    lines = {
        "actors, in core-hours": f"{core_hours:,.1f}",
        "rounds of calls": f"{load.rounds:,}",
        "driver, on one core": duration(load.hours),
        "  of which lookups in the ledger": duration(load.lookup_hours),
        "a rerun with nothing to do": duration(load.rerun_hours),
        "analysis and report": duration(load.analysis_hours),
        "driver's memory": decimal(round(load.memory_bytes)),
        "ledger": decimal(round(load.ledger_bytes)),
        "journals, at most": decimal(round(load.journal_bytes)),
        "spool, at most": decimal(round(load.spool_bytes)),
        "verdicts and other records": decimal(round(load.record_bytes)),
        "files": f"{load.files:,}",
    }
    for what, how_much in lines.items():
        table.add_row(what, how_much)
    sizes = "kept replies of this run" if mix.sizes.observed else "benchmarks"
    table.caption = f"bytes as in {sizes}, times as in benchmarks (judgeray/run/scale/measured.py)"
    table.caption_justify = "left"
    return table


def wall_table(ahead: Sequence[Wall], rows: int) -> Table:
    """What gives way as the same mix grows; what a run of so many rows is beyond is marked."""
    table = _table("walls, the nearest first", (), ("from rows",))
    table.add_column("")
    for wall in ahead:
        passed = wall.rows <= rows
        told = wall.what + (" (reached here)" if passed else "")
        table.add_row(f"{float(f'{wall.rows:.2g}'):,.0f}", told, style="red" if passed else "")
    return table


def _table(title: str, left: Sequence[str], right: Sequence[str]) -> Table:
    """An empty table; titles are left out where they are empty."""
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for name in left:
        table.add_column(name, overflow="fold")
    for name in right:
        table.add_column(name, justify="right", overflow="fold")
    return table


def _bound(bound: Bound) -> str:
    return f"{duration(bound.hours)} ({bound.by})"


def duration(hours: float) -> str:
    """Hours in the unit that suits them."""
    if hours * 60 < 1:
        return "under 1 min"
    if hours < 1:
        return f"{hours * 60:,.0f} min"
    return f"{hours:,.1f} h" if hours < 48 else f"{hours / 24:,.1f} days"
