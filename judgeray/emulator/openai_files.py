"""OpenAI's files: `/files`, uploaded by clients or written by batches."""

from __future__ import annotations

from collections.abc import AsyncIterator

from aiohttp import BodyPartReader, MultipartReader, web

from judgeray.emulator.answer import Answer, FileAnswer
from judgeray.emulator.batch_download import results_answer
from judgeray.emulator.openai_api import OPENAI
from judgeray.emulator.openai_lists import page_of
from judgeray.emulator.openai_routes import PREFIX
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.served import served
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.spool import CHUNK_BYTES, Spool
from judgeray.emulator.stored_files import StoredFile

PURPOSES = ("assistants", "batch", "evals", "fine-tune", "user_data", "vision")
_MOST_LISTED = 10_000


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """Routes of files."""
    files = _Files(simulation)
    one = f"{PREFIX}/files/{{file}}"
    return [
        web.post(f"{PREFIX}/files", served(OPENAI, simulation, files.upload, "upload")),
        web.get(f"{PREFIX}/files", served(OPENAI, simulation, files.listing, "list")),
        web.get(one, served(OPENAI, simulation, files.retrieve, "poll")),
        web.get(f"{one}/content", served(OPENAI, simulation, files.content, "results")),
        web.delete(one, served(OPENAI, simulation, files.delete, "delete")),
    ]


class _Files:
    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._book = simulation.files[OPENAI.name]

    async def upload(self, request: web.Request) -> object:
        if request.content_type != "multipart/form-data":
            raise RequestRefusedError(400, "Expected a multipart/form-data body.")
        sizes = self._simulation.how.batches
        spool = Spool(self._simulation.new_path(), sizes.openai_file_bytes)
        try:
            name, purpose = await _read_form(await request.multipart(), spool)
            most_bytes = sizes.openai_bytes if purpose == "batch" else sizes.openai_file_bytes
            _check_size(spool.size, most_bytes)
        except (RequestRefusedError, ConnectionError):
            spool.discard()
            raise
        file = StoredFile(f"file-{self._simulation.new_name()}", name, purpose, spool.path)
        self._book.add(file)
        return _view(file)

    async def listing(self, request: web.Request) -> object:
        purpose = request.query.get("purpose")
        files = [file for file in self._book.newest_first() if purpose in (None, file.kind)]
        if request.query.get("order") == "asc":
            files.reverse()
        page, more = page_of(files, [file.id for file in files], request.query, _MOST_LISTED, _MOST_LISTED)
        data = [_view(file) for file in page]
        first, last = (page[0].id, page[-1].id) if page else (None, None)
        return {"object": "list", "data": data, "first_id": first, "last_id": last, "has_more": more}

    async def retrieve(self, request: web.Request) -> object:
        return _view(self._file(request))

    async def content(self, request: web.Request) -> Answer:
        file = self._file(request)
        if file.batch is not None and file.path == file.batch.output:
            return results_answer(self._simulation, file.batch, "application/octet-stream")
        return FileAnswer(path=file.path)

    async def delete(self, request: web.Request) -> object:
        file = self._file(request)
        self._book.delete(file.id)
        return {"id": file.id, "object": "file", "deleted": True}

    def _file(self, request: web.Request) -> StoredFile:
        file_id = request.match_info["file"]
        file = self._book.get(file_id)
        if file is None:
            raise RequestRefusedError(404, f"No such File object: {file_id}", param="id")
        return file


def _check_size(size: int, most_bytes: int) -> None:
    if size > most_bytes:
        message = f"Maximum content size limit ({most_bytes}) exceeded ({size} bytes read)"
        raise RequestRefusedError(413, message, code="file_too_large", param="file")


async def _read_form(form: MultipartReader, spool: Spool) -> tuple[str, str]:
    """Read an upload; returns the file's name and its purpose."""
    name, purpose = None, None
    try:
        while (part := await form.next()) is not None:
            if not isinstance(part, BodyPartReader):
                continue
            if part.name == "file":
                name = part.filename or "upload"
                await spool.fill(_chunks(part))
            elif part.name == "purpose":
                purpose = await part.text()
    except ValueError as error:
        raise RequestRefusedError(400, "Could not parse multipart form.") from error
    if name is None:
        raise RequestRefusedError(400, "'file' is a required property", param="file")
    if purpose not in PURPOSES:
        raise RequestRefusedError(400, f"'{purpose}' is not one of {list(PURPOSES)} - 'purpose'", param="purpose")
    return name, purpose


async def _chunks(part: BodyPartReader) -> AsyncIterator[bytes]:
    while chunk := await part.read_chunk(CHUNK_BYTES):
        yield bytes(chunk)


def _view(file: StoredFile) -> object:
    return {
        "id": file.id,
        "object": "file",
        "bytes": file.size,
        "created_at": int(file.created),
        "expires_at": None,
        "filename": file.name,
        "purpose": file.kind,
        "status": "processed",
        "status_details": None,
    }
