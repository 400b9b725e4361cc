"""Opening a batch: what all APIs do once a batch is accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from judgeray.core.canonical import JSONValue
from judgeray.emulator.answer import Answer
from judgeray.emulator.batch import Batch
from judgeray.emulator.batch_row import Problem, RowDesk
from judgeray.emulator.batch_run import Ended, run_batch
from judgeray.emulator.fault_names import FaultName
from judgeray.emulator.row_file import RowFile
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.survey import Survey


@dataclass(frozen=True)
class Order:
    """What a client asked for: rows, how to read them, a tag, and facts that only its API knows.

    `ordered`: the API documents results in the order of the rows.
    """

    desk: RowDesk
    rows: RowFile
    tag: JSONValue = None
    facts: Mapping[str, JSONValue] = field(default_factory=dict)
    ordered: bool = False


def open_batch(
    simulation: Simulation,
    batch_id: str,
    order: Order,
    found: Survey,
    problems: list[Problem],
    ended: Ended,
) -> Batch:
    """Enter a batch in the books and start it; `ended` is told when its results are written."""
    api = order.desk.form.api.name
    faults: dict[FaultName, int | None] = {}
    if not problems:
        simulation.audit.received_rows(found.digests)
        faults = simulation.faults.of_batch(api, found.digests, found.marks)
    if "failed" in faults and order.desk.failure is None:
        faults["all_rows_failed"] = faults.pop("failed")
    batch = Batch(
        id=batch_id,
        number=len(simulation.batches[api].all()) + 1,
        desk=order.desk,
        rows=order.rows,
        settings=simulation.how.batches,
        tag=order.tag,
        facts=order.facts,
        tokens=dict(found.tokens),
        problems=problems,
        faults=faults,
        output=simulation.new_path(),
        errors=simulation.new_path(),
        digests=simulation.new_path(),
        ordered=order.ordered,
    )
    simulation.batches[api].add(batch)
    simulation.audit.batch("created")
    simulation.start(run_batch(batch, simulation, ended))
    return batch


def created(batch: Batch, view: object) -> Answer:
    """The answer to a creation; a fault may drop the connection although the batch exists."""
    return Answer(view, fault="lost_response" if "lost_create" in batch.faults else None)


def enqueued_tokens(simulation: Simulation, api: str, model: str) -> int:
    """Input tokens of one model in sound batches that have not ended."""
    running = simulation.batches[api].running()
    return sum(batch.tokens.get(model, 0) for batch in running if not batch.problems)


def remove_results(batch: Batch) -> None:
    """Remove a batch's result files."""
    for path in (batch.output, batch.errors, batch.digests):
        path.unlink(missing_ok=True)
