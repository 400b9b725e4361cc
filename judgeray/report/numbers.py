"""How numbers are spelled in reports: as study 1 prints them, and a dash where nothing is known."""

from __future__ import annotations

UNKNOWN = "—"


def fixed(value: float | None, digits: int) -> str:
    """Spell a number with so many decimals."""
    return UNKNOWN if value is None else f"{value:.{digits}f}"


def signed(value: float | None, digits: int) -> str:
    """Spell a difference, its sign always shown; zero has none."""
    if value is None:
        return UNKNOWN
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def p_value(value: float | None) -> str:
    """Spell a p-value: four decimals, or powers of ten below one in a thousand."""
    if value is None:
        return UNKNOWN
    return f"{value:.4f}" if value >= 0.001 else f"{value:.2e}"


def interval(low: str, high: str) -> str:
    """Put two spelled ends in brackets; nothing where there is no interval."""
    return "" if UNKNOWN in (low, high) else f" [{low}, {high}]"
