"""Laws of reading: claims and verdicts are read wholly and once, matched by index, or not at all."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.metrics.claims import read_claims, system_text
from judgeray.metrics.entailment import SYSTEM, Checked, read_verdicts, user_text
from tests.metrics.metric_script import claims_text, verdicts_text

any_text = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60)
claim_lists = st.lists(any_text.filter(str.strip), max_size=6)


@given(claim_lists)
def test_claims_are_read_as_they_are_stated(claims: list[str]) -> None:
    """Any texts, in their order, alone or in a code fence behind prose; only outer blanks go."""
    stripped = tuple(claim.strip() for claim in claims)
    assert read_claims(claims_text(*claims)) == stripped
    assert read_claims(f"Here they are.\n\n```json\n{claims_text(*claims)}\n```") == stripped


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- Starr wrote it.\n- Harrison wrote it.",
        '["Starr wrote it."]',
        '{"claims": "Starr wrote it."}',
        '{"claims": null}',
        '{"claims": ["Starr wrote it.", 1973]}',
        '{"claims": ["Starr wrote it.", " "]}',
        '{"claims": ["Starr wrote it.", ["Harrison too."]]}',
        '{"claims": ["Starr wrote it.", "It came',
        '{"claims": ["Starr wrote it."],',
        '{"claims": ["a"], "claims": ["b"]}',
        '{"claims": ["a"]} No: {"claims": ["b"]}',
        '{"claims": ["a"]} Once more: {"claims": ["a", "b',
        '<think>{"claims": ["a"]}',
        '{"statements": ["a"]}',
        '{"claims": list of strings}',
        None,
    ],
)
def test_what_lists_no_claims_is_none(text: str | None) -> None:
    """Prose, other types, a list that is cut off, two lists that differ and an echo of the format are no list."""
    assert read_claims(text or "") is None


def test_a_list_said_twice_is_one_list() -> None:
    """The same list thought aloud and said, or said twice, is no contradiction; an empty list is a list."""
    assert read_claims('{"claims": ["a"]} So: {"claims": ["a"]}') == ("a",)
    assert read_claims('<think>{"claims": ["b"]}</think>{"claims": ["a"]}') == ("a",)
    assert read_claims("{'claims': ['a', 'b',]}") == ("a", "b")
    assert read_claims('{"claims": []}') == ()


@given(st.lists(st.integers(0, 1), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_verdicts_are_matched_by_index(verdicts: list[int], random: object) -> None:
    """Whatever the order in which a reply gives its verdicts, each goes to the claim of its index."""
    entries = json.loads(verdicts_text(*verdicts))["verdicts"]
    random.shuffle(entries)  # type: ignore[attr-defined]
    assert read_verdicts(json.dumps({"verdicts": entries}), len(verdicts)) == Checked(tuple(verdicts))


@given(
    st.lists(st.tuples(st.integers(-1, 4), st.sampled_from([0, 1, 2, -1, 0.5, "1", "yes", True, None])), max_size=4)
)
def test_a_list_is_read_only_where_each_claim_has_one_verdict(entries: list[tuple[int, object]]) -> None:
    """Of three claims, a list is read exactly where indices are 1, 2, 3, each once, and verdicts 0 or 1."""
    text = json.dumps({"verdicts": [{"index": index, "verdict": verdict} for index, verdict in entries]})
    verdicts = [verdict for _, verdict in sorted(entries, key=lambda entry: entry[0])]
    is_whole = sorted(index for index, _ in entries) == [1, 2, 3]
    are_verdicts = all(type(verdict) is not bool and verdict in (0, 1, "1") for verdict in verdicts)
    read = read_verdicts(text, 3)
    assert (read is not None) == (is_whole and are_verdicts)
    assert read is None or read.verdicts == tuple(int(str(verdict)) for verdict in verdicts)


@pytest.mark.parametrize(
    "text",
    [
        verdicts_text(1, 0, 1),
        verdicts_text(1),
        '{"verdicts": [{"index": 1, "verdict": 1}, {"index": 1, "verdict": 0}]}',
        '{"verdicts": [{"index": 1, "verdict": 1}, {"index": 1, "verdict": 1}]}',
        '{"verdicts": [{"index": 1, "verdict": 1}, {"index": 2, "verdict": 0}, {"index": 1, "verdict": 1}]}',
        '{"verdicts": [{"index": 0, "verdict": 1}, {"index": 1, "verdict": 0}]}',
        '{"verdicts": [{"verdict": 1}, {"verdict": 0}]}',
        '{"verdicts": [1, 0]}',
        '{"verdicts": {"1": 1, "2": 0}}',
        '{"verdicts": [{"index": 1, "verdict": "1"}, {"index": 2, "Verdict": 0, "verdict": 1}]}',
        '{"verdicts": [{"index": 1.0, "verdict": 1}, {"index": 2, "verdict": 0}]}',
        '{"verdicts": [{"index": 1, "verdict": 1}, {"index": 2, "verdi',
        '{"verdicts": [{"index": 1, "verdict": "entailed"}, {"index": 2, "verdict": 0}]}',
        '{"verdicts": []}',
        "1: entailed, 2: not entailed",
    ],
)
def test_lists_that_leave_a_doubt_are_none(text: str) -> None:
    """A verdict too many or too few, an index twice or none, a bare list and other words are no verdicts."""
    assert read_verdicts(text, 2) is None


def test_numerals_and_spellings_are_read() -> None:
    """Quoted numbers and keys in other spellings say the same."""
    text = '```json\n{"Verdicts": [{"Index": "2", "verdict": "0"}, {"index": 1, "VERDICT": 1,},]}\n```'
    assert read_verdicts(text, 2) == Checked((1, 0))


@given(st.lists(any_text, min_size=1, max_size=4), any_text)
def test_texts_stand_in_the_entailment_prompt_as_they_are(claims: list[str], text: str) -> None:
    """The text is put in as it is, and the claims come back from the last block by index, whatever they hold."""
    user = user_text(claims, text)
    shown, _, listed = user.removeprefix("Text:\n").rpartition("\n\nClaims:\n")
    assert shown == text
    assert json.loads(listed) == [{"index": n, "claim": claim} for n, claim in enumerate(claims, 1)]


@given(any_text | st.text(alphabet='{}[]",:\\claimsverdtnx01 ', max_size=80))
def test_any_reply_is_read_without_harm(text: str) -> None:
    """Whatever a reply holds, what is read is a list of the right kind or none."""
    framed = (text, f'{{"claims": {text}}}', f'{{"verdicts": [{text}]}}', f'{{"claims": ["a"]}} {text}')
    for reply in framed:
        assert all(claim.strip() == claim != "" for claim in read_claims(reply) or ())
        verdicts = read_verdicts(reply, 1)
        assert verdicts is None or verdicts.verdicts in ((0,), (1,))


def test_prompts_state_no_list_themselves() -> None:
    """A model that repeats the entailment prompt has judged nothing; the claims prompt's examples contradict."""
    assert read_verdicts(SYSTEM, 1) is None
    assert read_claims(system_text("low", "low")) is None
