"""The exact sign test where the number of discordant questions is left to chance.

Each question is discordant with some chance, and a discordant one is won by a with some chance, so the chance to
reject is averaged over the numbers of discordant questions that are likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, gammaln, ndtri

_DEVIATIONS = 4.0
_BLOCK = 256

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DiscordantQuestions:
    """Likely numbers of discordant questions, one by one rising, with the chance of each.

    With `critical` questions won by the loser, or fewer, the two-sided exact test rejects; -1 stands for never.
    """

    numbers: Counts
    chances: Floats
    critical: Counts

    def power(self, share: float) -> float:
        """Compute the chance to reject where a wins this share of discordant questions."""
        return float(self.chances @ self._tails(np.array([[share], [1 - share]])).sum(axis=0))

    def _tails(self, wins: Floats) -> Floats:
        """Compute the chance of at most `critical` wins for each number, from that for the number before.

        One more question takes away the chance that all of `critical` are won and this one too. Where `critical`
        rises as well, it adds the chance that one more is won and this one is not.
        """
        if wins.max() >= 1:
            return _tail(self.critical, self.numbers, wins)
        won, lost, ways, rises = self._edges
        edges = np.exp(ways + won * np.log(wins) + lost * np.log1p(-wins))
        first = _tail(self.critical[:1], self.numbers[:1], wins)
        return np.cumsum(np.concatenate([first, edges * (rises - wins)], axis=1), axis=1)

    @cached_property
    def _edges(self) -> tuple[Counts, Counts, Floats, Counts]:
        """Questions won and lost where one more changes the tail, the logarithm of their orders, and the rises."""
        won = np.maximum(self.critical[1:], 0)
        lost = self.numbers[:-1] - won
        ways = np.where(self.critical[1:] < 0, -np.inf, _log_orders(self.numbers[:-1], won))
        return won, lost, ways, np.diff(self.critical)


def discordant_questions(questions: int, discordance: float, alpha: float) -> DiscordantQuestions:
    """List the likely numbers of discordant questions among `questions`, for tests at level `alpha`."""
    numbers, chances = _likely(questions, discordance)
    return DiscordantQuestions(numbers, chances, _critical(numbers, alpha))


def _likely(questions: int, discordance: float) -> tuple[Counts, Floats]:
    if discordance in (0, 1):
        return np.array([round(questions * discordance)]), np.ones(1)
    middle = questions * discordance
    reach = _DEVIATIONS * np.sqrt(middle * (1 - discordance)) + _DEVIATIONS
    numbers = np.arange(max(0, int(middle - reach)), min(questions, int(middle + reach) + 1) + 1)
    logs = numbers * np.log(discordance) + (questions - numbers) * np.log1p(-discordance)
    return numbers, np.exp(_log_orders(questions, numbers) + logs)


def _log_orders(trials: Counts | int, successes: Counts) -> Floats:
    """Compute the logarithm of the number of orders in which so many of the trials succeed."""
    logs: Floats = gammaln(trials + 1) - gammaln(successes + 1) - gammaln(trials - successes + 1)
    return logs


def _critical(numbers: Counts, alpha: float) -> Counts:
    """Give, for numbers of discordant questions, the most that the loser may win; -1 for never."""
    first, last = int(numbers[0]) // _BLOCK, int(numbers[-1]) // _BLOCK
    blocks = [_critical_block(block, alpha) for block in range(first, last + 1)]
    critical: Counts = np.concatenate(blocks)[numbers - first * _BLOCK]
    return critical


@lru_cache(maxsize=1024)
def _critical_block(block: int, alpha: float) -> Counts:
    discordant = np.arange(block * _BLOCK, (block + 1) * _BLOCK)
    reach = ndtri(1 - alpha / 2) * np.sqrt(discordant)
    critical = np.maximum(-1, np.ceil((discordant - reach) / 2)).astype(np.int64)
    while (too_many := _tail(critical, discordant, 0.5) > alpha / 2).any():
        critical -= too_many
    while (too_few := _tail(critical + 1, discordant, 0.5) <= alpha / 2).any():
        critical += too_few
    critical.flags.writeable = False
    return critical


def _tail(most: Counts, trials: Counts, chance: Floats | float) -> Floats:
    """Compute the chance of at most so many successes; 0 below none."""
    chances: Floats = np.where(most < 0, 0.0, bdtr(np.minimum(np.maximum(most, 0), trials), trials, chance))
    return chances
