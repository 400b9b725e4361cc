"""Text from data, made harmless: visible on a terminal, inert in Markdown and HTML."""

from __future__ import annotations

import re
import unicodedata

_MARKDOWN = re.compile(r"[\\`*|~$#]|\](?=[(\[:])|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
"""Marks that act in running text. Brackets act only as a link or its definition, `_` only at a word's edge."""

_BIDI = {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A)), "\u200e", "\u200f", "\u061c"}


def visible(text: str) -> str:
    """Write control characters, lone surrogates, line separators and direction marks as their escapes.

    What is left moves no cursor, starts no line and reorders no text.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) if _acts(character) else character for character in text)


def block(text: str) -> str:
    """Make text harmless like `visible`, but keep its lines and tabs: for prompts and replies."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))


def markdown(text: str) -> str:
    """Escape text for a Markdown paragraph or table cell, also where HTML in Markdown is rendered."""
    plain = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = _MARKDOWN.sub(lambda found: f"\\{found[0]}", plain)
    return escaped.replace("://", "&#58;//")


def _acts(character: str) -> bool:
    return character in _BIDI or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
