"""From several annotators' votes on the sentences of a summary to one verdict each, and one label for the whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judgeray.summaries import SentenceVerdict


def majority(votes: Iterable[bool]) -> SentenceVerdict | None:
    """What more than half of the votes say, True for faithful; None where they are even or where there are none."""
    given = list(votes)
    balance = sum(1 if vote else -1 for vote in given)
    if balance == 0:
        return None
    return "faithful" if balance > 0 else "unfaithful"


def strict_label(verdicts: Sequence[SentenceVerdict | None]) -> int | None:
    """1 where every sentence is faithful, 0 where one is unfaithful, else None.

    Such a label follows the conjunctive rule by construction: it says nothing of how people aggregate.
    """
    if "unfaithful" in verdicts:
        return 0
    return 1 if verdicts and all(verdict == "faithful" for verdict in verdicts) else None
