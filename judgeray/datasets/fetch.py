"""Fetching the public benchmark files from their official addresses."""

from __future__ import annotations

import gzip
import shutil
import zipfile
from hashlib import file_digest
from pathlib import Path, PurePosixPath

from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.download import download
from judgeray.datasets.official import OFFICIAL, OfficialFile
from judgeray.datasets.records import shown

_GZIP_MAGIC = b"\x1f\x8b"


def fetch(name: str, folder: Path, url: str | None = None, sha256: str | None = None) -> Path:
    """Give the path of benchmark file `name` (a key of OFFICIAL) in `folder`, downloading it where needed.

    `url` names a mirror instead of the official address. The checksum (of the file as kept, after unpacking)
    is `sha256`, else the known one; a mirror must serve the same bytes. Where none is known, the first
    download is trusted: its checksum is written beside the file as `NAME.sha256`, and holds from then on, so
    that a later change is noticed, but nothing proves that the first download was right. A file that is there
    already is checked in the same way and not downloaded again.

    Raises BadInputError on an unknown name, a download that fails (see `download`; run again to resume), a
    wrong checksum, and an archive without the wanted member.
    """
    if name not in OFFICIAL:
        raise bad_value("fetch", "name", name, OFFICIAL)
    official = OFFICIAL[name]
    address = url or official.url
    target = folder / official.file_name
    folder.mkdir(parents=True, exist_ok=True)
    expected = sha256 or official.sha256 or _recorded(target)
    if not target.exists():
        _obtain(address, official, target, expected)
    elif expected is not None and _sha256(target) != expected:
        raise BadInputError(
            f"{target}: sha256 is {_sha256(target)}, expected {expected}; delete the file to fetch it again"
        )
    _record(target, expected)
    return target


def _obtain(address: str, official: OfficialFile, target: Path, expected: str | None) -> None:
    part = target.with_name(target.name + ".part")
    fresh = target.with_name(target.name + ".new")
    download(address, part)
    try:
        _unpack(part, official.member, fresh, address)
        found = _sha256(fresh)
        if expected is not None and found != expected:
            raise BadInputError(f"{address}: sha256 is {found}, expected {expected}; the download was dropped")
        fresh.replace(target)
    finally:
        # A complete download that does not fit would only be "resumed" for ever.
        part.unlink(missing_ok=True)
        fresh.unlink(missing_ok=True)


def _unpack(archive: Path, member: str | None, target: Path, address: str) -> None:
    with archive.open("rb") as stream:
        packed = stream.read(2) == _GZIP_MAGIC
    try:
        if member is not None and zipfile.is_zipfile(archive):
            _unzip(archive, member, target, address)
        elif packed:
            with gzip.open(archive) as inner, target.open("wb") as outer:
                shutil.copyfileobj(inner, outer)
        else:
            archive.replace(target)
    except (zipfile.BadZipFile, gzip.BadGzipFile, EOFError) as error:
        raise BadInputError(f"{address}: broken archive: {error}") from error


def _unzip(archive: Path, member: str, target: Path, address: str) -> None:
    with zipfile.ZipFile(archive) as bundle:
        names = [name for name in bundle.namelist() if PurePosixPath(name).name == member]
        if len(names) != 1:
            raise BadInputError(
                f"{address}: found {len(names)} files '{member}' in the archive, expected one; "
                f"it holds: {shown(bundle.namelist())}"
            )
        with bundle.open(names[0]) as inner, target.open("wb") as outer:
            shutil.copyfileobj(inner, outer)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def _sidecar(target: Path) -> Path:
    return target.with_name(target.name + ".sha256")


def _recorded(target: Path) -> str | None:
    sidecar = _sidecar(target)
    words = sidecar.read_text("utf-8").split() if sidecar.exists() else []
    return words[0] if words else None


def _record(target: Path, expected: str | None) -> None:
    # The form that `sha256sum --check` reads.
    _sidecar(target).write_text(f"{expected or _sha256(target)}  {target.name}\n", "utf-8")
