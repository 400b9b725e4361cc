"""Writers: a model is given one text and asked for another, by a versioned prompt."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter

from judgeray.core.call import Call, Judge
from judgeray.core.errors import BadInputError


@dataclass(frozen=True)
class Writer:
    """A single-call writer; `template` holds one field, under whatever name, where the given text goes.

    `output_tokens` is what a reply is expected to have before any is known; it only feeds cost plans.
    """

    name: str
    version: str
    source: str
    system: str
    template: str
    output_tokens: int

    def user(self, text: str) -> str:
        """Render the user message."""
        (field,) = {name for _, name, _, _ in Formatter().parse(self.template) if name is not None}
        return self.template.format(**{field: text})

    def call(self, text: str, judge: Judge, replicate: int = 0) -> Call:
        """Ask the model named by `judge`; a fresh draw is a call of its own, told apart by its replicate.

        Raises BadInputError for a judge that runs in process and cannot write.
        """
        if judge.in_process:
            raise BadInputError(
                f"judges.{judge.name}: writer {self.name}: found '{judge.provider}', which writes no text, "
                "allowed: a judge that answers prompts."
            )
        return judge.call(self.system, self.user(text), replicate)
