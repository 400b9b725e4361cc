"""Verifying a run: each check in turn; nothing is sent, and nothing in the run directory is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from judgeray.core.errors import BadInputError
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger_check import LedgerFindings, check_ledger
from judgeray.engine.lock import is_held, last_session
from judgeray.run.annotated import keep_annotations
from judgeray.run.finish import write_results
from judgeray.run.mirror import SMALL, work_on
from judgeray.run.provenance import prompts_of, provenance_of, versions_of, write_document
from judgeray.run.reopen import kept_replies, manifest_of, reopen, replies_of
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts, file_hashes, survey
from judgeray.run.verify.again import Again, check_results
from judgeray.run.verify.check import Check
from judgeray.run.verify.made_of import (
    as_then,
    check_data,
    check_prompts,
    check_rest,
    check_versions,
    recorded_provenance,
)
from judgeray.storage.objects import tree
from judgeray.storage.place import Place


def verify(place: Place) -> Iterator[Check]:
    """Make everything derived again from the ledger, in a temporary folder, and compare it; check by check.

    Holds one part of the records at a time; a run in an object store is copied here whole. Raises BadInputError for
    a folder that is no run, for data files that are not there any more, and for a run that goes on.
    """
    with work_on(place, only=SMALL) as run:
        before = _quiet(place, kept_replies(run))
    with work_on(place) as run:
        yield from _checks(run)
        if _quiet(place, kept_replies(run)) != before:
            raise BadInputError(
                f"{place}: a run began here in the meantime. Wait until it has ended, then verify again."
            )


def _checks(run: Path) -> Iterator[Check]:
    manifest, recorded = manifest_of(run), recorded_provenance(run)
    experiment = reopen(run)
    replies = replies_of(run, experiment)
    yield check_data(recorded, {source.name: file_hashes(source) for source in experiment.sources})
    yield check_prompts(recorded, prompts_of(experiment))
    yield check_versions(recorded, versions_of(experiment))
    found = check_ledger(replies)
    yield from _ledger_checks(found)
    if found.unreadable:
        yield Check("records", True, "are not made again, nor tables and reports: the ledger cannot be read")
    else:
        facts = survey(experiment.sources, experiment.arms, experiment.study)
        with TemporaryDirectory(prefix="judgeray-verify-") as folder:
            made = Path(folder)
            (made / "manifest.yaml").write_bytes(manifest.read_bytes())
            again = Again(run, made, experiment, replies)
            yield from again.replay()
            yield again.count(facts)
            now = as_then(recorded, provenance_of(experiment, facts, again.records.served_models))
            yield check_rest(recorded, now)
            yield from _results(run, made, experiment, facts, replies, now)


def _quiet(run: Place, replies: RepliesFolder) -> str | Mapping[str, int] | None:
    """Give what another session would change. Raises BadInputError while a run uses the replies.

    That is the session that held the lock last; a lease that was given back tells of none, but the objects do.
    """
    if is_held(replies.run_lock):
        raise BadInputError(
            f"{run}: a run goes on here. Wait until it has ended, or stop it with Ctrl-C, then verify."
        )
    return last_session(replies.run_lock) if isinstance(replies.path, Path) else tree(replies.path)


def _ledger_checks(found: LedgerFindings) -> Iterator[Check]:
    """Say what was found in the ledger: of replies, of keys, and of journals that a run left behind."""
    told = f"{found.replies:,} in {found.files:,} files are readable and as their columns say"
    wrong = [
        *found.told,
        *([f"and {found.wrong - len(found.told):,} more"] if found.wrong > len(found.told) else []),
    ]
    yield Check("replies", found.wrong > 0, f"{found.wrong:,} differ" if found.wrong else told, tuple(wrong))
    once = "each stands once"
    repeated = f"{found.repeated:,} stand more than once, one is {found.example}; the reply received first counts"
    yield Check("keys", found.repeated > 0, repeated if found.repeated else once)
    waiting = (
        f"{found.waiting:,} replies wait there: the run broke off; its command takes them in, then verify again"
    )
    yield Check("journals", found.waiting > 0, waiting if found.waiting else "nothing waits there")


def _results(
    run: Path,
    made: Path,
    experiment: Experiment,
    facts: Mapping[str, DatasetFacts],
    replies: RepliesFolder,
    provenance: Mapping[str, Any],
) -> Iterator[Check]:
    """Derive tables and reports from the records made now."""
    write_document(made / "provenance.json", provenance)
    keep_annotations(experiment, made)
    write_results(made, experiment, facts, replies)
    yield from check_results(run, made)
