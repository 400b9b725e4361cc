"""The pair: two candidate answers to one source question, of which the first is the supported one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """One thing to compare (study 1, arXiv 2603.28005, appendix G.11).

    `first` and `second` are the candidates' texts, `first` the supported one's. Where `reversed`, the second is
    shown as Answer A; `pair_id` stays the same.
    """

    dataset: str
    question_id: str
    pair_id: str
    first_variant: str
    second_variant: str
    question: str
    reference: str
    first: str
    second: str
    reversed: bool = False

    @property
    def shown(self) -> tuple[str, str]:
        """The texts of Answer A and Answer B."""
        return (self.second, self.first) if self.reversed else (self.first, self.second)
