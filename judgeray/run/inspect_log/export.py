"""Handing a run to Inspect: one eval log an arm, in one folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from judgeray.core.errors import BadInputError
from judgeray.run.inspect_log.arm_rows import ArmRows
from judgeray.run.inspect_log.arms import arms_of
from judgeray.run.inspect_log.names import log_file_name

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog


@dataclass(frozen=True)
class InspectExport:
    """What an export wrote: `rows` counts samples, `lacking` says why `rows_without_prompts` have no input.

    `others` counts eval logs that lay in the folder before and are none of this export's.
    """

    folder: Path
    logs: int
    rows: int
    rows_without_prompts: int
    lacking: str | None
    others: int


def export_inspect(run: Path, output: Path | None = None) -> InspectExport:
    """Write the verdict rows of a run as Inspect eval logs, which `inspect view` and `inspect_ai.analysis` read.

    One log holds one dataset under one design, judge and condition; each appears whole or not at all, and only one
    arm is held in memory. Without `output` the folder is `export/inspect` in the run directory. Exporting again
    gives the same names and the same content; only the times inside the zip archive differ. Inspect's writer takes
    time that grows with the square of an arm's rows.

    Raises BadInputError where the package inspect-ai is missing, for a folder without verdicts, and where nothing
    can be written.
    """
    if find_spec("inspect_ai") is None:
        raise BadInputError("judgeray export: --to inspect needs a package: pip install 'judgeray[inspect]'")
    folder = output or run / "export" / "inspect"
    written, arms = set(), list[tuple[int, int, str | None]]()
    for arm in arms_of(run):
        written.add(_write(arm, folder))
        arms.append((len(arm.rows), arm.rows_without_prompts, arm.lacking))
    return InspectExport(
        folder,
        len(written),
        sum(rows for rows, _, _ in arms),
        sum(without for _, without, _ in arms),
        next((lacking for _, _, lacking in arms if lacking), None),
        len(set(folder.glob("*.eval")) - written),
    )


def _write(arm: ArmRows, folder: Path) -> Path:
    from judgeray.run.inspect_log.log import log_of  # noqa: PLC0415 -- needs inspect-ai

    log = log_of(arm)
    path = folder / log_file_name(arm, log.eval.task_id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_whole(log, path)
    except OSError as error:
        raise BadInputError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def _write_whole(log: EvalLog, path: Path) -> None:
    from inspect_ai.log import write_eval_log  # noqa: PLC0415 -- optional

    hidden = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write_eval_log(log, hidden, format="eval")
        hidden.replace(path)
    finally:
        hidden.unlink(missing_ok=True)
