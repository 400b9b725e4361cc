"""What is checked of a study of its own before anything is started: keys that it does not read, and accounts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.manifest.model import Manifest
from judgeray.providers.account import Account
from judgeray.studies.arm import Arm
from judgeray.studies.perturbation.score_arm import ScoreArm

_OF_GRIDS = ("conditions", "condition_texts", "replicates")


def check_unread(where: str, manifest: Manifest) -> None:
    """Raise BadInputError for a key that grids and diagnostics read, where neither is: it would change nothing."""
    study = next((name for name in ("perturbation", "averaging") if getattr(manifest, name)), None)
    for name in _OF_GRIDS:
        if study and name in manifest.model_fields_set:
            own = f"; a study has its own under {study}" if name == "replicates" else ""
            raise BadInputError(f"{where}: {name}: belongs to grid and diagnostics, and '{study}' reads none{own}.")


def check_in_process(where: str, arms: Iterable[Arm], accounts: Mapping[str, Account]) -> None:
    """Raise BadInputError for a score that would ask an in-process judge what it cannot tell."""
    for arm in arms:
        if not isinstance(arm, ScoreArm):
            continue
        nli = arm.metric_settings.nli if "nli" in arm.metric.reads else None
        if nli and accounts[nli.provider].kind != "nli":
            raise _misfit(where, arm, "nli", nli, accounts, "a judge of an account of kind nli")
        if accounts[arm.judge.provider].kind == "nli":
            raise _misfit(where, arm, "judges", arm.judge, accounts, "a judge that can tell a design's label")


def _misfit(
    where: str, arm: ScoreArm, field: str, judge: Judge, accounts: Mapping[str, Account], allowed: str
) -> BadInputError:
    kind = accounts[judge.provider].kind
    return BadInputError(
        f"{where}: metric {arm.label}: {field}: found '{judge.name}', which is of kind {kind}, allowed: {allowed}."
    )
