"""All writers by name. A new writer is one file and one line here."""

from __future__ import annotations

from judgeray.writers.answer import ANSWER
from judgeray.writers.writer import Writer

WRITERS: dict[str, Writer] = {writer.name: writer for writer in (ANSWER,)}
