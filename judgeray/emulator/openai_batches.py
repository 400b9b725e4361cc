"""OpenAI's batches: `/batches`."""

from __future__ import annotations

from itertools import islice

from aiohttp import web

from judgeray.core.canonical import JSONValue
from judgeray.emulator.answer import Answer
from judgeray.emulator.api import Body, json_body
from judgeray.emulator.batch import Batch, Ending
from judgeray.emulator.batch_open import Order, created, enqueued_tokens, open_batch
from judgeray.emulator.batch_row import Problem
from judgeray.emulator.openai_api import OPENAI, required_text
from judgeray.emulator.openai_batch_rows import ENDPOINTS, QUEUE_FULL, openai_desk
from judgeray.emulator.openai_batch_view import batch_view
from judgeray.emulator.openai_lists import limit_of, unknown_cursor
from judgeray.emulator.openai_routes import PREFIX
from judgeray.emulator.rates import DEFAULT_MODEL
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.row_file import RowFile, line_spans
from judgeray.emulator.served import served
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.stored_files import StoredFile
from judgeray.emulator.survey import MOST_PROBLEMS, Survey, survey

_MOST_METADATA, _LONGEST_NAME, _LONGEST_VALUE = 16, 64, 512


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """Routes of batches."""
    batches = _Batches(simulation)
    one = f"{PREFIX}/batches/{{batch}}"
    return [
        web.post(f"{PREFIX}/batches", served(OPENAI, simulation, batches.create, "create")),
        web.get(f"{PREFIX}/batches", served(OPENAI, simulation, batches.listing, "list")),
        web.get(one, served(OPENAI, simulation, batches.retrieve, "poll")),
        web.post(f"{one}/cancel", served(OPENAI, simulation, batches.cancel, "cancel")),
    ]


class _Batches:
    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._book = simulation.batches[OPENAI.name]
        self._files = simulation.files[OPENAI.name]

    async def create(self, request: web.Request) -> Answer:
        body = await json_body(request)
        order = self._order(body)
        found = await survey(order.rows, order.desk, self._simulation.faults)
        problems = self._problems(order, found)
        batch_id = f"batch_{self._simulation.new_name()}"
        batch = open_batch(self._simulation, batch_id, order, found, problems, self._ended)
        return created(batch, batch_view(batch))

    async def listing(self, request: web.Request) -> object:
        self._simulation.audit.batch("listed")
        after = request.query.get("after")
        page = self._book.page(limit_of(request.query, 20, 100), after)
        if page is None:
            raise unknown_cursor(after or "")
        data = [batch_view(batch) for batch in page.batches]
        first, last = (page.batches[0].id, page.batches[-1].id) if data else (None, None)
        return {"object": "list", "data": data, "first_id": first, "last_id": last, "has_more": page.more}

    async def retrieve(self, request: web.Request) -> object:
        batch = self._batch(request)
        batch.used("retrieved")
        self._simulation.audit.batch("retrieved")
        return batch_view(batch)

    async def cancel(self, request: web.Request) -> object:
        batch = self._batch(request)
        if batch.ended:
            raise RequestRefusedError(409, f"Cannot cancel a batch with status '{batch.phase}'.")
        batch.used("cancelled")
        self._simulation.audit.batch("cancelled")
        batch.cancel()
        return batch_view(batch)

    def _batch(self, request: web.Request) -> Batch:
        batch_id = request.match_info["batch"]
        batch = self._book.get(batch_id)
        if batch is None:
            raise RequestRefusedError(404, f"No batch found with id '{batch_id}'.")
        return batch

    def _order(self, body: Body) -> Order:
        endpoint, file_id = required_text(body, "endpoint"), required_text(body, "input_file_id")
        if endpoint not in ENDPOINTS:
            message = f"Invalid value: '{endpoint}'. This simulated API knows {', '.join(ENDPOINTS)}."
            raise RequestRefusedError(400, message, code="invalid_value", param="endpoint")
        if required_text(body, "completion_window") != "24h":
            message = "Invalid value. Supported values are: '24h'."
            raise RequestRefusedError(400, message, code="invalid_value", param="completion_window")
        metadata = _metadata(body.get("metadata"))
        file = self._files.get(file_id)
        if file is None or file.kind != "batch":
            message = f"Invalid 'input_file_id': no file with id '{file_id}' and purpose 'batch'."
            raise RequestRefusedError(400, message, code="invalid_value", param="input_file_id")
        rows = RowFile(file.path)
        for span in islice(line_spans(file.path), self._simulation.how.batches.openai_rows + 1):
            rows.add(span)
        facts: dict[str, JSONValue] = {"endpoint": endpoint, "input_file_id": file_id}
        return Order(openai_desk(endpoint), rows, metadata, facts)

    def _problems(self, order: Order, found: Survey) -> list[Problem]:
        """What fails the batch: once it is validated, never when it is created."""
        most = self._simulation.how.batches.openai_rows
        if not len(order.rows):
            return [Problem("empty_file", "The input file is empty.")]
        if len(order.rows) > most:
            message = f"The batch input file contains more than the maximum of {most} requests."
            return [Problem("too_many_tasks", message)]
        repeated = [
            Problem("duplicate_custom_id", f"The custom_id '{key}' is used more than once.", line, "custom_id")
            for key, line in found.repeated
        ]
        return (found.problems + repeated)[:MOST_PROBLEMS] or self._model_problems(found)

    def _model_problems(self, found: Survey) -> list[Problem]:
        models = list(found.tokens)
        if len(models) > 1:
            message = f"All requests of a batch must use one model, found {', '.join(models)}."
            return [Problem("model_mismatch", message, None, "body.model")]
        for model in models:
            if not self._simulation.serves(model):
                message = f"The model `{model}` does not exist or you do not have access to it."
                return [Problem("model_not_found", message, None, "body.model")]
            quotas = self._simulation.how.batches.openai_enqueued_tokens
            quota = quotas.get(model, quotas.get(DEFAULT_MODEL))
            wanted = found.tokens[model] + enqueued_tokens(self._simulation, OPENAI.name, model)
            if quota is not None and wanted > quota:
                return [QUEUE_FULL]
        return []

    def _ended(self, batch: Batch, ending: Ending) -> None:
        """Publish the result files, as far as there are any."""
        for path, word in ((batch.output, "output"), (batch.errors, "error")):
            if ending == "failed" or not path.exists():
                continue
            name = f"{batch.id}_{word}.jsonl"
            file = StoredFile(f"file-{self._simulation.new_name()}", name, "batch_output", path, batch)
            self._files.add(file)
            if word == "output":
                batch.output_id = file.id
            else:
                batch.error_id = file.id


def _metadata(given: JSONValue) -> dict[str, JSONValue] | None:
    if given is None:
        return None
    if not isinstance(given, dict) or len(given) > _MOST_METADATA:
        message = f"Invalid 'metadata': expected an object of at most {_MOST_METADATA} pairs."
        raise RequestRefusedError(400, message, code="invalid_type", param="metadata")
    for name, value in given.items():
        if not isinstance(value, str) or len(value) > _LONGEST_VALUE or len(name) > _LONGEST_NAME:
            message = (
                f"Invalid 'metadata.{name[:_LONGEST_NAME]}': names have at most {_LONGEST_NAME} characters, values "
                f"are strings of at most {_LONGEST_VALUE}."
            )
            raise RequestRefusedError(400, message, code="string_above_max_length", param="metadata")
    return given
