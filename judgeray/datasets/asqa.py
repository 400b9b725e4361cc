"""ASQA: a long answer against the first half of the sub-questions it should cover.

Three layouts are read: the original object `{"train": {id: {...}}, "dev": {id: {...}}}`, a list of records
with `id`, and ALCE's list with `sample_id`, `question` and retrieved `docs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judgeray.core.errors import BadInputError
from judgeray.datasets.construction import Pair, Scheme, construct, first_half
from judgeray.datasets.files import only_file
from judgeray.datasets.reading import json_document
from judgeray.datasets.records import as_record, as_text, expect_fields, id_of, items_of, shown, text_of
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row, Skip

SCHEME = Scheme(supported="full", short="partial", short_label="partially_supported")
DEFAULT_SPLIT = "dev"

_FIELDS = (("id", "sample_id"), ("ambiguous_question", "question"), ("qa_pairs",), ("annotations", "answer"))


def load_asqa(source: DatasetSource) -> Iterator[Row | Skip]:
    """Yield variants `full` and `partial` of each question; `complexity` is the number of qa_pairs.

    The reference is the first annotation's long answer, verbatim (ALCE's `answer` where a record has no
    annotations); the second annotation's is the second reference, None where it is missing or blank. Skipped:
    fewer than two qa_pairs, a blank long answer, a blank text among the used pairs. Raises BadInputError where the
    file has another layout or lacks the split.
    """
    file = only_file(source)
    records = _records(json_document(file), source.split, file.where)
    records = expect_fields(file.where, source.layout, records, _FIELDS)
    yield from construct(source.name, records, lambda _, record: id_of(record, "id", "sample_id"), _read, SCHEME)


def _records(document: object, split: str | None, where: str) -> Iterator[object]:
    if isinstance(document, list):
        if split is not None:
            raise BadInputError(f"{where}: split: found '{split}', but the file is a list without splits")
        return iter(document)
    splits = document if isinstance(document, dict) else {}
    questions = splits.get(split or DEFAULT_SPLIT)
    if not isinstance(questions, dict):
        raise BadInputError(
            f"{where}: split: found no object '{split or DEFAULT_SPLIT}'; the file has: {shown(list(splits))}"
        )
    return ({**item, "id": key} if isinstance(item, dict) else item for key, item in questions.items())


def _read(record: Mapping[str, object]) -> Pair:
    pairs = items_of(record, "qa_pairs")
    return Pair(
        question=text_of(record, "ambiguous_question", "question"),
        reference=_long_answer(record),
        short_candidate=" ".join(_fragment(pair) for pair in first_half(pairs, "qa_pairs")),
        complexity=len(pairs),
        other_reference=_second_long_answer(record),
    )


def _long_answer(record: Mapping[str, object]) -> str:
    if not record.get("annotations"):
        return text_of(record, "answer")
    first = items_of(record, "annotations")[0]
    return text_of(as_record(first, "annotation"), "long_answer")


def _second_long_answer(record: Mapping[str, object]) -> str | None:
    """Take it if it is there: what no candidate uses does not cost the question."""
    annotations = record.get("annotations")
    second = annotations[1] if isinstance(annotations, list) and len(annotations) > 1 else None
    text = second.get("long_answer") if isinstance(second, Mapping) else None
    return text if isinstance(text, str) and text.strip() else None


def _fragment(pair: object) -> str:
    fields = as_record(pair, "qa_pair")
    short_answers = items_of(fields, "short_answers")
    answer = as_text(short_answers[0] if short_answers else None, "short answer")
    return f"{text_of(fields, 'question')} {answer}"
