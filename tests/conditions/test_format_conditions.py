"""Layout and case of a candidate change, its words do not."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import example, given

from tests.conditions.changed_rows import any_text, candidate_under, texts

DOTLESS = "\u0131"
WORDY = "It was so. Then? Yes! 漢字 é.  Éclair, 3.5 km. James A. Garfield of St. Louis spoke.\n- One. Two\n"


def cased_back(text: str) -> str:
    """Set case aside; the one letter that upper case does not bring back is set aside with it."""
    return text.replace(DOTLESS, "i").casefold()


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        ("One two", "- One two"),
        ("One two. Three.", "- One two.\n- Three."),
        ("Who? Me. Why! No", "- Who?\n- Me. Why!\n- No"),
        ("Since 1889. Then", "- Since 1889.\n- Then"),
        ("James A. Garfield of St. Louis.", "- James A. Garfield of St. Louis."),
        ("In the U.S. It was", "- In the U.S. It was"),
        ("and so on etc. and more", "- and so on etc. and more"),
        ("Well... Yes", "- Well... Yes"),
        ("It was.  Was it", "- It was.\n- Was it"),
        ("Who? éclair", "- Who?\n- éclair"),
        ("over.\nNext", "- over.\nNext"),
        (" lead. Trail ", "-  lead.\n- Trail "),
        ("end. ", "- end. "),
        ("? A", "- ?\n- A"),
        ("", ""),
        (" \n", " \n"),
    ],
)
def test_markdown(candidate: str, expected: str) -> None:
    """Each sentence gets a bullet; initials and abbreviations stay with what follows; a blank text has none."""
    assert candidate_under("markdown", candidate) == expected


@given(texts)
@example(WORDY)
def test_markdown_keeps_words(candidate: str) -> None:
    """Without the bullets that were put in, every word stands where it stood."""
    laid_out = candidate_under("markdown", candidate)
    assert re.findall(r"\w+", laid_out) == re.findall(r"\w+", candidate)
    words, bullets = candidate.split(), laid_out.count("\n- ") - candidate.count("\n- ") + bool(candidate.strip())
    assert len(laid_out.split()) == len(words) + bullets


@given(texts.filter(lambda text: text.strip() and "\n" not in text and "  " not in text))
@example("It was so. Then? Yes! Then")
def test_markdown_is_reversible(candidate: str) -> None:
    """A text on one line, with single blanks, comes back from its bullets to the letter."""
    assert candidate_under("markdown", candidate).removeprefix("- ").replace("\n- ", " ") == candidate


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        ("One two", "One  two"),
        ("a  b   c", "a    b      c"),
        ("It was so. Then? Yes", "It  was  so.  Then?\nYes"),
        ("It was. Then it", "It  was.\nThen  it"),
        (" a b ", " a  b "),
        ("a\tb\nc d", "a\tb\nc  d"),
        ("a \n b", "a \n b"),
        ("a\u00a0b", "a\u00a0b"),
        ("Paris", "Paris"),
        ("", ""),
        ("  ", "  "),
    ],
)
def test_whitespace(candidate: str, expected: str) -> None:
    """Blanks between words double, sentences begin on new lines, outer blanks and other white space stay."""
    assert candidate_under("whitespace", candidate) == expected


@given(texts)
@example(WORDY)
def test_whitespace_keeps_words(candidate: str) -> None:
    """Every word stands where it stood, marks included; only blanks and line breaks come or go."""
    respaced = candidate_under("whitespace", candidate)
    assert respaced.split() == candidate.split()
    assert re.sub("[ \n]", "", respaced) == re.sub("[ \n]", "", candidate)


def test_whitespace_changes_every_gap() -> None:
    """Wherever two words stand apart, the gap becomes another."""
    respaced = candidate_under("whitespace", "It was so. Then came the end. Was it so? Yes.")
    assert re.search(r"(?<=\S) (?=\S)", respaced) is None


@pytest.mark.parametrize(
    ("candidate", "upper", "lower"),
    [
        ("Über Straße", "ÜBER STRASSE", "über straße"),
        ("İstanbul", "İSTANBUL", "i\u0307stanbul"),
        (f"{DOTLESS}lk", "ILK", f"{DOTLESS}lk"),
        ("ΟΔΟΣ ẞ", "ΟΔΟΣ ẞ", "οδος ß"),
        ("ﬁn ŉ", "FIN \u02bcN", "ﬁn ŉ"),
        ("漢字 123 \ud800\0", "漢字 123 \ud800\0", "漢字 123 \ud800\0"),
        ("", "", ""),
    ],
)
def test_casing(candidate: str, upper: str, lower: str) -> None:
    """Unicode's full mappings are used: ß becomes SS, İ a letter with a combining dot, a last sigma its form."""
    assert (candidate_under("upper_case", candidate), candidate_under("lower_case", candidate)) == (upper, lower)


@given(texts)
@example(WORDY)
def test_casing_keeps_words(candidate: str) -> None:
    """Case aside, both forms read as the candidate does, and have as many words."""
    for name in ("upper_case", "lower_case"):
        cased = candidate_under(name, candidate)
        assert cased_back(cased) == cased_back(candidate)
        assert len(cased.split()) == len(candidate.split())


def test_one_letter_does_not_come_back() -> None:
    """Of all code points, only the dotless i reads otherwise after a change of case."""
    points = [chr(point) for point in range(sys.maxunicode + 1) if chr(point) != "\n"]
    for name, expected in (("upper_case", [DOTLESS]), ("lower_case", [])):
        cased = candidate_under(name, "\n".join(points)).split("\n")
        assert [x for x, y in zip(points, cased, strict=True) if x.casefold() != y.casefold()] == expected


@given(any_text)
def test_casing_is_final(candidate: str) -> None:
    """A text in one case stays when put in that case again."""
    upper = candidate_under("upper_case", candidate)
    assert candidate_under("upper_case", upper) == upper
