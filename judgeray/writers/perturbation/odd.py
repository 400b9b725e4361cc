"""What goes wrong on a ladder: one odd reply, which a fresh draw may mend, or the loss of the question."""

from __future__ import annotations


class OddReplyError(Exception):
    """A reply that its step cannot use; the text is one of a few fixed reasons, so that they can be counted."""


class LostError(Exception):
    """The ladder ends here: names the step and the reason."""

    def __init__(self, step: str, reason: str) -> None:
        super().__init__(f"{step}: {reason}")
