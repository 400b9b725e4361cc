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
from judgeray.run.provenance import hashes_of, prompts_of, provenance_of, versions_of, write_document
from judgeray.run.reopen import manifest_of, reopen, replies_of
from judgeray.run.resolve import Experiment
from judgeray.run.survey import DatasetFacts, survey
from judgeray.run.verify.again import Again, check_results
from judgeray.run.verify.check import Check
from judgeray.run.verify.made_of import (
    VERSIONS,
    check_data,
    check_prompts,
    check_rest,
    check_versions,
    recorded_provenance,
)


def verify(run: Path) -> Iterator[Check]:
    """Make everything derived again from the ledger, in a temporary folder, and compare it; check by check.

    Holds one part of the records at a time. Raises BadInputError for a folder that is no run, for data files that
    are not there any more, and for a run that goes on.
    """
    manifest, recorded = manifest_of(run), recorded_provenance(run)
    experiment = reopen(run)
    replies = replies_of(run, experiment)
    session = _quiet(run, replies)
    hashes = hashes_of(experiment)
    yield check_data(recorded, hashes)
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
            now = provenance_of(experiment, facts, again.records.served_models, hashes)
            yield check_rest(recorded, now)
            yield from _results(run, made, experiment, facts, replies, now | _versions(recorded))
    if _quiet(run, replies) != session:
        raise BadInputError(f"{run}: a run began here in the meantime. Wait until it has ended, then verify again.")


def _quiet(run: Path, replies: RepliesFolder) -> str | None:
    """Give the session that used the replies last. Raises BadInputError while one uses them."""
    if is_held(replies.run_lock):
        raise BadInputError(
            f"{run}: a run goes on here. Wait until it has ended, or stop it with Ctrl-C, then verify."
        )
    return last_session(replies.run_lock)


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


def _versions(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """What the report says of versions is what was said then, so that another version alone changes nothing."""
    return {name: recorded[name] for name in VERSIONS if name in recorded}


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
