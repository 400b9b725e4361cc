"""Simulated edits: terms in square brackets made wrong, all marks left in their places."""

from __future__ import annotations

import re

from judgeray.emulator.draws import uniform
from judgeray.emulator.perturbation_words import wrong_term

UNTAGGED_SHARE = 0.03
KEPT_CHANGED_SHARE = 0.03

_TO_CHANGE, _TO_KEEP = re.compile(r"\[([^\[\]]*)\]"), re.compile(r"\{\{([^{}]*)\}\}")


def edit(text: str, *names: str) -> str:
    """Put a wrong term into each pair of square brackets, picked by draws from `names`."""
    return _TO_CHANGE.sub(lambda found: f"[{wrong_term(found[1], _draw(found, names))}]", text)


def with_kept_term_changed(text: str, *names: str) -> str:
    """Do to the first term in braces what is done to those in brackets."""
    return _TO_KEEP.sub(lambda found: f"{{{{{wrong_term(found[1], _draw(found, names))}}}}}", text, count=1)


def written_edit(before: str, after: str) -> str:
    """Write an edited text as the prompt asks for it."""
    pairs = zip(_TO_CHANGE.findall(before), _TO_CHANGE.findall(after), strict=True)
    thinking = "; ".join([f"{old}: {new}" for old, new in pairs])
    return f"<thinking>{thinking}</thinking>\n<output>{after}</output>"


def untagged_edit(after: str) -> str:
    """Write an edited text outside all tags."""
    return f"Here is the text with its changes.\n\n{after}"


def _draw(found: re.Match[str], names: tuple[str, ...]) -> float:
    return uniform("term", found[1], str(found.start()), *names)
