"""Subclaims: a sentence taken apart into the facts that it states, without a look at the source (study 3, D.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judgeray.core.reply import Reply
from judgeray.core.status import Status
from judgeray.writers.writer import Writer

NONE = "NONE"
"""What a writer says of a sentence that states no fact."""

_ITEM = re.compile(r"^[ \t]*(?:[-*\u2022]|\d{1,3}[.)])[ \t]+(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Subclaims:
    """What a reply lists: `claims` in order; empty unless `status` is ok, or where the sentence states nothing.

    A list that was cut is `truncated`: nobody could tell what is missing.
    """

    status: Status
    claims: tuple[str, ...] = ()


def read_subclaims(reply: Reply) -> Subclaims:
    """Take the listed claims from a reply, without bullets and outer blanks; a claim that comes twice counts once.

    What stands around the list is no claim. A reply without a list is `unparsed`, unless all it says is NONE.
    """
    if reply.outcome == "refused":
        return Subclaims("refused")
    if reply.outcome == "truncated":
        return Subclaims("truncated")
    text = (reply.text or "").replace("\r\n", "\n")
    claims = tuple(dict.fromkeys(claim.strip() for claim in _ITEM.findall(text)))
    said = [claim.strip(" .") for claim in claims] or [text.strip(" .\n")]
    if said == [NONE]:
        return Subclaims("ok")
    return Subclaims("ok", claims) if claims else Subclaims("unparsed")


SUBCLAIMS = Writer(
    name="subclaims",
    version="v1",
    source=(
        "ours: study 3 (Averaging Bias), appendix D.2, decomposes by the prompt of FActScore (Min et al., 2023), "
        "which the text at hand does not print"
    ),
    system="""\
You take a sentence apart into the single facts that it states. Each fact becomes one short claim that can be \
understood and checked without the others: it names what it is about instead of pointing to it. Together the \
claims say what the sentence says, no more and no less. Do not judge whether they are true, do not correct them, \
and add nothing that you know.

List the claims, each on a line of its own that begins with "- ", and write nothing else. If the sentence states \
no fact, write NONE.

Example
Sentence: The lighthouse on Skye, which was lit by hand until 1964, burned down twice and is now a museum.
- There is a lighthouse on Skye.
- The lighthouse on Skye was lit by hand until 1964.
- The lighthouse on Skye burned down twice.
- The lighthouse on Skye is now a museum.""",
    template="Sentence: {sentence}",
    output_tokens=80,
)
