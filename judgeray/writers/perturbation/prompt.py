"""The prompt of one step: what a writer is asked, as a versioned instrument."""

from __future__ import annotations

from dataclasses import dataclass

from judgeray.core.call import Call, Judge
from judgeray.core.errors import BadInputError


@dataclass(frozen=True)
class StepPrompt:
    """A prompt about one text; `template` holds the field `text`.

    `output_tokens` is what a reply is expected to have before any is known; it only feeds cost plans.
    """

    name: str
    version: str
    source: str
    system: str
    template: str
    output_tokens: int

    def call(self, text: str, judge: Judge, draw: int = 0) -> Call:
        """Ask the model named by `judge`; each fresh draw is a call of its own, told apart by its replicate.

        Raises BadInputError for a judge that runs in process and cannot write.
        """
        if judge.in_process:
            raise BadInputError(
                f"judges.{judge.name}: writer {self.name}: found '{judge.provider}', which writes no text, "
                "allowed: a judge that answers prompts."
            )
        return judge.call(self.system, self.template.format(text=text), draw)
