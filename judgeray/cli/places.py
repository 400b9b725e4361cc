"""Paths and URLs on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path

from judgeray.core.errors import BadInputError
from judgeray.storage.place import Place, place_of


def place(text: str) -> Place:
    """A local path or a URL of an object store, for argparse."""
    try:
        return place_of(text)
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def local_path(text: str) -> Path:
    """A path on this machine, for argparse."""
    found = place(text)
    if not isinstance(found, Path):
        raise argparse.ArgumentTypeError(f"found '{text}', allowed: a path on this machine")
    return found
