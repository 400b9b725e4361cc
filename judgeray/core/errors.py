"""The one exception that means "you, the user, can mend this"."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class BadInputError(Exception):
    """Input that a user must mend: printed without a traceback, exit code 2, before any money is spent."""


def bad_value(where: str, field: str, found: object, allowed: Iterable[str]) -> BadInputError:
    """Build the message for a value outside a known list: place, field, value found, values allowed."""
    options = sorted(allowed)
    near = get_close_matches(str(found), options, n=1, cutoff=0.5)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    return BadInputError(f"{where}: {field}: found '{found}', allowed: {', '.join(options) or 'nothing'}.{hint}")
