"""Gemini's batches: `:batchGenerateContent` and `/batches`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from aiohttp import web

from judgeray.core.canonical import JSONValue
from judgeray.emulator.answer import Answer
from judgeray.emulator.api import json_body
from judgeray.emulator.batch import Batch, Ending
from judgeray.emulator.batch_open import Order, created, enqueued_tokens, open_batch, remove_results
from judgeray.emulator.batch_row import Problem
from judgeray.emulator.gemini_api import GEMINI
from judgeray.emulator.gemini_batch_rows import gemini_desk
from judgeray.emulator.gemini_batch_view import operation_view
from judgeray.emulator.gemini_content import camel
from judgeray.emulator.gemini_lists import page_size, unknown_token
from judgeray.emulator.gemini_routes import PREFIX, model_name
from judgeray.emulator.rates import DEFAULT_MODEL
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.results import read_digests
from judgeray.emulator.row_file import RowFile, line_spans
from judgeray.emulator.served import served
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.stored_files import StoredFile
from judgeray.emulator.survey import Survey, survey
from judgeray.emulator.wire import dump_json

_EXHAUSTED = "Resource has been exhausted (e.g. check quota)."


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """Routes of batches."""
    batches = _Batches(simulation)
    one = f"{PREFIX}/batches/{{batch:[^:/]+}}"
    create = f"{PREFIX}/models/{{model:[^:]+}}:batchGenerateContent"
    return [
        web.post(create, served(GEMINI, simulation, batches.create, "create")),
        web.get(f"{PREFIX}/batches", served(GEMINI, simulation, batches.listing, "list")),
        web.post(f"{one}:cancel", served(GEMINI, simulation, batches.cancel, "cancel")),
        web.get(one, served(GEMINI, simulation, batches.get, "poll")),
        web.delete(one, served(GEMINI, simulation, batches.delete, "delete")),
    ]


class _Batches:
    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._book = simulation.batches[GEMINI.name]
        self._files = simulation.files[GEMINI.name]

    async def create(self, request: web.Request) -> Answer:
        model = model_name(request, self._simulation)
        body = await json_body(request)
        batch_body = body.get("batch")
        given = camel(batch_body) if isinstance(batch_body, dict) else {}
        order = self._order(model, given, len(await request.read()))
        try:
            found = await survey(order.rows, order.desk, self._simulation.faults)
            self._check_quotas(model, found)
        except RequestRefusedError:
            order.rows.close()
            raise
        problems = [Problem(p.code, f"Line {p.line}: {p.message}") for p in found.problems[:1]]
        if not len(order.rows):
            problems = [Problem("INVALID_ARGUMENT", "The input holds no requests.")]
        batch = open_batch(self._simulation, self._simulation.new_name(), order, found, problems, self._ended)
        return created(batch, operation_view(batch, with_results=False))

    async def listing(self, request: web.Request) -> object:
        self._simulation.audit.batch("listed")
        page = self._book.page(page_size(request.query), request.query.get("pageToken"))
        if page is None:
            raise unknown_token()
        view: dict[str, object] = {
            "operations": [operation_view(batch, with_results=False) for batch in page.batches]
        }
        return {**view, "nextPageToken": page.batches[-1].id} if page.more else view

    async def get(self, request: web.Request) -> Answer:
        batch = self._batch(request)
        batch.used("retrieved")
        self._simulation.audit.batch("retrieved")

        def settled(whole: bool) -> None:
            if whole:
                self._simulation.audit.downloaded(read_digests(batch.digests))

        inline = batch.phase == "completed" and batch.facts["file"] is None
        return Answer(operation_view(batch, with_results=True), settled=settled if inline else None)

    async def cancel(self, request: web.Request) -> object:
        batch = self._batch(request)
        if batch.ended:
            raise RequestRefusedError(400, "The batch has ended already.", kind="FAILED_PRECONDITION")
        batch.used("cancelled")
        self._simulation.audit.batch("cancelled")
        batch.cancel()
        return {}

    async def delete(self, request: web.Request) -> object:
        batch = self._batch(request)
        batch.used("deleted")
        self._simulation.audit.batch("deleted")
        batch.deleted = True
        if batch.ended and batch.facts["file"] is None:
            remove_results(batch)
        return {}

    def _batch(self, request: web.Request) -> Batch:
        batch = self._book.get(request.match_info["batch"])
        if batch is None:
            raise RequestRefusedError(404, "Requested entity was not found.")
        return batch

    def _order(self, model: str, given: dict[str, JSONValue], body_bytes: int) -> Order:
        source = given.get("inputConfig")
        source = camel(source) if isinstance(source, dict) else {}
        tag = given.get("displayName")
        file_name, inline = source.get("fileName"), source.get("requests")
        if isinstance(file_name, str):
            file = self._files.get(file_name.removeprefix("files/"))
            if file is None or file.batch is not None:
                raise RequestRefusedError(404, f"File {file_name} was not found.")
            facts: dict[str, JSONValue] = {"model": model, "file": file_name}
            return Order(gemini_desk(model, "key"), _rows(file.path), tag, facts)
        requests = inline.get("requests") if isinstance(inline, dict) else None
        if not isinstance(requests, list):
            raise RequestRefusedError(400, "batch.input_config: one of file_name and requests must be set.")
        most = self._simulation.how.batches.gemini_inline_bytes
        if body_bytes > most:
            raise RequestRefusedError(400, f"Request payload size exceeds the limit: {most} bytes.")
        path = self._simulation.new_path()
        _write_rows(path, requests)
        rows = _rows(path)
        # The rows hold the file open for as long as they need it.
        path.unlink()
        facts = {"model": model, "file": None}
        return Order(gemini_desk(model, "metadata"), rows, tag, facts, ordered=True)

    def _check_quotas(self, model: str, found: Survey) -> None:
        settings = self._simulation.how.batches
        quota = settings.gemini_enqueued_tokens.get(model, settings.gemini_enqueued_tokens.get(DEFAULT_MODEL))
        wanted = found.tokens[model] + enqueued_tokens(self._simulation, GEMINI.name, model)
        most = settings.gemini_running_batches
        if (quota is not None and wanted > quota) or (most is not None and len(self._book.running()) >= most):
            raise RequestRefusedError(429, _EXHAUSTED)

    def _ended(self, batch: Batch, ending: Ending) -> None:
        """Publish the result file of a batch that came from a file and succeeded."""
        if ending == "completed" and batch.facts["file"] is not None and batch.output.exists():
            file = StoredFile(f"batch-{batch.id}", batch.id, "application/jsonl", batch.output, batch)
            self._files.add(file)
            batch.output_id = file.id


def _rows(path: Path) -> RowFile:
    rows = RowFile(path)
    for span in line_spans(path):
        rows.add(span)
    return rows


def _write_rows(path: Path, requests: Iterable[JSONValue]) -> None:
    with path.open("wb") as file:
        for request in requests:
            file.write(dump_json(request) + b"\n")
