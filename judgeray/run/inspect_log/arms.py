"""Reading a run for Inspect: one arm at a time, with as many of its texts as can be had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from judgeray.analysis.arms import CELL
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.engine.reply_lines import from_line
from judgeray.report.evidence import Exchange
from judgeray.report.extras import read_provenance
from judgeray.run.evidence import RunEvidence
from judgeray.run.inspect_log.arm_rows import ArmRows, Exchanges, Key, VerdictRow
from judgeray.run.reopen import reopen, replies_folder, replies_of
from judgeray.run.resolve import Experiment
from judgeray.run.show import key_of
from judgeray.run.verdict_log import scan_verdicts

CHANGED = "data files or prompts are no longer those that were asked about"


def arms_of(run: Path) -> Iterator[ArmRows]:
    """Read the arms of a run one after the other, sorted by dataset, design, judge and condition.

    Holds the rows, prompts and replies of one arm. Raises BadInputError for a folder without verdicts.
    """
    verdicts = scan_verdicts(run)
    about = _about(run)
    for key in verdicts.select(CELL).unique().sort(CELL).collect().rows():
        mine = pl.all_horizontal(pl.col(name) == value for name, value in zip(CELL, key, strict=True))
        rows = verdicts.filter(mine).sort("replicate", "row_id").collect().to_dicts()
        yield _arm_rows(about, key, rows)


@dataclass(frozen=True)
class _About:
    """What is known of a run; `experiment` is None where it cannot be rebuilt, and `lacking` says why."""

    run: Path
    provenance: Mapping[str, Any]
    replies: RepliesFolder
    experiment: Experiment | None
    lacking: str | None = None


def _about(run: Path) -> _About:
    provenance = read_provenance(run) or {}
    try:
        experiment = reopen(run)
    except BadInputError as error:
        shared = provenance.get("manifest", {}).get("replies")
        return _About(run, provenance, replies_folder(run, shared), None, _first_line(error))
    return _About(run, provenance, replies_of(run, experiment), experiment)


def _arm_rows(about: _About, key: Key, rows: list[VerdictRow]) -> ArmRows:
    replies = _kept(about.replies, rows)
    received = [reply.received_at for reply in replies.values()]
    created = min(received) if received else _written(about.run, key)
    narrowed = _narrowed(about.experiment, key) if about.experiment else None
    exchanges, lacking = _asked(narrowed, about.replies, rows) if narrowed else ({}, about.lacking)
    parameters = narrowed.arms[0].judge.parameters if narrowed and narrowed.arms else {}
    run_id = _run_id(about.run)
    return ArmRows(*key, created, run_id, about.provenance, rows, replies, exchanges, parameters, lacking)


def _kept(folder: RepliesFolder, rows: Sequence[VerdictRow]) -> dict[str, Reply]:
    """Find the replies of one arm's rows; of a call's replies the first received counts, as in the ledger."""
    keys = {key for row in rows for key in row["call_keys"]}
    files = Ledger(folder).files(rows[0]["provider"], rows[0]["model"])
    if not files:
        return {}
    wanted = (
        pl.scan_parquet(files).filter(pl.col("key").is_in(keys)).sort("received_at").unique("key", keep="first")
    )
    return {key: from_line(text) for key, text in wanted.select("key", "reply").collect().iter_rows()}


def _narrowed(experiment: Experiment, key: Key) -> Experiment:
    """Leave of an experiment what one arm needs, so that its dataset alone is read."""
    dataset, design, judge, condition = key
    partition = f"verdicts/dataset={dataset}/design={design}/judge={judge}"
    mine = [arm for arm in experiment.arms if arm.partition == partition]
    arms = tuple(arm for arm in mine if arm.variant.startswith(f"{condition}-r"))
    names = {arm.dataset for arm in arms}
    return replace(experiment, arms=arms, sources=tuple(s for s in experiment.sources if s.name in names))


def _asked(
    experiment: Experiment, replies: RepliesFolder, rows: Sequence[VerdictRow]
) -> tuple[Exchanges, str | None]:
    """Rebuild the prompts of one arm's rows; only those count whose calls are the rows' own."""
    try:
        found = RunEvidence(experiment, replies).find([key_of(row) for row in rows])
    except BadInputError as error:
        return {}, _first_line(error)
    asked: dict[tuple[str, int], Sequence[Exchange]] = {}
    for row in rows:
        evidence = found.get(key_of(row))
        by_call = {dict(exchange.facts)["call"]: exchange for exchange in evidence.exchanges} if evidence else {}
        calls = [key[:12] for key in row["call_keys"]]
        if set(calls) <= set(by_call):
            asked[row["row_id"], row["replicate"]] = [by_call[call] for call in calls]
    return asked, CHANGED if len(asked) < len(rows) else None


def _run_id(run: Path) -> str:
    manifest = run / "manifest.yaml"
    return sha256(manifest.read_bytes() if manifest.is_file() else b"").hexdigest()[:22]


def _written(run: Path, key: Key) -> str:
    dataset, design, judge, _ = key
    folder = run / "verdicts" / f"dataset={dataset}" / f"design={design}" / f"judge={judge}"
    newest = max(file.stat().st_mtime for file in folder.glob("*.parquet"))
    return datetime.fromtimestamp(newest, UTC).isoformat(timespec="seconds")


def _first_line(error: BadInputError) -> str:
    return str(error).splitlines()[0]
