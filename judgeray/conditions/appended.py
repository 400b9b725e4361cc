"""Conditions that append a fixed text to the candidate: a notice, empty phrases, or general statements.

`distractor` and `padding` are study 1's (arXiv 2603.28005, section 5, "Perturbations"), which does not print its
wording. `padding_true` and `padding_false` go beyond it: equally long, they part what length does from what
irrelevant truth or falsehood does.
"""

from __future__ import annotations

from dataclasses import replace

from judgeray.conditions.condition import Change, Condition, Setting
from judgeray.conditions.texts import DEFAULT_TEXTS


def joined(candidate: str, text: str) -> str:
    """Put one blank between candidate and text, both verbatim; an empty candidate leaves the text alone."""
    return f"{candidate} {text}" if candidate else text


def _appended(name: str, meaning: str) -> Condition:
    def bind(setting: Setting) -> Change:
        text = setting.texts.get(name, DEFAULT_TEXTS[name])
        return lambda row: replace(row, candidate=joined(row.candidate, text))

    return Condition(name, meaning, bind)


DISTRACTOR = _appended(
    "distractor", "A fixed notice that has nothing to do with the question follows the candidate."
)
PADDING = _appended("padding", "A fixed stretch of phrases without content follows the candidate.")
PADDING_TRUE = _appended(
    "padding_true", "Fixed general statements, all true and none about the question, follow the candidate."
)
PADDING_FALSE = _appended(
    "padding_false",
    "Fixed general statements, all false and none about the question, follow the candidate; "
    "as many words as in padding_true.",
)
