"""Whether tables and report still are what they would be made to again, so that a rerun need not make them.

`derived.json` holds the SHA-256 of provenance.json, from which and from the records they were made, and of each of
them. It is removed before a record changes, and written last.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from judgeray.storage.files import sha256_of, write_whole

NOTE = "derived.json"


def forget_derived(output: Path) -> None:
    """Say that what is derived may be so no more."""
    (output / NOTE).unlink(missing_ok=True)


def note_derived(output: Path) -> None:
    """Write down what tables and report are, and were made from."""
    text = json.dumps(_told(output), indent=2, sort_keys=True)
    write_whole(output / NOTE, f"{text}\n".encode("ascii"))


def still_derived(output: Path) -> bool:
    """Whether no file is another, missing or new since it was written down, and provenance.json is the same."""
    try:
        noted = json.loads((output / NOTE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False
    return bool(noted == _told(output))


def _told(output: Path) -> dict[str, str]:
    return {path.relative_to(output).as_posix(): sha256_of(path) for path in _files(output)}


def _files(output: Path) -> Iterator[Path]:
    named = (output / name for name in ("provenance.json", "report.html", "report.md"))
    yield from (path for path in named if path.is_file())
    yield from sorted((output / "tables").glob("*"))
