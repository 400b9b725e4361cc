"""Texts and ids as an Inspect log takes them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from judgeray.run.inspect_log.arm_rows import ArmRows, VerdictRow


def plain(value: Any) -> Any:  # noqa: ANN401 -- any JSON value
    """Spell out what is no valid Unicode in the texts of a JSON value; Inspect takes nothing else."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {plain(name): plain(item) for name, item in value.items()}
    return value


def sample_id(row: VerdictRow) -> str:
    """Give the row id; NUL, which would end the sample's file name inside the log, is spelled out."""
    return str(plain(row["row_id"])).replace("\0", "\\x00")


def model_name(row: VerdictRow) -> str:
    """Name the model as Inspect does: provider/model."""
    return str(plain(f"{row['provider']}/{row['model']}"))


def digest(*parts: object) -> str:
    """Make an id of 22 hex digits out of what it stands for, so that every export gives the same."""
    return sha256("\0".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()[:22]


def log_file_name(arm: ArmRows, task_id: str) -> str:
    """Name a log as Inspect does, time_task_model_id.eval, with judge and condition for the model."""
    what, who = (f"{a}-{b}".replace("_", "-") for a, b in ((arm.dataset, arm.design), (arm.judge, arm.condition)))
    return f"{arm.created[:19].replace(':', '-')}_{what}_{who}_{task_id}.eval"
