"""Laws of the ladder's prompts: each is pinned, quoted as ours, and holds its text as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.writers.perturbation.ladder import PROMPTS

GOLDEN = Path(__file__).parent / "golden"
TEXT = "The {sydney} bridge opened in [March 1932:0]."
GPT = Judge("gpt", "openai", "gpt-4.1", {"temperature": 0.7})
any_text = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)


@pytest.mark.parametrize("name", sorted(PROMPTS))
def test_whole_step_prompt_is_pinned(name: str) -> None:
    """System prompt and user message are exactly the golden file's."""
    call = PROMPTS[name].call(TEXT, GPT)
    assert f"{call.system}\n=====\n{call.user}\n" == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(PROMPTS))
def test_call_key_of_a_step_is_pinned(name: str) -> None:
    """Keys do not change between releases; each draw has its own."""
    keys = dict(line.split() for line in (GOLDEN / "keys.txt").read_text().splitlines())
    assert PROMPTS[name].call(TEXT, GPT).key == keys[name]
    assert len({PROMPTS[name].call(TEXT, GPT, draw).key for draw in range(4)}) == 4


def test_prompts_are_told_apart_and_ours() -> None:
    """Names are in the order of the steps, and each source says that the wording is not the paper's."""
    assert list(PROMPTS) == ["paraphrase", "rank", "perturb"]
    assert all(prompt.source.startswith("ours: ") and prompt.version for prompt in PROMPTS.values())


@pytest.mark.parametrize("name", sorted(PROMPTS))
@given(text=any_text)
def test_text_stands_in_a_step_prompt_as_it_is(name: str, text: str) -> None:
    """Braces and any other character of a text are data, never part of the template."""
    before, behind = PROMPTS[name].template.split("{text}")
    assert PROMPTS[name].call(text, GPT).user == before + text + behind


@pytest.mark.parametrize("name", sorted(PROMPTS))
def test_in_process_judges_build_no_ladder(name: str) -> None:
    """A judge that knows no language is refused before anything is asked."""
    overlap = Judge("overlap", "lexical", "coverage-v1", in_process=True)
    with pytest.raises(BadInputError, match=rf"judges\.overlap: writer {name}: found 'lexical'"):
        PROMPTS[name].call(TEXT, overlap)
