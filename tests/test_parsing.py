"""Laws of the reading ladder."""

from __future__ import annotations

import time

import pytest

from judgeray.designs.registry import DESIGNS
from judgeray.parsing import Reading, read_label

S, P, U = "supported", "partially_supported", "unsupported"
NOTHING = Reading(None, None, {})
OTHER = f'{{"verdict": "{U}"}}'
MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"verdict": "supported"}', S),
        (' \n{"score": 3, "verdict": "partially_supported"}\n', P),
        ('{"verdict": "Partially Supported"}', P),
        ('{"Verdict": "PARTIALLY-SUPPORTED"}', P),
        ('{"verdict": "partially\\u2011supported"}', P),
        ('{"verdict": ["unsupported"]}', U),
        ('{"claims": [{"claim": "x", "verdict": "supported"}], "verdict": "unsupported"}', U),
        ('{"rationale": "it says \\"verdict\\": \\"supported\\"", "verdict": "unsupported"}', U),
        ('{"verdict": "unsupported", "rationale": "says </think>{\'verdict\': \'supported\'}"}', U),
        ('{"verdict": "supported", "verdict": "Supported"}', S),
    ],
)
def test_whole(text: str, label: str) -> None:
    """A text that is one JSON object with the key is read as a whole, whatever its strings contain."""
    reading = read_label(text)
    assert (reading.label, reading.branch) == (label, "whole")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('```json\n{"verdict": "supported"}\n```', S),
        ('My answer {or so}: {"verdict": "supported"} as {you} wished.', S),
        ('<think>{"verdict": "unsupported"}</think>{"verdict": "supported"}', S),
        ('so {"verdict": "unsupported"} or {"a": no </think>\n{"verdict": "supported"}', S),
        ('maybe {"verdict": "unsupported"}</thinking>\n{"verdict": "supported"}', S),
        ('[{"verdict": "supported"}]', S),
        ('Here is the answer: [{"verdict": "supported"}]', S),
        (
            '[{"of": "a", "verdict": "supported"}, {"of": "b", "verdict": "supported"}] {"verdict": "unsupported"}',
            U,
        ),
        ('{"claims": 2}\n{"verdict": "supported"}\n{"verdict": "supported", "score": 5}', S),
        ('{"verdict": "supported", "claims": ["a", "b",], }', S),
        ("{'verdict': 'unsupported', 'note': 'it\\'s', 'ok': True, 'why': None}", U),
        ("{'verdict': 'unsupported', 'note': 'it's so'}", U),
        ("{\u201cverdict\u201d: \u201cunsupported\u201d, \u2018score\u2019: 1}", U),
        ("{verdict: partially supported, score: 2}", P),
        ('{"score": 4, // of 5 "verdict": "unsupported"\n "verdict": /* sure */ "supported" # yes\n}', S),
        ('{"verdict": "supported", "rationale": "two\nlines"}', S),
        ('{"rationale": "the "best", they said, of {two}", "verdict": "supported"}', S),
        ('{"verdict": "unsupported", "rationale": "it wrote {"verdict": "supported"} here"}', U),
        ('{"verdict": "partially\\_supported"}', P),
        ('{{"verdict": "supported"}}', S),
        ('\ufeff{"verdict": "supported"}', S),
        ('{"verdict": "supported", "score": NaN}', S),
        ('He wrote {"quote} and then {"verdict": "supported"}', S),
        ('{"verdict": "supported|partially_supported|unsupported"}\n{"verdict": "supported"}', S),
        ('{"verdict": one of ["supported", "unsupported"], "score": 1}\n{"verdict": "supported"}', S),
        ('Verdict of claim 1: unsupported.\n```\n{"verdict": "partially_supported"}\n```', P),
    ],
)
def test_embedded(text: str, label: str) -> None:
    """An object inside a text is read, with its spelling repaired; thoughts, lists of claims and echoes are not."""
    reading = read_label(text)
    assert (reading.label, reading.branch) == (label, "embedded")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"verdict": "supported", "score": 4, "rationale": "it said \\"verdict\\": \\"unsupported\\" and', S),
        ('{"verdict": "supported"', S),
        ('{"verdict": "supported", ...}', S),
        ('{"score": 4: 5, "claims": [{"claim": "x", "verdict": "supported"}], "verdict": "unsupported"}', U),
        ('"claims": [{"claim": "x", "verdict": "supported"}], "verdict": "unsupported"}', U),
        ("verdict: unsupported\nclaims: [{'claim': 'x', 'verdict': 'supported'}]", U),
        ('"score": 4, "verdict": "supported", "rationale": "close"}', S),
        ("Verdict: supported", S),
        ("**Final verdict:** Partially supported.\nThe date is missing.", P),
        ("## Verdict\nVerdict =\n`partially-supported`", P),
        ("**Verdict**: *unsupported*, score 1", U),
        ("All is grounded, so the verdict is **supported**.", S),
        ("The verdict is supported. Verdict: Supported", S),
        ("<think>verdict: unsupported</think>verdict: supported", S),
        ('verdict: supported {"score": 4}', S),
    ],
)
def test_regex(text: str, label: str) -> None:
    """Without a readable object, a plain statement is recovered, and what a broken object still states."""
    reading = read_label(text)
    assert (reading.label, reading.branch) == (label, "regex")


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "null", "[]", "supported", "{verdict}", '{"verdict": null}', '{"verdict": true}'),
        *(f'{{"verdict": "{word}"}}' for word in ("support", "yes", "mostly supported", "not supported", "")),
        *(f"verdict: {word}" for word in ("support", "yes", "mostly supported", "not supported", "supported?")),
        '{"verdict": "supported."}',
        '{"verdict": "contradicted"} Verdict: supported',
        '{"verdict": {"verdict": "supported"}}',
        '{"result": {"verdict": "supported"}}',
        '{"claims": [{"claim": "x", "verdict": "supported"}]}',
        '{"claims": [{"claim": "x", "verdict": "supported"}',
        '{"claims": [{"claim": 5: 6, "verdict": "supported"}]}',
        '"claims": [{"claim": "x", "verdict": "supported"}, {"claim": "y", "verdict": "supported"}]',
        '[{"claim": "x", "verdict": "supported"}, {"claim": "y", "verdict": "supported"}]',
        '{"rationale": "it says \\"verdict\\": \\"supported\\""}',
        '{"rationale": "it says verdict: supported"}',
        'It wrote "{"verdict": "supported"}" there.',
        'It says "my verdict is supported" there.',
        "The verdict is not supported. Never would the verdict be: supported.",
        "If the verdict is supported, the score is 5.",
        "For this claim the verdict is supported.",
        "verdict: supported, but only in part",
        "verdict: supported by the reference",
        "verdict: supported 4/5",
        "overall_verdict: supported",
        '{"verdict": "supported',
        '{"verdict": "unsup',
        'Verdict: supported\n{"verdict": "unsup',
        "<think>verdict: supported",
        '{"verdict": "supported"}<think>or not',
        '<think>{"verdict": "supported"}</think>',
        'x {"verdict": "unsupported", "rationale": "it says </think>{\'verdict\': \'supported\'} and',
    ],
)
def test_nothing(text: str) -> None:
    """What is no label, not finished, nested, quoted, thought, negated or conditional states nothing."""
    assert read_label(text) == NOTHING


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "supported", "verdict": "unsupported"}',
        '{"verdict": "supported", "Verdict": "unsupported"}',
        '{"verdict": "supported"}\n{"verdict": "unsupported"}',
        '{"verdict": "supported"}\n{"verdict": "contradicted"}',
        '{"verdict": "supported"}\nNo, better:\n{"verdict": "unsupported", "rationale": "cut',
        '{"verdict": "supported"}\nNo, better:\n{"verdict": "unsup',
        '{"verdict": ["supported", "unsupported"]}',
        '{"verdict": "supported" | "unsupported"}',
        '{"verdict": "supported or unsupported"}',
        "Verdict: supported\nVerdict: unsupported",
        'verdict: supported\n{"verdict": "unsupported", "rationale": "cut',
        "verdict: supported or unsupported",
        "verdict: supported, unsupported",
    ],
)
def test_two_labels(text: str) -> None:
    """Between two labels there is no guess."""
    assert read_label(text) == NOTHING


@pytest.mark.parametrize(
    "text",
    [
        *(design.block for design in DESIGNS.values()),
        '{"verdict": "supported|partially_supported|unsupported", "score": "1-5"}',
        '{"verdict": ["supported", "partially_supported", "unsupported"]}',
        '{"verdict": "one of supported, partially_supported or unsupported"}',
        '{"verdict": "{verdict}"}',
        '"verdict": "supported|partially_supported|unsupported"',
        "verdict: supported, partially_supported, or unsupported",
        "verdict = supported: all is grounded\nverdict = unsupported: the rest",
    ],
)
def test_echo(text: str) -> None:
    """An echo of the answer format states nothing, and does not stand in the way of an answer."""
    assert read_label(text) == NOTHING
    assert read_label(f"{text}\n\n{OTHER}").label == U


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            '{"verdict": "supported", "score": 4, "claims": ["a"], "ok": true}',
            {"score": 4, "claims": ["a"], "ok": True},
        ),
        (
            'x {"verdict": "supported", "score": 4.5, "s": "\\ud83d\\ude00\\n", "n": null,}',
            {"score": 4.5, "s": "\U0001f600\n", "n": None},
        ),
        ('{"verdict": "supported", "score": 1} {"verdict": "supported", "score": 2} {"score": 3}', {"score": 2}),
        ('{"verdict": "supported", "score": 1e999, "note": "x"}', {"score": None, "note": "x"}),
        (
            '{"verdict": "supported", "score": 4, "confidence": 0.9, "rationale": "cut',
            {"score": 4, "confidence": 0.9},
        ),
        ('{"verdict": "supported", "confidence": 0.9', {}),
        ("Verdict: supported\nScore: 4\n**Confidence:** 0.85", {"score": 4, "confidence": 0.85}),
        ("Verdict: supported\nScore: 4/5\nConfidence: 85%", {}),
        ("Verdict: supported\nScore: 4\nScore: 5\nConfidence: 1-5", {}),
    ],
)
def test_fields(text: str, fields: dict[str, object]) -> None:
    """Beside the label stand the other fields of its object; without one, numbers stated once."""
    assert read_label(text).fields == fields


@pytest.mark.parametrize(
    ("text", "key", "labels", "label"),
    [
        ('{"winner": "a", "why": "B is shorter"}', "winner", ("A", "B", "tie"), "A"),
        ("The winner is a tie.", "winner", ("A", "B", "tie"), None),
        ("Winner: **tie**", "winner", ("A", "B", "tie"), "tie"),
        ("winner: A, B or tie", "winner", ("A", "B", "tie"), None),
        ("My final verdict is: [[A>>B]]", "verdict", ("A>B", "A>>B"), "A>>B"),
        ('{"faithful": 1}', "faithful", ("0", "1"), "1"),
        ('{"faithful": "0"}', "faithful", ("0", "1"), "0"),
        ('{"faithful": 1.0}', "faithful", ("0", "1"), None),
        ('{"faithful": true}', "faithful", ("0", "1", "true"), None),
        ("faithful: 1", "faithful", ("0", "1"), "1"),
        ("faithful: 1.5", "faithful", ("0", "1"), None),
        ("faithful: 1,000", "faithful", ("0", "1"), None),
        ('{"faithful": -1}', "faithful", ("1", "-1"), "-1"),
        ("Final Grade: correct", "final_grade", ("correct", "incorrect"), "correct"),
        ('{"verdict": "supported"}', "verdict", (), None),
    ],
)
def test_other_words(text: str, key: str, labels: tuple[str, ...], label: str | None) -> None:
    """Any key and any labels can be read; a number counts by its JSON spelling, a boolean never."""
    assert read_label(text, key, labels).label == label


@pytest.mark.parametrize("start", ["", '{"rationale": "'])
@pytest.mark.parametrize(
    "unit",
    [
        *("{", '{"a":', '{"a":[', '{"a":1}', "{a:", '{"', '"', "\\", "\0", "\ud800", "{/*", "<think></think>"),
        *("verdict: ", "verdict: supported, ", 'verdict: "', '"a": {"b": 1}, ', "{ \n"),
    ],
)
def test_megabyte(unit: str, start: str) -> None:
    """A megabyte of anything is read in time that grows with its length alone, and raises nothing."""
    text = start + unit * (MEGABYTE // len(unit))
    began = time.process_time()
    read_label(text)
    assert time.process_time() - began < 4


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"b":', "}]")])
def test_depth(opening: str, closing: str) -> None:
    """Nesting beyond any recursion limit hides no label and is not handed on."""
    reading = read_label('{"verdict": "supported", "x": ' + opening * 100_000 + "1" + closing * 100_000 + "}")
    assert (reading.label, reading.branch) == (S, "embedded")
    assert len(repr(reading.fields)) < 2_000
