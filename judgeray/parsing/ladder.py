"""The three rungs: the whole text as a JSON object, an object inside the text, a statement in prose.

A rung that finds a statement is final, whatever it says: two labels, or a word that is no label, give None
and not a look at the next rung. No rung ever guesses: what is cut off, quoted, nested in another field,
thought aloud or an echo of the answer format is no statement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from judgeray.core.canonical import JSONValue
from judgeray.parsing.objects import Found
from judgeray.parsing.prose import stated_labels, stated_numbers
from judgeray.parsing.strict import strict_object
from judgeray.parsing.survey import Survey, survey
from judgeray.parsing.values import Pairs
from judgeray.parsing.vocabulary import Vocabulary, vocabulary
from judgeray.rows import LABELS

Branch = Literal["whole", "embedded", "regex"]

NUMBERS = ("score", "confidence")
"""Fields recovered beside a label that stands in no readable object."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text states: a label or None, the branch that found it, and the other JSON fields beside it.

    Without a label, `branch` is None and `fields` is empty.
    """

    label: str | None
    branch: Branch | None
    fields: Mapping[str, JSONValue]


NOTHING = Reading(None, None, {})


def read_label(text: str, key: str = "verdict", labels: Sequence[str] = LABELS) -> Reading:
    """Read the label that `text` states under `key` (study 1, appendix H, "Output parsing", Table 20).

    `labels` are the labels allowed; case, blanks, hyphens and underscores are not told apart, numbers are
    compared by their JSON spelling. `fields` are the other top-level fields of the object read (of the last
    one where several agree; of a field given twice, the last value); beside a label recovered from text
    without a readable object they are `score` and `confidence`, where each is one number. Never raises.
    """
    words = vocabulary(key, tuple(labels))
    whole = strict_object(text)
    if whole is not None and (stated := _statements(whole, words)):
        return _reading("whole", stated, _others(whole, words))
    seen = survey(text)
    broken = [label for fragment in seen.fragments for label in _fragment_statements(fragment, words)]
    stating = [pairs for pairs in seen.objects if _statements(pairs, words)]
    if stating:
        stated = [label for pairs in stating for label in _statements(pairs, words)]
        return _reading("embedded", stated + broken, _others(stating[-1], words))
    return _reading("regex", broken + list(stated_labels(seen.prose, words)), _numbers(seen))


def _reading(branch: Branch, stated: Sequence[str | None], fields: Mapping[str, JSONValue]) -> Reading:
    label = stated[0] if len(set(stated)) == 1 else None
    return NOTHING if label is None else Reading(label, branch, fields)


def _statements(pairs: Pairs, words: Vocabulary) -> list[str | None]:
    """Labels given under the key, None for a value that is no label; echoes of the answer format are left out."""
    return [words.label(value) for name, value in pairs if words.is_key(name) and not words.is_echo(value)]


def _others(pairs: Pairs, words: Vocabulary) -> dict[str, JSONValue]:
    return {name: value for name, value in pairs if not words.is_key(name)}


def _fragment_statements(fragment: Found, words: Vocabulary) -> list[str | None]:
    # A value that the end of the text cut off says something, but nobody can tell what: it vetoes.
    cut = [None] if fragment.cut_key is not None and words.is_key(fragment.cut_key) else []
    return _statements(fragment.pairs, words) + cut


def _numbers(seen: Survey) -> dict[str, JSONValue]:
    found = {name: _fragment_numbers(seen, name) | stated_numbers(seen.prose, name) for name in NUMBERS}
    return {name: next(iter(values)) for name, values in found.items() if len(values) == 1}


def _fragment_numbers(seen: Survey, name: str) -> set[float]:
    values = [value for fragment in seen.fragments for field, value in fragment.pairs if field == name]
    return {value for value in values if isinstance(value, int | float) and not isinstance(value, bool)}
