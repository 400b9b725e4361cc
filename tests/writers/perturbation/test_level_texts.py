"""Laws of the texts of a ladder: A0 is the paraphrase without marks, and edits are read back and flagged."""

from __future__ import annotations

import pytest

from judgeray.core.reply import Outcome
from judgeray.writers.perturbation.levels import Level
from judgeray.writers.perturbation.marks import Draft, marked
from judgeray.writers.perturbation.odd import OddReplyError
from judgeray.writers.perturbation.paraphrase import LONGEST_TEXT, read_paraphrase
from judgeray.writers.perturbation.perturb import PERTURB, read_edit
from judgeray.writers.perturbation.spans import Span
from tests.writers.perturbation.made import reply_of

TEXT = "It was lit in 1874 by the harbour master."
BEFORE = Draft(TEXT, (Span(14, 18, "1874"), Span(22, 40, "the harbour master")))


def edited(output: str) -> tuple[Draft, Level]:
    """Read an edit of the first span."""
    return read_edit(reply_of(f"<thinking>1874: [1882]</thinking><output>{output}</output>"), BEFORE, {0})


@pytest.mark.parametrize(
    ("text", "level"),
    [
        (" Paris has it.\n", Level("Paris has it.")),
        ("Paris [sic] has {it}.", Level("Paris (sic) has (it).", ("brackets_replaced",))),
        ("The reference.", Level("The reference.", ("equals_previous",))),
        ("A [reference].", Level("A (reference).", ("brackets_replaced", "equals_previous"))),
    ],
)
def test_a0_is_the_whole_reply(text: str, level: Level) -> None:
    """A0 is what the model wrote without outer blanks; brackets that could pass for marks become round."""
    reference = "A [reference]." if text.startswith("A [") else "The reference.\n"
    assert read_paraphrase(reply_of(text), reference) == level


@pytest.mark.parametrize(
    ("text", "outcome", "reason"),
    [
        ("Paris has", "truncated", "cut before the end"),
        ("I will not.", "refused", "the writer refused"),
        (" ", "complete", "no text"),
        ("x" * (LONGEST_TEXT + 1), "complete", "longer than 100000 characters"),
    ],
)
def test_half_a_paraphrase_is_none(text: str, outcome: Outcome, reason: str) -> None:
    """A paraphrase that was cut lacks facts, so it is odd, as is one that nobody wrote."""
    with pytest.raises(OddReplyError, match=f"^{reason}$"):
        read_paraphrase(reply_of(text, outcome), "The reference.")


def test_edit_is_cleaned_and_its_spans_found() -> None:
    """The answer has no marks; the next level knows where the spans are now."""
    after, level = edited("It was lit in [the year 1882] by {{the harbour master}}.")
    assert level == Level("It was lit in the year 1882 by the harbour master.")
    assert after == Draft(level.text, (Span(14, 27, "the year 1882"), Span(31, 49, "the harbour master")))
    assert marked(after, {1}) == "It was lit in {{the year 1882}} by [the harbour master]."


@pytest.mark.parametrize(
    ("output", "flags"),
    [
        ("It was lit in [1882] by {{a sailor}}.", ("kept_term_changed",)),
        ("It was lit on [1882] by {{the harbour master}}.", ("rest_changed",)),
        ("It was\nlit in  [1882] by {{the harbour\nmaster}}.", ()),
        ("It was\nlit in [1874] by {{the  harbour master}}.", ("equals_previous", "term_unchanged")),
        ("It was lit in {{1882}} by [the harbour master].", ()),
        ("It was lit in [1874] by {{the harbour master}}.", ("equals_previous", "term_unchanged")),
        ("It was lit in [1874] by {{a sailor}}.", ("kept_term_changed", "term_unchanged")),
        ("By {{the harbour master}} it was lit in [1882].", ("kept_term_changed", "rest_changed")),
    ],
)
def test_departures_from_the_task_are_flagged(output: str, flags: tuple[str, ...]) -> None:
    """What the model changed beyond the group, or did not change in it, is noted and kept."""
    assert edited(output)[1].flags == flags


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("It was lit in 1882 by {{the harbour master}}.", "terms are missing or were added"),
        ("It was lit in [18][82] by {{the harbour master}}.", "terms are missing or were added"),
        ("It was lit in [1882 by {{the harbour master}}.", "marks do not pair"),
        ("It was lit in [] by {{the harbour master}}.", "a term came back empty"),
        ("", "a blank <output>"),
    ],
)
def test_edit_without_its_marks_is_odd(output: str, reason: str) -> None:
    """A text in which the spans cannot be found again is drawn afresh."""
    with pytest.raises(OddReplyError, match=f"^{reason}$"):
        edited(output)


def test_example_of_the_editing_prompt_is_right() -> None:
    """The prompt's own example would be read without a flag."""
    text, reply = PERTURB.system[PERTURB.system.index("Text: ") + len("Text: ") :].split("\n", 1)
    pieces = text.replace("]", "[").replace("{{", "[").replace("}}", "[").split("[")
    spans, length = [], 0
    for place, piece in enumerate(pieces):
        if place % 2:
            spans.append(Span(length, length + len(piece), piece))
        length += len(piece)
    before = Draft("".join(pieces), tuple(spans))
    group = {0, 3}
    assert marked(before, group) == text
    _, level = read_edit(reply_of(reply), before, group)
    assert level == Level(
        "The lighthouse was lit in April 1884 by the harbour master; it still guides trawlers into the bay."
    )
