"""The ranking step: a model orders the terms of A0 by weight (study 2, appendix A, "Factual Relevance Ranking")."""

from __future__ import annotations

import re

from judgeray.core.reply import Reply
from judgeray.writers.perturbation.odd import OddReplyError
from judgeray.writers.perturbation.replies import output_of
from judgeray.writers.writer import Writer

_BETWEEN = re.compile(r"[\s,;]+")
_ITEM = re.compile(r"\[?(?:term:)?([0-9]{1,6})\]?")

RANK = Writer(
    name="rank",
    version="v1",
    source="ours: arXiv 2609.15561, appendix A, describes this step; its prompt was not at hand",
    system="""\
You are given a text in which terms stand in square brackets, each with its number behind a colon: [term:0], \
[term:1] and so on. Order the terms by how much they matter to what the text tells. First come those that say what \
it is about, who takes part, what happens and what follows, and all exact facts: names, numbers, dates, places. \
Last come those that are vague, that only join sentences, or that could go without loss.

Think first, inside <thinking></thinking>. Then write inside <output></output> the numbers of all terms, the most \
important first, parted by commas. Each number stands there exactly once, and nothing else does.

Example
Text: The lighthouse was [officially:0] lit in [March 1874:1] by [the harbour master:2]; it [still:3] guides \
[ferries:4] into [the bay:5].
<thinking>When it was lit and by whom are exact facts. What it guides, and where, says what it is for. \
"Officially" and "still" could go.</thinking>
<output>1, 2, 5, 4, 0, 3</output>""",
    template="Text: {text}",
    output_tokens=250,
)


def read_ranking(reply: Reply, terms: int) -> tuple[int, ...]:
    """Take the order of the terms 0 to `terms - 1` from a reply; `term:3` and `[3]` count as 3.

    Raises OddReplyError where there is no output, and where it is anything but all numbers, each once.
    """
    output = output_of(reply).strip("[]()., ")
    items = [_ITEM.fullmatch(item) for item in _BETWEEN.split(output)]
    numbers = [int(item.group(1)) for item in items if item is not None]
    if len(numbers) < len(items):
        raise OddReplyError("the order is no list of numbers")
    if sorted(numbers) != list(range(terms)):
        raise OddReplyError("the order does not hold each term once")
    return tuple(numbers)
