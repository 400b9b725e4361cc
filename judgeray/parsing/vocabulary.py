"""The words a reading looks for: one key and the labels it may name, each in its normal form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from judgeray.core.canonical import JSONValue

# Models write the Unicode hyphens U+2010 and U+2011 inside compound words.
_JOINT = r"[\s_\-\u2010\u2011]"
_JOINTS = re.compile(rf"{_JOINT}+")
_PLACEHOLDER = re.compile(r"[{<\[].*[}>\]]|\.{2,}|…", re.DOTALL)


@dataclass(frozen=True)
class Vocabulary:
    """`key` in normal form; `labels` from normal form to the spelling asked for; patterns that find them."""

    key: str
    labels: Mapping[str, str]
    key_pattern: str
    label_pattern: str

    def is_key(self, name: str) -> bool:
        """Whether a JSON field's name is the key."""
        return normal_form(name) == self.key

    def label(self, value: JSONValue) -> str | None:
        """The label that a JSON value names: a string, a number by its JSON spelling, or a list of one."""
        if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], list):
            return self.label(value[0])
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self.labels.get(normal_form(json.dumps(value)))
        return self.labels.get(normal_form(value)) if isinstance(value, str) else None

    def is_echo(self, value: JSONValue) -> bool:
        """Whether a value repeats the answer format: a placeholder, or all labels to choose from."""
        if isinstance(value, list):
            value = " | ".join(item for item in value if isinstance(item, str))
        if not isinstance(value, str):
            return False
        if _PLACEHOLDER.fullmatch(value.strip()):
            return True
        named = re.findall(rf"(?<!\w){self.label_pattern}(?!\w)", value)
        return len(self.labels) > 1 and {normal_form(name) for name in named} >= set(self.labels)


def normal_form(text: str) -> str:
    """Lower case, with each run of blanks, hyphens and underscores written as one underscore."""
    return _JOINTS.sub("_", text.strip().lower())


@lru_cache(maxsize=64)
def vocabulary(key: str, labels: tuple[str, ...]) -> Vocabulary:
    """Build (once) the vocabulary of a key and its labels."""
    # Longer labels first, so that "A>>B" is not found as "A".
    patterns = [_spellings(label) for label in sorted(labels, key=len, reverse=True)]
    forms = {normal_form(label): label for label in labels}
    return Vocabulary(normal_form(key), forms, _spellings(key), f"(?:{'|'.join(patterns)})")


def _spellings(words: str) -> str:
    """A pattern for all spellings of a key or label that share a normal form."""
    parts = [re.escape(part) for part in _JOINTS.split(words.strip())]
    return f"(?i:{(_JOINT + '{1,4}').join(parts)})"
