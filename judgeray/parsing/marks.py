"""Quotation marks that models write where JSON wants ASCII."""

from __future__ import annotations

DOUBLE = "\u201c\u201d\u201e"
SINGLE = "\u2018\u2019"
QUOTES = "\"'" + DOUBLE + SINGLE
WIDE_COLON = "\uff1a"
