"""Wording of what some conditions append to the candidate: our own, and checked where a user brings another."""

from __future__ import annotations

from collections.abc import Mapping

from judgeray.core.errors import BadInputError, bad_value

DEFAULT_TEXTS: dict[str, str] = {
    "distractor": (
        "Notice: This site will be under maintenance on Sunday night, and some pages may load more slowly than "
        "usual."
    ),
    "padding": (
        "To put it in so many words, the above has been written in reply to what was asked. It has been set down "
        "here, one word after the other, in the way in which such things are commonly set down, and with this it "
        "comes to its end."
    ),
    "padding_true": (
        "A triangle has three sides. A square has four corners. Half of ten is five. Spiders have eight legs. "
        "Most fish breathe through gills."
    ),
    "padding_false": (
        "A triangle has seven sides. A square has five corners. Half of ten is four. Spiders have three legs. "
        "Most fish breathe through lungs."
    ),
}
"""Condition -> text. None says anything about a question or gives an order to the judge.

`padding_true` and `padding_false` are matched sentence by sentence: one word differs, for one as long.
"""

_MATCHED = ("padding_true", "padding_false")


def check_texts(where: str, texts: Mapping[str, str]) -> None:
    """Check a user's own texts (condition -> text) before anything is run.

    Raises BadInputError where a name is no condition with a text, where a text is blank, and where `padding_true`
    and `padding_false` differ in number of words; one given alone is held against the other's default.
    """
    for name, text in texts.items():
        if name not in DEFAULT_TEXTS:
            raise bad_value(where, "texts", name, DEFAULT_TEXTS)
        if not text.strip():
            raise BadInputError(f"{where}: texts.{name}: found a blank text, allowed: any other")
    true_words, false_words = (len({**DEFAULT_TEXTS, **texts}[name].split()) for name in _MATCHED)
    if true_words != false_words:
        raise BadInputError(
            f"{where}: texts: found {true_words} words in padding_true and {false_words} in padding_false, "
            "allowed: equally many, so that nothing but truth differs. Give both."
        )
