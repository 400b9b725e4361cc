"""QAMPARI: a list of answers against its first half.

Three layouts are read: the original JSON lines (`question_text`, `qid`, `answer_list` of `answer_text` with
aliases), and lists of `question`, `id` and `answers` (each a list, main answer first) as in ALCE.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judgeray.datasets.construction import Pair, Scheme, construct, first_half
from judgeray.datasets.files import only_file
from judgeray.datasets.reading import json_records
from judgeray.datasets.records import OddQuestionError, as_record, as_text, expect_fields, id_of, items_of, text_of
from judgeray.datasets.source import DatasetSource
from judgeray.rows import Row, Skip

SCHEME = Scheme(supported="full", short="partial", short_label="partially_supported")

_IDS = ("qid", "id", "sample_id")
_FIELDS = (_IDS, ("question_text", "question"), ("answer_list", "answers"))


def load_qampari(source: DatasetSource) -> Iterator[Row | Skip]:
    """Yield variants `full` and `partial` of each question; `complexity` is the number of answers.

    Answers are joined verbatim with comma and blank. Skipped: fewer than two answers, or any blank answer.
    Raises BadInputError where the file has another layout.
    """
    file = only_file(source)
    records = expect_fields(file.where, source.layout, json_records(file), _FIELDS)
    yield from construct(source.name, records, lambda _, record: id_of(record, *_IDS), _read, SCHEME)


def _read(record: Mapping[str, object]) -> Pair:
    answers = _main_answers(record)
    return Pair(
        question=text_of(record, "question_text", "question"),
        reference=", ".join(answers),
        short_candidate=", ".join(map(str, first_half(answers, "answers"))),
        complexity=len(answers),
    )


def _main_answers(record: Mapping[str, object]) -> list[str]:
    if "answer_list" in record:
        listed = items_of(record, "answer_list")
        return [text_of(as_record(answer, "answer"), "answer_text") for answer in listed]
    return [_first_alias(answer) for answer in items_of(record, "answers")]


def _first_alias(aliases: object) -> str:
    if not isinstance(aliases, list) or not aliases:
        raise OddQuestionError("an answer is no list of aliases")
    return as_text(aliases[0], "answer")
