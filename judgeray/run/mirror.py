"""A run directory in an object store: worked on in a local folder, from which what changed is sent there.

Replies, batches and logs are never mirrored: they are written where they belong, at once.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.run.derived import NOTE
from judgeray.storage.files import sha256_of
from judgeray.storage.objects import download, download_all, put, remove, tree, upload, upload_all
from judgeray.storage.place import Place, place_of

ORIGIN = ".origin"
"""In a working folder: the URL that it stands for."""

APART = ("replies", "batches", "logs", "export")
"""Folders of a run directory that are not copied here."""

PROGRESS = "progress.json"
SMALL = (PROGRESS, "manifest.yaml", "provenance.json")
"""What tells of a run without its records."""

PROGRESS_SECONDS = 5.0


class Mirror:
    """A working folder and the place that it stands for."""

    def __init__(self, place: UPath, folder: Path) -> None:
        self.place, self.folder = place, folder
        self._sent: dict[str, str] = {}
        folder.mkdir(parents=True)
        (folder / ORIGIN).write_text(str(place), encoding="utf-8")

    def pull(self, only: Collection[str] | None = None) -> bool:
        """Copy the run's files here, all or `only` those; False where there is none."""
        if only is None:
            names = [name for name in tree(self.place) if name.partition("/")[0] not in APART]
            download_all([(self.place / name, self.folder / name) for name in names])
        else:
            names = [name for name in only if self._pull_one(name)]
        self._sent = {name: sha256_of(self.folder / name) for name in names}
        return bool(names)

    def _pull_one(self, name: str) -> bool:
        try:
            download(self.place / name, self.folder / name)
        except FileNotFoundError:
            return False
        return True

    def push(self) -> None:
        """Send files that are new or changed, and remove those that were pulled and are gone.

        The note of what is derived goes first and comes last: a push that was cut off leaves none.
        """
        here = {name: sha256_of(self.folder / name) for name in _files(self.folder)}
        changed = [name for name, digest in here.items() if self._sent.get(name) != digest]
        gone = self._sent.keys() - here.keys()
        if changed or gone:
            remove([self.place / NOTE])
            upload_all([(self.folder / name, self.place / name) for name in changed if name != NOTE])
            remove(self.place / name for name in gone)
            upload_all([(self.folder / NOTE, self.place / NOTE)] if NOTE in here else [])
        self._sent = here

    def send(self, name: str) -> None:
        """Send one file as it is now."""
        upload(self.folder / name, self.place / name)
        self._sent[name] = sha256_of(self.folder / name)

    @contextmanager
    def keeping(self, name: str) -> Iterator[None]:
        """Send one file again and again while something else goes on, whenever it has changed."""
        ended = threading.Event()
        thread = threading.Thread(target=self._send, args=(name, ended), name=f"send {name}", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _send(self, name: str, ended: threading.Event) -> None:
        last = b""
        while not ended.wait(PROGRESS_SECONDS):
            path = self.folder / name
            data = path.read_bytes() if path.exists() else last
            if data != last:
                with suppress(BadInputError):  # for onlookers alone; what must be kept says so itself
                    put(self.place / name, data)
                last = data


@contextmanager
def write_to(place: Place) -> Iterator[tuple[Path, Mirror | None]]:
    """Give a local folder to write a run in, with what tells of an earlier session, and its mirror if any."""
    if isinstance(place, Path):
        yield place, None
        return
    with mirrored(place) as mirror:
        mirror.pull(only=SMALL)
        yield mirror.folder, mirror


@contextmanager
def work_on(place: Place, only: Collection[str] | None = None, send: bool = False) -> Iterator[Path]:
    """Give a local folder with a run's files: the run directory itself, or a copy that ends with the block.

    `only` names the files that are needed. With `send`, what changed in a copy is sent back at the end. Raises
    BadInputError for a URL where there is no run; messages from within name the URL and not the copy.
    """
    if isinstance(place, Path):
        yield place
        return
    with mirrored(place) as mirror:
        if not mirror.pull(only):
            raise BadInputError(f"{place}: nothing is there; is this a run directory?")
        yield mirror.folder
        if send:
            mirror.push()


@contextmanager
def work_on_log(place: Place) -> Iterator[Path]:
    """Give a local copy of a run directory or of a single file; what is made of it beside it is sent back.

    Raises BadInputError for a URL where there is neither.
    """
    if isinstance(place, Path) or tree(place):
        with work_on(place, send=True) as folder:
            yield folder
        return
    with mirrored(place.parent) as mirror:
        if not mirror.pull(only=[place.name]):
            raise BadInputError(f"{place}: nothing is there; name a run directory or one file.")
        yield mirror.folder / place.name
        mirror.push()


@contextmanager
def mirrored(place: UPath) -> Iterator[Mirror]:
    """Give a mirror with an empty folder of the same name, which ends with the block."""
    with TemporaryDirectory(prefix="judgeray-run-") as temporary:
        mirror = Mirror(place, Path(temporary) / (place.name or "run"))
        try:
            yield mirror
        except BadInputError as error:
            raise BadInputError(str(error).replace(str(mirror.folder), str(place))) from error


def origin(folder: Path) -> Place:
    """Give the place that a folder stands for: itself, or the URL that it is a copy of."""
    note = folder / ORIGIN
    return place_of(note.read_text(encoding="utf-8")) if note.is_file() else folder


def shown(path: Path) -> str:
    """Spell a path for people: one in a copy by the URL that it will have there."""
    for folder in path.parents:
        if (folder / ORIGIN).is_file():
            return f"{origin(folder)}/{path.relative_to(folder).as_posix()}"
    return str(path)


def _files(folder: Path) -> list[str]:
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in names if name != ORIGIN)
