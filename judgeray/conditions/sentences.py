"""Where one sentence ends and the next begins: a plain rule, for changes of layout only."""

from __future__ import annotations

import re

SENTENCE_GAP = re.compile(r"(?:(?<=[^\s.]{3}\.)|(?<=[?!])) +(?=[^\sa-z])")
"""The blanks after "?", "!" or a period, before anything but a small Latin letter.

A period counts after three other characters, so that initials and short abbreviations ("A.", "St.", "U.S.") stay
with what follows. Where the rule errs, two sentences share a line; no word is ever lost.
"""
