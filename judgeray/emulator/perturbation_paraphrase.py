"""Simulated paraphrases: the text with some of its small words changed, and no fact."""

from __future__ import annotations

import re

# No noun and no number is in here: a paraphrase brings no fact of its own.
_OTHERS = {
    "also": "likewise",
    "because": "since",
    "began": "started",
    "but": "yet",
    "ended": "stopped",
    "generally": "usually",
    "however": "still",
    "known as": "called",
    "made up of": "composed of",
    "mostly": "largely",
    "often": "frequently",
    "that was": "which was",
    "used": "employed",
    "usually": "commonly",
    "which is": "that is",
}
_FOUND = re.compile(rf"\b(?:{'|'.join(_OTHERS)})\b")
_LEAD_IN = "That is to say: "


def paraphrase(text: str) -> str:
    """Say a text with other small words; one without any of those that are known gets a lead-in instead."""
    changed = _FOUND.sub(lambda found: _OTHERS[found.group()], text)
    return changed if changed != text else _LEAD_IN + text
