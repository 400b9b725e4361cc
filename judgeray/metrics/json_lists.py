"""Reading a list that a reply states under a key of a JSON object: wholly and once, or not at all."""

from __future__ import annotations

from judgeray.core.canonical import JSONValue
from judgeray.parsing.strict import strict_object
from judgeray.parsing.survey import survey
from judgeray.parsing.values import Pairs
from judgeray.parsing.vocabulary import normal_form


def stated_list(text: str, key: str) -> list[JSONValue] | None:
    """Read the list under `key` in the text as one object, or in the objects that stand in it.

    None where there is none, where two differ, and where an object with the key breaks off: of a list that was
    cut nobody can tell what is missing.
    """
    whole = strict_object(text)
    stated = _values(whole, key) if whole is not None else _embedded(text, key)
    if not stated or any(value != stated[0] for value in stated):
        return None
    return stated[0] if isinstance(stated[0], list) else None


def field(entry: JSONValue, name: str) -> JSONValue:
    """The value that an object gives under a name, in any spelling of it; None where it gives none or two."""
    if not isinstance(entry, dict):
        return None
    found = [value for key, value in entry.items() if normal_form(key) == name]
    return found[0] if len(found) == 1 else None


def _embedded(text: str, key: str) -> list[JSONValue]:
    seen = survey(text)
    for broken in seen.fragments:
        names = [name for name, _ in broken.pairs] + [broken.cut_key or ""]
        if any(normal_form(name) == key for name in names):
            return []
    return [value for pairs in seen.objects for value in _values(pairs, key)]


def _values(pairs: Pairs, key: str) -> list[JSONValue]:
    return [value for name, value in pairs if normal_form(name) == key]
