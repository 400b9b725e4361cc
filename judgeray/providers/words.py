"""A provider's words, made fit to be shown and kept: one line, not endless, valid UTF-8, without keys."""

from __future__ import annotations

from judgeray.providers.keys import hide_keys

MOST_CHARACTERS = 500
"""Error texts may quote a whole prompt or a web page; this much of them says what went wrong."""


def fit_to_show(text: str, key: str = "", most_characters: int = MOST_CHARACTERS) -> str:
    """Blank keys, put everything on one line, spell out what cannot be printed, and cut what is too long."""
    # Keys first: a cut or a changed character would leave part of one standing.
    line = " ".join(hide_keys(text, key).split())
    if len(line) > most_characters:
        line = f"{line[:most_characters]}..."
    return "".join(_printable(character) for character in line)


def _printable(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
