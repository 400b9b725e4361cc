"""Laws of the reading ladder that hold for all texts."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.core.canonical import JSONValue
from judgeray.parsing import read_label
from judgeray.parsing.vocabulary import normal_form
from judgeray.rows import LABELS

quick = settings(max_examples=150, deadline=None)

texts = st.text(st.characters())
prose = st.text("abc verdict SUPPORTED*#`.,!()-_\n", max_size=40)
pieces = st.lists(
    st.sampled_from(
        [
            *("{", "}", "[", "]", '"', "'", ":", ",", "\n", " ", "=", "|", "//", "...", "<think>", "</think>"),
            *("verdict", '"verdict": ', "'verdict': ", "Verdict: ", "verdict is ", "not ", "score", " 4", " or "),
            *("supported", '"supported"', "un", "partially ", "partially_supported", '"unsupported"', "\u201c"),
            *('{"verdict": "supported"}', '{"verdict": "unsupported", ', '{"a": [{"verdict": ', "```json\n"),
        ]
    ),
    max_size=25,
).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
others = st.dictionaries(texts.filter(lambda name: normal_form(name) != "verdict"), values, max_size=4)
labels = st.sampled_from(LABELS)

# A label's words, in order, and not as a part of another label's words.
WORDS = {
    "supported": re.compile(r"(?<![a-z])(?<!partially_)supported"),
    "partially_supported": re.compile(r"(?<![a-z])partially_supported"),
    "unsupported": re.compile(r"(?<![a-z])unsupported"),
}


@st.composite
def objects(draw: st.DrawFn, label: str) -> str:
    """A JSON object that states `label` anywhere among other fields, in one of JSON's layouts."""
    fields = list(draw(others).items())
    fields.insert(draw(st.integers(0, len(fields))), ("verdict", label))
    return json.dumps(dict(fields), indent=draw(st.sampled_from([None, 2])), ensure_ascii=draw(st.booleans()))


@quick
@given(texts | pieces)
def test_total(text: str) -> None:
    """Every text is read without an error; a branch is named where, and only where, a label is."""
    reading = read_label(text)
    assert reading.label in {*LABELS, None}
    assert (reading.label is None) == (reading.branch is None)


@settings(max_examples=500, deadline=None)
@given(pieces)
def test_no_invention(text: str) -> None:
    """A label comes only out of a text that contains that label's own words in order."""
    label = read_label(text).label
    assert label is None or WORDS[label].search(normal_form(text))


@quick
@given(others, labels)
def test_round_trip(fields: dict[str, JSONValue], label: str) -> None:
    """What was written as JSON is read as a whole, with all other fields."""
    written = json.dumps({"verdict": label} | fields)
    reading = read_label(written)
    assert (reading.label, reading.branch) == (label, "whole")
    assert {"verdict": label} | dict(reading.fields) == json.loads(written)


@quick
@given(st.data(), labels, prose, prose)
def test_wrapping(data: st.DataObject, label: str, before: str, behind: str) -> None:
    """Prose and fences around an object change neither its label nor its fields."""
    written = data.draw(objects(label))
    reading = read_label(f"x {before}\n```json\n{written}\n```\n{behind}")
    assert (reading.label, reading.branch) == (label, "embedded")
    assert {"verdict": label} | dict(reading.fields) == json.loads(written)


@quick
@given(st.data(), st.permutations(LABELS), prose)
def test_conflict(data: st.DataObject, order: list[str], between: str) -> None:
    """Two objects that state two labels state none, whichever comes first."""
    one, two = data.draw(objects(order[0])), data.draw(objects(order[1]))
    assert read_label(f"{one}\n{between}\n{two}").label is None


@quick
@given(st.data(), labels)
def test_truncation(data: st.DataObject, label: str) -> None:
    """An object cut off anywhere states its own label or none."""
    written = data.draw(objects(label))
    cut = written[: data.draw(st.integers(0, len(written)))]
    assert read_label(cut).label in {label, None}


@quick
@given(others, labels, st.integers(0, 200))
def test_truncation_behind_verdict(fields: dict[str, JSONValue], label: str, kept: int) -> None:
    """A verdict that was written first survives any cut behind it."""
    first = json.dumps({"verdict": label})[:-1]
    written = json.dumps({"verdict": label} | fields)
    assert read_label(written[: len(first) + kept]).label == label
