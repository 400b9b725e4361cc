"""The editing step: a model makes one group of terms wrong and keeps the rest.

Study 2 (arXiv 2609.15561), appendix A, "Generating Controlled Perturbation".

How spans are found again: the prompt shows all of them in marks, the model leaves the marks where they are, and the
n-th pair of marks of its reply is the n-th span. A reply with more or fewer pairs is odd and drawn afresh.
"""

from __future__ import annotations

from collections.abc import Collection

from judgeray.core.reply import Reply
from judgeray.writers.perturbation.levels import Flag, Level
from judgeray.writers.perturbation.marks import Draft, unmarked
from judgeray.writers.perturbation.odd import OddReplyError
from judgeray.writers.perturbation.replies import output_of
from judgeray.writers.writer import Writer

PERTURB = Writer(
    name="perturb",
    version="v1",
    source="ours: arXiv 2609.15561, appendix A, describes this step; its prompt was not at hand",
    system="""\
You are given a text in which some terms stand in square brackets, [like this], and others in double braces, \
{{like this}}. Put another term in the place of each one in square brackets: of the same kind and about as long, \
fluent where it stands, believable to a reader who does not know the facts, and wrong, so that what the text says \
there is no longer true. A number becomes another number, a date another date, a name another name of its kind.

Change nothing else. Each term in double braces and each word outside all marks stays as it is, even where an \
earlier change has made it odd. Leave every bracket and brace in its place and in its order, the new terms in the \
square brackets, and add none.

Think first, inside <thinking></thinking>: note two or three alternatives for each term in square brackets and \
pick one. Then write the whole text with its marks inside <output></output>.

Example
Text: The lighthouse was lit in [March 1874] by {{the harbour master}}; it {{still}} guides [ferries] into {{the \
bay}}.
<thinking>March 1874: May 1871, April 1884; I take April 1884. Ferries: trawlers, barges; I take \
trawlers.</thinking>
<output>The lighthouse was lit in [April 1884] by {{the harbour master}}; it {{still}} guides [trawlers] into \
{{the bay}}.</output>""",
    template="Text: {text}",
    output_tokens=450,
)


def read_edit(reply: Reply, before: Draft, group: Collection[int]) -> tuple[Draft, Level]:
    """Take the edited text from a reply: with its spans for the next level, and cleaned and flagged as an answer.

    Raises OddReplyError where there is no output, where its marks do not pair or hold nothing, and where they are
    more or fewer than the spans of `before`.
    """
    after = unmarked(output_of(reply))
    if len(after.spans) != len(before.spans):
        raise OddReplyError("terms are missing or were added")
    return after, Level(after.text, _flags(before, after, group))


def _flags(before: Draft, after: Draft, group: Collection[int]) -> tuple[Flag, ...]:
    same = [_reads_same(old.text, new.text) for old, new in zip(before.spans, after.spans, strict=True)]
    noted: dict[Flag, bool] = {
        "equals_previous": _reads_same(before.text, after.text),
        "kept_term_changed": not all(same[index] for index in range(len(same)) if index not in group),
        "rest_changed": before.rest() != after.rest(),
        "term_unchanged": any(same[index] for index in group),
    }
    return tuple(flag for flag, holds in noted.items() if holds)


def _reads_same(old: str, new: str) -> bool:
    return old.split() == new.split()
