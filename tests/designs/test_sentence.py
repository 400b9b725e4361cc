"""Laws of design F: what it asks about a sentence, and how it reads both labels."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Outcome, Reply, TokenLogprob, Usage
from judgeray.designs.sentence import F

GOLDEN = Path(__file__).parent / "golden"
DOCUMENT = "The {old} bridge was closed on 3 May.\n\nIt opened again in June."
SENTENCE = "The bridge was closed in May."
JUDGE = Judge("qwen", "vllm", "Qwen/Qwen3-8B", {"temperature": 0, "top_logprobs": 20})
texts = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)

LOG = math.log


def reply(
    text: str | None, *tokens: tuple[str, dict[str, float]] | str, outcome: Outcome = "complete", known: bool = True
) -> Reply:
    """A reply made of tokens; those given with probabilities of alternatives carry their logarithms."""
    read = []
    for token in tokens:
        name, top = (token, {token: 1.0}) if isinstance(token, str) else token
        read.append(TokenLogprob(name, LOG(top.get(name, 0.5)), tuple((t, LOG(p)) for t, p in top.items())))
    words = "".join(token.token for token in read) if text is None else text
    return Reply(
        "0" * 64, "vllm", "m", outcome, words, Usage(), token_logprobs=tuple(read) if known and read else None
    )


def test_whole_prompt_is_pinned() -> None:
    """System prompt and user message are exactly the golden file's; a changed comma is another instrument."""
    call = F.call(DOCUMENT, SENTENCE, JUDGE)
    assert f"{call.system}\n----\n{call.user}\n" == (GOLDEN / "F.txt").read_text("utf-8")
    assert (F.system, F.template.format(document=DOCUMENT, sentence=SENTENCE)) == (call.system, call.user)


@given(document=texts, first=texts, second=texts)
def test_sentences_of_a_document_share_their_prompt(document: str, first: str, second: str) -> None:
    """The shared prefix is the same for all sentences, and exactly the sentence stands behind it."""
    calls = [F.call(document, sentence, JUDGE) for sentence in (first, second)]
    shared = [call.user[: call.shared_prefix_characters] for call in calls]
    assert shared[0] == shared[1]
    assert [call.user[len(shared[0]) :] for call in calls] == [first, second]
    assert document in shared[0]


def test_a_judge_without_prompts_is_refused() -> None:
    """A baseline that reads no prompts is named before any call."""
    with pytest.raises(BadInputError, match=r"judges\.base: design F: found 'lexical'"):
        F.call(DOCUMENT, SENTENCE, Judge("base", "lexical", "coverage-v1", in_process=True))


@pytest.mark.parametrize(
    ("text", "hard", "branch"),
    [
        ('{"faithful": 1}', 1, "whole"),
        ('{"faithful": 0}', 0, "whole"),
        ('{"faithful": "0"}', 0, "whole"),
        ('```json\n{"faithful": 1}\n```', 1, "embedded"),
        ('<think>maybe {"faithful": 0}</think>{"faithful": 1}', 1, "embedded"),
        ("Faithful: 0", 0, "regex"),
    ],
)
def test_the_stated_digit_is_the_hard_label(text: str, hard: int, branch: str) -> None:
    """The label is read wherever the ladder reads one, and its branch is kept."""
    judgment = F.read(reply(text))
    assert (judgment.status, judgment.hard, judgment.soft, judgment.parse_branch) == ("ok", hard, None, branch)


@pytest.mark.parametrize(
    ("text", "outcome", "status"),
    [
        ('{"faithful": 1}', "refused", "refused"),
        ('{"faithful": ', "truncated", "truncated"),
        (None, "truncated", "truncated"),
        ("", "complete", "unparsed"),
        ('{"faithful": 2}', "complete", "unparsed"),
        ('{"faithful": true}', "complete", "unparsed"),
        ('{"faithful": 0/1}', "complete", "unparsed"),
        ('{"faithful": 0}\n{"faithful": 1}', "complete", "unparsed"),
    ],
)
def test_no_label_is_invented(text: str | None, outcome: Outcome, status: str) -> None:
    """A refusal, a cut, an echo of the format and two labels give neither label."""
    judgment = F.read(reply(text, outcome=outcome))
    assert (judgment.status, judgment.hard, judgment.soft) == (status, None, None)


HEAD = ('{"', "faithful", '":')
FAIR = {"1": 0.6, "0": 0.2, "maybe": 0.2}


@pytest.mark.parametrize(
    ("tokens", "soft"),
    [
        ((*HEAD, " ", ("1", FAIR), "}"), 0.75),
        ((*HEAD, (" 1", {" 1": 0.6, " 0": 0.2}), "}"), 0.75),
        ((*HEAD, (" 1", {" 1": 0.3, "1": 0.3, " 0": 0.1, "0": 0.1}), "}"), 0.75),
        (('{"', "faithful", '"', (":1", {":1": 0.6, ":0": 0.2, ":": 0.2}), "}"), 0.75),
        ((*HEAD, ('"1"', {'"1"': 0.6, '"0"': 0.2}), "}"), 0.75),
        ((*HEAD, ' "', ("1", FAIR), '"}'), 0.75),
        ((*HEAD, (" 1}", {" 1}": 0.6, " 0}": 0.2})), 0.75),
        (("```json\n", *HEAD, " ", ("0", {"0": 0.9, "1": 0.1}), "}", "\n```"), 0.1),
        (("Faithful", ":", (" 0", {" 0": 0.9, " 1": 0.1})), 0.1),
        (('{"faithful": ', ("0", {"0": 0.9, "1": 0.1}), "}"), 0.1),
        ((*HEAD, " ", ("1", {"1": 0.9, "10": 0.05, "01": 0.05}), "}"), 1.0),
        ((*HEAD, " ", ("0", {"0": 0.9, "x": 0.1}), "}"), 0.0),
    ],
)
def test_the_soft_label_is_read_at_the_stated_digit(tokens: Any, soft: float) -> None:
    """Blanks, quotes, colons and brackets in the digit's token make no difference; like digits add up."""
    assert F.read(reply(None, *tokens)).soft == pytest.approx(soft, abs=1e-12)


def test_hard_and_soft_may_disagree() -> None:
    """A sampled reply may write the less likely digit: both labels are kept as they are."""
    judgment = F.read(reply(None, *HEAD, " ", ("1", {"0": 0.8, "1": 0.2}), "}"))
    assert judgment.hard == 1
    assert judgment.soft == pytest.approx(0.2)
    unlisted = F.read(reply(None, *HEAD, " ", ("1", {"0": 0.5}), "}"))
    assert unlisted.hard == 1
    assert unlisted.soft == pytest.approx(0.5)


@pytest.mark.parametrize(
    "tokens",
    [
        (*HEAD, " ", ("1", {}), "}"),
        (*HEAD, " ", ("1", {"true": 0.9, "yes": 0.1}), "}"),
        ('{"', ('faithful": 1', {'faithful": 1': 0.9, 'faithful": 0': 0.1}), "}"),
        (*HEAD, " ", ("1", FAIR), "}\n", *HEAD, " ", ("1", FAIR), "}"),
        ("1", *HEAD, " ", "one", "}"),
    ],
)
def test_an_unknown_place_gives_no_soft_label(tokens: Any) -> None:
    """No alternatives, no digit among them, a merged key, two places or none: not known is None."""
    assert F.read(reply('{"faithful": 1}', *tokens)).soft is None


def test_the_format_that_is_repeated_is_no_place() -> None:
    """A reply that quotes the answer format first still has one place; so has one that thinks aloud."""
    echo = reply(None, 'I answer {"faithful": 0/1}: ', *HEAD, " ", ("0", {"0": 0.9, "1": 0.1}), "}")
    assert F.read(echo).soft == pytest.approx(0.1)
    thought = reply(None, '<think>{"faithful": 1}?</think>', *HEAD, " ", ("0", {"0": 0.9, "1": 0.1}), "}")
    assert F.read(thought).hard == 0
    assert F.read(thought).soft == pytest.approx(0.1)


@given(
    st.lists(st.tuples(texts, st.floats(-1e4, 0), st.lists(st.tuples(texts, st.floats(-1e4, 0)), max_size=4))),
    st.sampled_from(['{"faithful": 1}', '{"faithful":0}']),
)
def test_any_tokens_give_a_probability_or_none(tokens: list[Any], end: str) -> None:
    """Whatever tokens come, reading does not fail and a soft label is from 0 to 1."""
    likely = ((end[-2], -0.1), (" 0", -5000.0))
    found = [TokenLogprob(token, number, tuple(top)) for token, number, top in tokens]
    found += [TokenLogprob(end[:-2], 0.0), TokenLogprob(end[-2], -0.1, likely), TokenLogprob("}", 0.0)]
    judgment = F.read(Reply("0" * 64, "p", "m", "complete", end, Usage(), token_logprobs=tuple(found)))
    assert judgment.hard == int(end[-2])
    assert judgment.soft is None or 0 <= judgment.soft <= 1
