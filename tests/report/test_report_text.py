"""Text from data does nothing: not on a terminal, not in Markdown, not in HTML."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.report.numbers import fixed, interval, p_value, signed
from judgeray.report.text import markdown, visible

any_text = st.text(st.characters(), max_size=60)


@settings(max_examples=200, deadline=None)
@given(text=any_text)
def test_no_acting_character_is_left(text: str) -> None:
    """Controls, line separators, surrogates and direction marks are gone, and the rest stands as it was."""
    shown = visible(text)
    assert all(unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp") for character in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    shown.encode("utf-8")
    assert visible(shown) == shown


@settings(max_examples=200, deadline=None)
@given(text=any_text)
def test_no_cell_is_split_and_no_tag_opens(text: str) -> None:
    """Markdown text holds no bare pipe, no angle bracket, no line break."""
    escaped = markdown(text)
    assert not set("<>\n\r") & set(escaped)
    assert all(escaped[:place].endswith("\\") for place, character in enumerate(escaped) if character == "|")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("gpt-4.1", "gpt-4.1"),
        ("partially_supported", "partially_supported"),
        ("_x_ *y* `z`", r"\_x\_ \*y\* \`z\`"),
        ("<script>a & b</script>", "&lt;script&gt;a &amp; b&lt;/script&gt;"),
        ("[a](javascript:b) ![c][d]", r"[a\](javascript:b) ![c\][d]"),
        ("[a]: x", r"[a\]: x"),
        ("a|b\nc", r"a\|b\\nc".replace("\\\\n", "\\\\x0a")),
        ("https://example.org", "https&#58;//example.org"),
    ],
)
def test_marks_that_act_are_escaped(text: str, escaped: str) -> None:
    """Names stay readable; emphasis, code, tags, links and table pipes do not work."""
    assert markdown(text) == escaped


@pytest.mark.parametrize(
    ("text", "shown"), [("\x1b[31m", "\\x1b[31m"), ("\u202e", "\\u202e"), ("a\udcff", "a\\udcff")]
)
def test_escapes_name_the_character(text: str, shown: str) -> None:
    """What is made harmless can still be told."""
    assert visible(text) == shown


def test_numbers_are_spelled_as_published() -> None:
    """Signs, powers of ten and dashes follow the tables of study 1."""
    assert [signed(value, 2) for value in (0.005, -0.004, 1.0, None)] == ["+0.01", "0.00", "+1.00", "—"]
    assert [p_value(value) for value in (1.0, 0.015625, 0.00048828125, 2.98e-8, None)] == [
        "1.0000",
        "0.0156",
        "4.88e-04",
        "2.98e-08",
        "—",
    ]
    assert fixed(None, 2) == "—"
    assert interval("a", "b") == " [a, b]"
    assert interval("—", "—") == ""
