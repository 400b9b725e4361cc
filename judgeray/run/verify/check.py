"""One check of a run directory, and what it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

DETAILS = 20
"""Differences of one check that are told one by one; all are counted."""


@dataclass(frozen=True)
class Check:
    """`told` says in one line what was looked at and what was found, `details` the first differences."""

    name: str
    differs: bool
    told: str
    details: tuple[str, ...] = ()


def checked(name: str, agrees: str, differences: Sequence[str]) -> Check:
    """Build a check from its differences; `agrees` is told where there are none."""
    if not differences:
        return Check(name, False, agrees)
    more = len(differences) - DETAILS
    told = (*differences[:DETAILS], *([f"and {more:,} more"] if more > 0 else []))
    return Check(name, True, f"{len(differences):,} differ", told)
