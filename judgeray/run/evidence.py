"""The texts behind verdicts: rows and prompts rebuilt from the experiment, replies out of the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.procedure import Procedure
from judgeray.core.reply import Failure, Reply
from judgeray.core.task import Task
from judgeray.engine.journal import read_failures
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger
from judgeray.report.evidence import CaseKey, Evidence, Exchange
from judgeray.run.reopen import reopen, replies_of
from judgeray.run.resolve import Experiment
from judgeray.studies.arm import Case
from judgeray.studies.parts import parts


@dataclass(frozen=True)
class RunEvidence:
    """Looks up the texts of a run; `experiment` is None where it cannot be rebuilt, and `lacking` says why."""

    experiment: Experiment | None
    replies: RepliesFolder | None
    lacking: str | None = None

    def find(self, keys: Sequence[CaseKey]) -> Mapping[CaseKey, Evidence]:
        """Rebuild the calls of these verdict rows and find their replies; reads each dataset once."""
        if self.experiment is None or self.replies is None:
            return {}
        wanted, found = set(keys), dict[CaseKey, Evidence]()
        ledger, failures = Ledger(self.replies), read_failures(self.replies.journal)
        for part in parts(self.experiment.sources, self.experiment.arms, self.experiment.study):
            chosen = part.only(wanted)
            talks = _conversations(chosen.shard().tasks, ledger)
            for case, talk in zip(chosen.cases(), talks, strict=True):
                found[case.key] = _evidence(case, talk, failures)
        return found


def run_evidence(run: Path) -> RunEvidence | None:
    """Open the texts of a run directory; None for anything that is no run directory."""
    if not (run / "manifest.yaml").is_file():
        return None
    try:
        experiment = reopen(run)
    except BadInputError as error:
        reason = str(error).splitlines()[0]
        return RunEvidence(
            None, None, f"Prompts and replies are not shown, for the run cannot be rebuilt: {reason}"
        )
    return RunEvidence(experiment, replies_of(run, experiment))


Talk = list[tuple[Call, Reply | None]]


def _conversations(tasks: Sequence[Task], ledger: Ledger) -> list[Talk]:
    """Run procedures as far as kept replies carry them; the ledger is asked once for each wave of all of them."""
    talks: list[Talk] = [[] for _ in tasks]
    running: dict[int, tuple[Procedure[object], tuple[Call, ...]]] = {}
    for number, task in enumerate(tasks):
        procedure = task.start()
        running[number] = procedure, next(procedure)
    while running:
        known = ledger.lookup(call for _, wave in running.values() for call in wave)
        for number in list(running):
            procedure, wave = running.pop(number)
            replies = tuple(known.get(call.key) for call in wave)
            talks[number] += zip(wave, replies, strict=True)
            following = _next(procedure, replies)
            if following:
                running[number] = procedure, following
    return talks


def _next(procedure: Procedure[object], replies: tuple[Reply | None, ...]) -> tuple[Call, ...] | None:
    """Send replies and give the next wave; None at the end, or where a reply is missing."""
    if any(reply is None for reply in replies):
        procedure.close()
        return None
    try:
        return procedure.send(replies)
    except StopIteration:
        return None


def _evidence(case: Case, talk: Talk, failures: Mapping[str, Failure]) -> Evidence:
    failed = (failures[call.key].error for call, reply in talk if reply is None and call.key in failures)
    exchanges = tuple(
        Exchange(call.system, call.user, reply.text if reply else None, tuple(_facts(call, reply)))
        for call, reply in talk
    )
    return Evidence(case.question, case.reference, case.candidate, exchanges, next(failed, None))


def _facts(call: Call, reply: Reply | None) -> Iterator[tuple[str, str]]:
    """Name what else is known of a reply, without anything that is not in the ledger."""
    yield "call", call.key[:12]
    if reply is None:
        return
    yield "outcome", reply.outcome
    for name, value in (
        ("finish reason", reply.finish_reason),
        ("served by", reply.served_model),
        ("received", reply.received_at),
        ("output tokens", reply.usage.output_tokens),
    ):
        if value not in (None, ""):
            yield name, str(value)
