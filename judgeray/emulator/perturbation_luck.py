"""Odd replies that a fresh draw mends, though a fresh draw's prompt is the same to the last letter."""

from __future__ import annotations


class Mending:
    """Answers every second time badly, from the first time on, whoever asks.

    A provider's request does not tell which draw it is, so that this cannot be a function of the prompt: the names
    of prompts whose odd reply awaits its mending are kept, in memory and no longer than that. A run that has a
    server to itself meets the same replies in the same order as the run before it, and never two odd ones after
    each other. Where a reply is lost on its way, the server is started anew or two runs ask at once, the next draw
    may be odd once more.
    """

    def __init__(self) -> None:
        self._awaited: set[str] = set()

    def is_odd(self, name: str) -> bool:
        """Whether the reply to the prompt of this name, which is about to be given, is to be an odd one."""
        if name in self._awaited:
            self._awaited.discard(name)
            return False
        self._awaited.add(name)
        return True
