"""Documents by id, for benchmarks that come without them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from judgeray.core.errors import BadInputError
from judgeray.datasets.files import only_file
from judgeray.datasets.reading import json_document
from judgeray.datasets.summaries_records import fields_of
from judgeray.datasets.summary_source import SummarySource

_IDS = ("doc_id", "document_id", "meeting_id", "id")
_TEXTS = ("document", "source", "doc", "text")


def documents_by_id(source: SummarySource) -> dict[str, str]:
    """Read the file that `source.documents` names, whole; empty where it names none.

    A JSON object (id -> text), or a table (CSV, JSON, JSON Lines, Parquet) with an id (`doc_id`, `document_id`,
    `meeting_id` or `id`) and a text (`document`, `source`, `doc` or `text`). Blank texts are none. Raises
    BadInputError for anything else, and where an id comes twice with different texts.
    """
    if source.documents is None:
        return {}
    here = replace(source, path=source.documents, layout="documents")
    return _from_object(here) if _holds_object(here) else _from_table(here)


def _holds_object(source: SummarySource) -> bool:
    """Whether the file is one JSON object; JSON Lines begin like one."""
    file = only_file(source)
    if not file.path.lower().endswith(".json"):
        return False
    with file.open() as stream:
        return stream.read(200).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def _from_object(source: SummarySource) -> dict[str, str]:
    file = only_file(source)
    found = json_document(file)
    if not isinstance(found, Mapping) or not all(isinstance(text, str) for text in found.values()):
        raise BadInputError(f"{file.where}: expected a JSON object of ids and texts")
    return {name: text for name, text in found.items() if text.strip()}


def _from_table(source: SummarySource) -> dict[str, str]:
    documents: dict[str, str] = {}
    for fields in fields_of(source, (_IDS, _TEXTS)):
        name, text = fields.name(*_IDS), fields.text(*_TEXTS)
        if name is None or text is None:
            continue
        if documents.setdefault(name, text) != text:
            raise BadInputError(f"{fields.where}: {fields.place}: document '{name}' comes twice, with other texts")
    return documents
