"""Running a batch: through its phases, row by row at its own pace, to whatever end it takes."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable
from statistics import NormalDist

from judgeray.emulator.batch import Batch, Ending
from judgeray.emulator.draws import uniform
from judgeray.emulator.fault_names import STATUS_FAULTS, FaultName
from judgeray.emulator.prompt import Completion, Prompt
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.results import ResultWriter
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.survey import ROWS_PER_TURN

VALIDATING_SHARE, FINALIZING_SHARE = 0.1, 0.1
_STEPS, _SHORTEST_STEP_SECONDS = 50, 0.005
_LEAST_DRAW = 1e-9


Ended = Callable[[Batch, Ending], None]
"""Told how a batch ends once its results are written, just before it shows its end."""


async def run_batch(batch: Batch, simulation: Simulation, ended: Ended) -> None:
    """Run a batch to its end."""
    try:
        order = _order(batch)
        with ResultWriter(batch) as results:
            ending = await _through(batch, simulation, results, order)
            if ending != "failed":
                await _give_up(batch, results, order[batch.succeeded + batch.failed :], ending)
        ended(batch, ending)
        batch.enter(ending)
    finally:
        batch.rows.close()


def planned_seconds(batch: Batch, seed: int) -> float:
    """How long a batch is to take: lognormal, drawn from the seed and its number."""
    draw = max(uniform("batch", str(seed), batch.api, str(batch.number)), _LEAST_DRAW)
    return batch.settings.batch_seconds * math.exp(batch.settings.spread * NormalDist().inv_cdf(draw))


def _order(batch: Batch) -> list[int]:
    """The order in which rows are answered and lines written: not that of the input, if it can be helped."""
    order = list(range(batch.total))
    if batch.ordered and "shuffled_lines" not in batch.faults:
        return order
    random.Random(batch.number).shuffle(order)
    return order if order != sorted(order) else order[::-1]


async def _through(batch: Batch, simulation: Simulation, results: ResultWriter, order: list[int]) -> Ending:
    seconds = planned_seconds(batch, simulation.behaviour.seed)
    await batch.pause(VALIDATING_SHARE * seconds)
    if "failed" in batch.faults and batch.desk.failure is not None:
        batch.problems.append(batch.desk.failure)
    if batch.interruption() is None and batch.problems:
        return "failed"
    if batch.interruption() is None:
        batch.enter("in_progress")
        goal = int(batch.total * simulation.faults.settings.expired_share) if "expired" in batch.faults else None
        work_seconds = (1 - VALIDATING_SHARE - FINALIZING_SHARE) * seconds
        await _work(batch, simulation, results, order[:goal], work_seconds)
        if goal is not None and batch.interruption() is None:
            return "expired"
    if batch.interruption() is None:
        batch.enter("finalizing")
        await batch.pause(FINALIZING_SHARE * seconds)
    ending = batch.interruption()
    if ending == "cancelled":
        await asyncio.sleep(batch.settings.cancel_seconds)
    return ending or "completed"


async def _work(
    batch: Batch, simulation: Simulation, results: ResultWriter, order: list[int], seconds: float
) -> None:
    loop = asyncio.get_running_loop()
    start, done = loop.time(), 0
    while "stuck" in batch.faults and batch.interruption() is None:
        await batch.pause()
    while done < len(order) and batch.interruption() is None:
        passed = (loop.time() - start) / seconds if seconds > 0 else 1.0
        due = min(int(len(order) * passed), len(order))
        for number in order[done : min(due, done + ROWS_PER_TURN)]:
            _answer(batch, simulation, results, number)
            done += 1
        if due > done:
            await asyncio.sleep(0)
        elif done < len(order):
            await batch.pause(max(seconds / _STEPS, _SHORTEST_STEP_SECONDS))


def _answer(batch: Batch, simulation: Simulation, results: ResultWriter, number: int) -> None:
    row, request_id = batch.desk.read(batch.rows.read(number)), simulation.next_id()
    try:
        if isinstance(row.asked, RequestRefusedError):
            raise row.asked
        fault = _fault(batch, simulation, row.asked)
        reply = batch.desk.form.reply(_completion(batch, simulation, row.asked, fault), row.body, fault)
    except RequestRefusedError as refusal:
        results.refused(row.key, refusal, request_id)
    else:
        results.answered(row.key, reply, request_id, row.asked.digest, fault)


def _fault(batch: Batch, simulation: Simulation, prompt: Prompt) -> FaultName | None:
    """The fault that a row meets; one that keeps it from being executed is raised as its refusal."""
    met = simulation.faults.of_prompt(batch.api, "row", prompt)
    failed = met == "row_error" or "all_rows_failed" in batch.faults
    fault = "server_error" if failed else met
    if fault is not None and fault in STATUS_FAULTS:
        seconds = simulation.faults.settings.retry_after_seconds
        raise batch.desk.form.api.fault(fault, prompt.model, seconds)
    return fault


def _completion(batch: Batch, simulation: Simulation, prompt: Prompt, fault: FaultName | None) -> Completion:
    completion = simulation.completion(prompt)
    if fault != "prompt_block":
        simulation.audit.executed(prompt, "batch")
        batch.input_tokens += completion.input_tokens
        batch.output_tokens += completion.output_tokens
    return completion


async def _give_up(batch: Batch, results: ResultWriter, numbers: list[int], ending: Ending) -> None:
    for count, number in enumerate(numbers):
        if count % ROWS_PER_TURN == 0:
            await asyncio.sleep(0)
        results.unfinished(batch.desk.read(batch.rows.read(number)).key, ending)
