"""Pointwise judge designs: one row, one call, one support label."""

from __future__ import annotations

from dataclasses import dataclass

from judgeray.core.call import Call, Judge
from judgeray.core.canonical import canonical_json
from judgeray.core.reply import Reply
from judgeray.designs.reading import Judgment, judgment
from judgeray.rows import Row

HEADER = """\
Question: {question}
Reference answer: {reference_answer}
Candidate answer: {candidate_answer}

"""
"""Shared user-message header (study 1, appendix G.1); the design's block follows after the empty line."""


def family_of(name: str) -> str:
    """Name of a design without its version: `C` for `C` and for `C.v2`."""
    return name.partition(".")[0]


@dataclass(frozen=True)
class PointwiseDesign:
    """A single-call design: `system` and `block` are quoted from the paper section named in `source`.

    `name` is the family's name, for further versions of a prompt with the version behind a dot (`C`, `C.v2`).
    `output_tokens` is what a reply is expected to write before any reply is known; it only feeds cost plans.
    """

    name: str
    title: str
    version: str
    source: str
    system: str
    block: str
    output_tokens: int

    @property
    def family(self) -> str:
        """Name of the design without version."""
        return family_of(self.name)

    def user(self, row: Row) -> str:
        """Render the user message of one row."""
        header = HEADER.format(
            question=row.question, reference_answer=row.reference, candidate_answer=row.candidate
        )
        return header + self.block

    def call(self, row: Row, judge: Judge, replicate: int = 0) -> Call:
        """Build the call for one row.

        An in-process judge, which reads no wording, gets the family's name and the texts as JSON.
        """
        if not judge.in_process:
            return judge.call(self.system, self.user(row), replicate)
        texts = {"question": row.question, "reference": row.reference, "candidate": row.candidate}
        return judge.call(self.family, canonical_json(texts), replicate)

    def read(self, reply: Reply) -> Judgment:
        """Read the verdict from a reply, or the status that says why there is none."""
        return judgment(reply)
