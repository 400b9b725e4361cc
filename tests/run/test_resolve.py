"""Laws of what a manifest means: names are checked, keys and verdicts depend on what, never on how."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judgeray.core.errors import BadInputError
from judgeray.providers.account import Account
from judgeray.run.resolve import read_experiment
from judgeray.studies.arm import arm_name
from judgeray.studies.parts import parts

GOOD = """
name: good
datasets:
  qa: {path: "sample:asqa", layout: asqa, questions: 4}
judges:
  opus: {provider: anthropic, model: claude-opus-4-6}
  gpt: {provider: openai, model: gpt-4.1, temperature: 0}
  overlap: {provider: lexical}
grid:
  - {designs: [C, H], judges: [opus, gpt]}
  - {designs: [C], judges: [overlap]}
replicates: 2
"""
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a manifest file."""

    def build(text: str) -> Path:
        path = tmp_path / "m.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return build


def keys(path: Path, **options: bool) -> list[str]:
    """Keys of the first row's call under every arm."""
    experiment = read_experiment(path, **options)
    first = [part.only([part.cases()[0].key]) for part in parts(experiment.sources, experiment.arms)]
    return [call.key for part in first for task in part.shard().tasks for call in next(task.start())]


def test_arms_are_the_product_of_the_grid(write: Write) -> None:
    """Datasets x designs x judges x conditions x replicates, entry by entry."""
    experiment = read_experiment(write(GOOD))
    assert len(experiment.arms) == (2 * 2 + 1) * 2
    assert len({arm_name(arm) for arm in experiment.arms}) == 10
    assert set(experiment.accounts) == {"anthropic", "openai", "lexical"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[C, H]", "[C, Q]", "grid.0: designs: found 'Q', allowed: B, C, C.v2, C.v3, H, H.v2, H.v3, R, S."),
        ("[C, H]", "[C, C]", "grid.0: designs: 'C' stands more than once."),
        (
            "judges: [overlap]",
            "judges: [overlop]",
            "judges: found 'overlop', allowed: gpt, opus, overlap. Did you mean",
        ),
        ("provider: anthropic", "provider: antropic", "judges.opus.provider: found 'antropic', allowed: anthropic"),
        (", model: claude-opus-4-6", "", "judges.opus.model: is missing"),
        (
            "{provider: lexical}",
            "{provider: lexical, model: x}",
            "judges.overlap.model: found 'x', allowed: coverage",
        ),
        (
            "{provider: lexical}",
            "{provider: lexical, seed: 1}",
            "judges.overlap: parameter unknown to lexical: found",
        ),
        ("opus-4-6}", "opus-4-6, top_logprobs: 5}", "parameter unknown to anthropic: found 'top_logprobs'"),
        ("layout: asqa", "layout: asqua", "datasets.qa: dataset 'qa': layout: found 'asqua', allowed: asqa"),
        ("sample:asqa", "nowhere.json", "datasets.qa: dataset 'qa': no file at 'nowhere.json'"),
        ("sample:asqa", "sample:asqaa", "datasets.qa: "),
        (
            "[C], judges: [overlap]",
            "[C], judges: [gpt]",
            "grid.1: names verdicts/dataset=qa/design=C/judge=gpt/full-r0 a second",
        ),
        ("replicates: 2", "conditions: [fool]", "grid.0: conditions: found 'fool', allowed: cap_N, distractor"),
        (
            "replicates: 2",
            "providers: {vllm: {}}",
            "providers.vllm.kind: found 'nothing', allowed: anthropic, google",
        ),
        (
            "replicates: 2",
            "providers: {openai: {base_url: here}}",
            "providers.openai.base_url: found 'here', expected",
        ),
        (
            "replicates: 2",
            "providers: {openai: {base_url: 'http://h:port'}}",
            "base_url: found 'http://h:port', expected",
        ),
        ("replicates: 2", "providers: {openai: {base_url: 'http://[h'}}", "base_url: found 'http://[h', expected"),
        ("replicates: 2", "providers: {openai: {base_url: 'http://u:p@h/'}}", "holds a user or password"),
        ("replicates: 2", "providers: {google: {api: chat}}", "providers.google.api: only accounts of kind openai"),
    ],
)
def test_each_wrong_name_is_one_line(write: Write, old: str, new: str, expected: str) -> None:
    """Place, value found, values allowed; before anything starts."""
    assert old in GOOD
    path = write(GOOD.replace(old, new))
    with pytest.raises(BadInputError) as caught:
        read_experiment(path)
    assert expected in str(caught.value)
    assert str(caught.value).startswith(str(path))


HOW = """
providers:
  openai: {concurrency: 3, limits: {requests_per_minute: 9}, base_url: "http://127.0.0.1:9/v1", api: responses}
  anthropic: {timeout_seconds: 5, max_attempts: 2, api_key_env: OTHER}
replies: elsewhere
prices: {gpt-4.1: {input_usd_per_million: 1, output_usd_per_million: 2}}
"""


def test_how_changes_no_call_key(write: Write) -> None:
    """Limits, concurrency, base URL, timeouts, key names, prices and folders enter no key."""
    assert keys(write(GOOD)) == keys(write(GOOD + HOW))


def test_what_changes_call_keys(write: Write) -> None:
    """A parameter, a model, or the emulator in place of the provider makes other calls."""
    before = keys(write(GOOD))
    assert keys(write(GOOD.replace("temperature: 0", "temperature: 0.5"))) != before
    assert keys(write(GOOD.replace("gpt-4.1", "gpt-4.2"))) != before
    assert keys(write(GOOD), emulate=True) != before


def test_emulator_leaves_the_lexical_judge_real(write: Write) -> None:
    """The free baseline is computed, not simulated, so its replies serve every run."""
    real, emulated = (keys(write(GOOD), emulate=emulate) for emulate in (False, True))
    same = [a == b for a, b in zip(real, emulated, strict=True)]
    assert same == [False] * 8 + [True] * 2


def test_demanded_parameter_is_recorded_in_the_call(write: Write) -> None:
    """Anthropic's obligatory cap has one default and stands in the call; nobody else gets one."""
    judges = {arm.judge.name: arm.judge for arm in read_experiment(write(GOOD)).arms}
    assert judges["opus"].parameters == {"max_output_tokens": 16_000}
    assert judges["gpt"].parameters == {"temperature": 0}


def test_limit_caps_questions_per_dataset(write: Write) -> None:
    """`--limit` takes the smaller of itself and what the manifest says."""
    assert read_experiment(write(GOOD), limit=2).sources[0].questions == 2
    assert read_experiment(write(GOOD), limit=9).sources[0].questions == 4


def test_compatible_server_speaks_chat(write: Write) -> None:
    """An OpenAI account with a base URL is spoken to by Chat Completions unless told otherwise."""
    text = GOOD.replace("provider: openai", "provider: local") + (
        'providers: {local: {kind: openai, base_url: "http://127.0.0.1:8000/v1"}}'
    )
    accounts = read_experiment(write(text)).accounts
    assert accounts["local"] == Account("local", "openai", "chat", "http://127.0.0.1:8000/v1")
