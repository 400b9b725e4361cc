"""The budget: money is set aside before a call is sent, and corrected when its reply says what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Answer = Literal["yes", "wait", "no"]


@dataclass
class Purse:
    """One budget for all accounts of a run, in US dollars. Plain and synchronous.

    `spent_usd` starts with what earlier sessions spent. Spent and set aside together never exceed the budget.
    """

    budget_usd: float
    spent_usd: float = 0.0
    aside_usd: float = 0.0

    def reserve(self, amount_usd: float) -> Answer:
        """Set an amount aside. `wait`: not now, but replies on their way may free some. `no`: never again."""
        if self.spent_usd + self.aside_usd + amount_usd <= self.budget_usd:
            self.aside_usd += amount_usd
            return "yes"
        return "wait" if self.aside_usd > 1e-12 else "no"

    def commit(self, amount_usd: float) -> None:
        """Set aside what an earlier session has sent already, whether the budget covers it or not."""
        self.aside_usd += amount_usd

    def settle(self, reserved_usd: float, cost_usd: float) -> None:
        """Replace what was set aside by what was spent."""
        self.aside_usd = max(0.0, self.aside_usd - reserved_usd)
        self.spent_usd += cost_usd
