"""Anthropic's message batches: `/v1/messages/batches`."""

from __future__ import annotations

from aiohttp import web

from judgeray.emulator.answer import Answer
from judgeray.emulator.anthropic_api import ANTHROPIC, VERSION_HEADER
from judgeray.emulator.anthropic_batch_rows import anthropic_desk
from judgeray.emulator.anthropic_batch_view import batch_view
from judgeray.emulator.anthropic_envelope import check_envelope, find_rows
from judgeray.emulator.anthropic_routes import PREFIX
from judgeray.emulator.batch import Batch
from judgeray.emulator.batch_download import results_answer
from judgeray.emulator.batch_open import Order, created, open_batch, remove_results
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.served import served
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.spool import CHUNK_BYTES, Spool
from judgeray.emulator.survey import Survey, survey

_USUAL_PAGE, _MOST_PAGE = 20, 1000


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """Routes of message batches."""
    batches = _Batches(simulation)
    every = f"{PREFIX}/v1/messages/batches"
    one = f"{every}/{{batch}}"
    return [
        web.post(every, served(ANTHROPIC, simulation, batches.create, "create")),
        web.get(every, served(ANTHROPIC, simulation, batches.listing, "list")),
        web.get(one, served(ANTHROPIC, simulation, batches.retrieve, "poll")),
        web.post(f"{one}/cancel", served(ANTHROPIC, simulation, batches.cancel, "cancel")),
        web.get(f"{one}/results", served(ANTHROPIC, simulation, batches.results, "results")),
        web.delete(one, served(ANTHROPIC, simulation, batches.delete, "delete")),
    ]


class _Batches:
    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._book = simulation.batches[ANTHROPIC.name]

    async def create(self, request: web.Request) -> Answer:
        spool = Spool(self._simulation.new_path(), self._simulation.how.batches.anthropic_bytes)
        try:
            await spool.fill(request.content.iter_chunked(CHUNK_BYTES))
            if spool.too_large:
                raise RequestRefusedError(413, "Request exceeds the maximum size")
            rows = await find_rows(spool.path)
        finally:
            # The rows hold the file open for as long as they need it.
            spool.discard()
        order = Order(anthropic_desk(self._simulation, request.headers[VERSION_HEADER]), rows)
        try:
            check_envelope(rows, self._simulation.how.batches.anthropic_rows)
            found = await survey(rows, order.desk, self._simulation.faults)
            self._check(found, len(rows))
        except RequestRefusedError:
            rows.close()
            raise
        batch_id = f"msgbatch_{self._simulation.new_name()}"
        batch = open_batch(self._simulation, batch_id, order, found, [], lambda _batch, _ending: None)
        return created(batch, batch_view(batch, request))

    async def listing(self, request: web.Request) -> object:
        self._simulation.audit.batch("listed")
        query = request.query
        limit = query.get("limit", str(_USUAL_PAGE))
        if not limit.isdecimal() or not 1 <= int(limit) <= _MOST_PAGE:
            raise RequestRefusedError(400, f"limit: Input should be from 1 to {_MOST_PAGE}")
        page = self._book.page(int(limit), query.get("after_id"), query.get("before_id"))
        if page is None:
            raise RequestRefusedError(400, "after_id or before_id: no such message batch")
        data = [batch_view(batch, request) for batch in page.batches]
        first, last = (page.batches[0].id, page.batches[-1].id) if data else (None, None)
        return {"data": data, "has_more": page.more, "first_id": first, "last_id": last}

    async def retrieve(self, request: web.Request) -> object:
        batch = self._batch(request)
        batch.used("retrieved")
        self._simulation.audit.batch("retrieved")
        return batch_view(batch, request)

    async def cancel(self, request: web.Request) -> object:
        batch = self._batch(request)
        if batch.ended:
            raise RequestRefusedError(400, f"Message batch {batch.id} has ended and cannot be canceled.")
        batch.used("cancelled")
        self._simulation.audit.batch("cancelled")
        batch.cancel()
        return batch_view(batch, request)

    async def results(self, request: web.Request) -> Answer:
        batch = self._batch(request)
        if not batch.ended:
            raise RequestRefusedError(400, f"Message batch {batch.id} is still processing.")
        return results_answer(self._simulation, batch, "application/x-jsonl")

    async def delete(self, request: web.Request) -> object:
        batch = self._batch(request)
        if not batch.ended:
            raise RequestRefusedError(400, f"Message batch {batch.id} must end before it can be deleted.")
        batch.used("deleted")
        self._simulation.audit.batch("deleted")
        batch.deleted = True
        remove_results(batch)
        return {"id": batch.id, "type": "message_batch_deleted"}

    def _batch(self, request: web.Request) -> Batch:
        batch = self._book.get(request.match_info["batch"])
        if batch is None:
            raise RequestRefusedError(404, "Not found: no such message batch")
        return batch

    def _check(self, found: Survey, rows: int) -> None:
        """What is wrong with any row's envelope refuses the whole batch at once; its `params` never do."""
        for problem in found.problems:
            raise RequestRefusedError(400, f"requests.{(problem.line or 1) - 1}.{problem.message}")
        for key, _ in found.repeated:
            raise RequestRefusedError(400, f"requests: custom_id must be unique, found {key} more than once")
        queued = rows + sum(batch.total for batch in self._book.running())
        most = self._simulation.how.batches.anthropic_queued_rows
        if most is not None and queued > most:
            message = f"This request would exceed your organization's limit of {most:,} batch requests in queue."
            raise RequestRefusedError(429, message)
