"""Gemini's files: resumable uploads, lists and downloads."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, replace

from aiohttp import web

from judgeray.emulator.answer import Answer
from judgeray.emulator.api import json_body
from judgeray.emulator.batch_download import results_answer
from judgeray.emulator.gemini_api import GEMINI, VERSIONS
from judgeray.emulator.gemini_content import camel
from judgeray.emulator.gemini_lists import page_of
from judgeray.emulator.gemini_routes import PREFIX
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.served import served
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.spool import CHUNK_BYTES, Spool
from judgeray.emulator.stored_files import StoredFile
from judgeray.emulator.times import rfc3339

UPLOAD = f"/gemini/upload/{{version:{VERSIONS}}}/files"
_KEPT_SECONDS = 48 * 3600.0
_FILE_ID = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")
_ACTIVE, _FINAL = {"X-Goog-Upload-Status": "active"}, {"X-Goog-Upload-Status": "final"}
# An upload's URL is its credential: chunks carry no key.
_UPLOADS = replace(GEMINI, authenticate=lambda _headers: None)


@dataclass(eq=False)
class _Upload:
    file_id: str
    name: str
    media_type: str
    size: int
    spool: Spool


def routes(simulation: Simulation) -> list[web.RouteDef]:
    """Routes of files."""
    files = _Files(simulation)
    one = f"{PREFIX}/files/{{file:[^:/]+}}"
    return [
        web.post(UPLOAD, served(_UPLOADS, simulation, files.upload, "upload")),
        web.get(f"{PREFIX}/files", served(GEMINI, simulation, files.listing, "list")),
        web.get(f"{one}:download", served(GEMINI, simulation, files.download, "results")),
        web.get(one, served(GEMINI, simulation, files.get, "poll")),
        web.delete(one, served(GEMINI, simulation, files.delete, "delete")),
    ]


class _Files:
    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._book = simulation.files[GEMINI.name]
        self._uploads: dict[str, _Upload] = {}

    async def upload(self, request: web.Request) -> Answer:
        commands = {command.strip() for command in request.headers.get("X-Goog-Upload-Command", "").split(",")}
        if "start" in commands:
            GEMINI.authenticate(request.headers)
            return await self._start(request)
        return await self._append(request, final="finalize" in commands)

    async def _start(self, request: web.Request) -> Answer:
        most = self._simulation.how.batches.gemini_file_bytes
        size = request.headers.get("X-Goog-Upload-Header-Content-Length", "0")
        if not size.isdecimal() or int(size) > most:
            raise RequestRefusedError(400, f"File size {size[:40]} is not within {most} bytes.")
        about = (await json_body(request)).get("file") or {}
        if not isinstance(about, dict):
            raise RequestRefusedError(400, "Invalid value at 'file'")
        given = camel(about)
        upload_id = self._simulation.new_name()
        file_id = str(given.get("name") or f"files/{upload_id}").removeprefix("files/")
        if not _FILE_ID.fullmatch(file_id):
            raise RequestRefusedError(400, "file.name: lowercase letters, digits and dashes, at most 40.")
        if self._book.get(file_id) is not None:
            raise RequestRefusedError(409, f"File files/{file_id} already exists.")
        media_type = given.get("mimeType") or request.headers.get("X-Goog-Upload-Header-Content-Type", "")
        spool = Spool(self._simulation.new_path(), int(size))
        name = str(given.get("displayName") or "")
        self._uploads[upload_id] = _Upload(file_id, name, str(media_type), int(size), spool)
        url = f"{request.scheme}://{request.host}{request.path}?upload_id={upload_id}&upload_protocol=resumable"
        return Answer({}, headers={**_ACTIVE, "X-Goog-Upload-URL": url})

    async def _append(self, request: web.Request, *, final: bool) -> Answer:
        upload = self._uploads.get(request.query.get("upload_id", ""))
        if upload is None:
            raise RequestRefusedError(404, "Upload not found.", headers=_FINAL)
        if request.headers.get("X-Goog-Upload-Offset", "0") != str(upload.spool.size):
            raise RequestRefusedError(400, f"Upload offset must be {upload.spool.size}.", headers=_ACTIVE)
        await upload.spool.fill(request.content.iter_chunked(CHUNK_BYTES))
        if upload.spool.too_large or (final and upload.spool.size < upload.size):
            raise RequestRefusedError(400, f"The upload must have {upload.size} bytes.", headers=_FINAL)
        if not final:
            return Answer({}, headers=_ACTIVE)
        del self._uploads[request.query["upload_id"]]
        file = StoredFile(upload.file_id, upload.name, upload.media_type, upload.spool.path)
        file.digest = upload.spool.digest()
        self._book.add(file)
        return Answer({"file": _view(file, request)}, headers=_FINAL)

    async def listing(self, request: web.Request) -> object:
        files = self._book.newest_first()
        page, token = page_of(files, [file.id for file in files], request.query)
        return {"files": [_view(file, request) for file in page], **token}

    async def get(self, request: web.Request) -> object:
        return _view(self._file(request), request)

    async def download(self, request: web.Request) -> Answer:
        file = self._file(request)
        if file.batch is None:
            raise RequestRefusedError(400, "Only generated files can be downloaded.")
        return results_answer(self._simulation, file.batch, "application/jsonl")

    async def delete(self, request: web.Request) -> object:
        self._book.delete(self._file(request).id)
        return {}

    def _file(self, request: web.Request) -> StoredFile:
        file = self._book.get(request.match_info["file"])
        if file is None:
            # The API does not tell a file that is not there from one that is another's.
            message = (
                f"You do not have permission to access the File {request.match_info['file']} or it may not exist."
            )
            raise RequestRefusedError(403, message)
        return file


def _view(file: StoredFile, request: web.Request) -> object:
    uri = f"{request.scheme}://{request.host}/gemini/{request.match_info['version']}/files/{file.id}"
    view = {
        "name": f"files/{file.id}",
        "mimeType": file.kind,
        "sizeBytes": str(file.size),
        "createTime": rfc3339(file.created),
        "updateTime": rfc3339(file.created),
        "expirationTime": rfc3339(file.created + _KEPT_SECONDS),
        "sha256Hash": b64encode(file.digest).decode(),
        "uri": uri,
        "state": "ACTIVE",
        "source": "UPLOADED" if file.batch is None else "GENERATED",
    }
    if file.name:
        view["displayName"] = file.name
    if file.batch is not None:
        view["downloadUri"] = f"{uri}:download?alt=media"
    return view
