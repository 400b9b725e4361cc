"""Step A0: the reference in other words (study 2, appendix A, "Paraphrasing")."""

from __future__ import annotations

from judgeray.core.reply import Reply
from judgeray.writers.perturbation.levels import Flag, Level
from judgeray.writers.perturbation.marks import plain
from judgeray.writers.perturbation.odd import OddReplyError
from judgeray.writers.perturbation.replies import text_of
from judgeray.writers.writer import Writer

LONGEST_TEXT = 100_000
"""Characters beyond which a paraphrase is not parsed."""

PARAPHRASE = Writer(
    name="paraphrase",
    version="v1",
    source="ours: arXiv 2609.15561, appendix A, describes this step; its prompt was not at hand",
    system=(
        "You say a text again in other words. Whatever the text states, yours states too, and nothing else: every "
        "name, number, date, quantity, place, cause and qualification stays, nothing is added, and nothing becomes "
        "more or less certain. Change the wording and the build of the sentences. Write plain prose, without "
        "headings, lists, square brackets or braces. Reply with the new text alone."
    ),
    template="Text: {text}\nIn other words:",
    output_tokens=150,
)


def read_paraphrase(reply: Reply, reference: str) -> Level:
    """Take A0 from a reply: all of its text, with brackets that could pass for marks made round.

    Flags: `brackets_replaced`, and `equals_previous` where the reference came back as it was. Raises OddReplyError
    for a refusal and for a text that is blank, was cut, or is beyond LONGEST_TEXT.
    """
    text = text_of(reply)
    if reply.outcome == "truncated":
        raise OddReplyError("cut before the end")
    if len(text) > LONGEST_TEXT:
        raise OddReplyError(f"longer than {LONGEST_TEXT} characters")
    level = plain(text)
    flags: list[Flag] = ["brackets_replaced"] if level != text else []
    if text == reference.strip():
        flags.append("equals_previous")
    return Level(level, tuple(flags))
