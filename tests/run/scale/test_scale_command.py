"""Laws of `judgeray plan --scale`: own rows and replies are the pilot, and nothing is sent or written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judgeray.cli.main import main
from judgeray.engine.layout import RepliesFolder
from judgeray.run.plan import plan
from judgeray.run.reopen import replies_of
from judgeray.run.resolve import read_experiment
from judgeray.run.scale.measured import JOURNAL_BYTES, LATENCY_SECONDS
from judgeray.run.scale.mix import Mix, mix_of
from judgeray.run.scale.observed import Sizes
from judgeray.run.scale.tables import duration
from judgeray.run.survey import survey
from tests.run.made_run import made_run

QUESTIONS = 12
MANIFEST = """
name: small
datasets: {asqa: {path: "sample:asqa", questions: 20}}
judges: {gpt: {provider: openai, model: gpt-4.1}, overlap: {provider: lexical}}
grid: [{designs: [C, H], judges: [gpt, overlap]}]
providers: {openai: {mode: batch, concurrency: 128, limits: {requests_per_minute: 1000}}}
"""


def verdict(design: str, row_id: str) -> str:
    """The same verdict about everything."""
    return '{"verdict": "supported"}'


def mix_for(manifest: Path, run: Path, replies: RepliesFolder | None = None) -> Mix:
    """The mix of a manifest with what lies in a run directory."""
    experiment = read_experiment(manifest)
    facts = survey(experiment.sources, experiment.arms, experiment.study)
    kept = replies or replies_of(run, experiment)
    return mix_of(experiment, facts, plan(experiment, kept), kept, run)


def test_scale_is_told_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Accounts, this side and walls are on the screen for the rows asked for; no file and no folder appears."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    (tmp_path / "small.yaml").write_text(MANIFEST)
    assert main(["plan", "small.yaml", "--scale", "100000000"]) == 0
    said = capsys.readouterr().out
    assert "a run of 100,000,000 rows of this mix" in said
    calls = re.findall(r"(?<![\d,])200,000,000 ", said.partition("walls")[0])
    assert len(calls) == 2  # two designs under each judge
    assert "141.0 days (requests_per_minute)" in said  # 200 million calls at 985 a minute
    assert "500,000 calls a round" in said
    assert "walls, the nearest first" in said
    assert [path.name for path in tmp_path.iterdir()] == ["small.yaml"]


def test_scale_is_a_number_of_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No run of zero rows, and none of words."""
    for wrong in ("0", "-5", "many"):
        with pytest.raises(SystemExit):
            main(["plan", str(tmp_path / "small.yaml"), "--scale", wrong])
    assert "--scale" in capsys.readouterr().err


def test_mix_counts_every_call_once_whether_known_or_wanted(tmp_path: Path) -> None:
    """Two designs are two calls a row, before and after their replies are kept."""
    run = made_run(tmp_path, verdict, questions=QUESTIONS)
    fresh = mix_for(tmp_path / "made.yaml", run, RepliesFolder(tmp_path / "none"))
    known = mix_for(tmp_path / "made.yaml", run)
    assert sum(arm.calls for arm in fresh.arms) == sum(arm.calls for arm in known.arms) == 2.0
    assert fresh.records == known.records == 2.0


def test_kept_replies_tell_tokens_costs_and_sizes(tmp_path: Path) -> None:
    """A finished run is a pilot for a larger one: its tokens, its dollars and its bytes."""
    run = made_run(tmp_path, verdict, questions=QUESTIONS)
    mix = mix_for(tmp_path / "made.yaml", run)
    for arm in mix.arms:
        assert (arm.input_tokens, arm.output_tokens) == (100.0, 20.0)
        assert len(arm.pilot_usd) == QUESTIONS
        assert arm.guess_usd == pytest.approx(sum(cost or 0.0 for cost in arm.pilot_usd) / QUESTIONS)
    assert mix.latency_seconds == {"openai": LATENCY_SECONDS}  # none of these replies was timed
    stored = sum(path.stat().st_size for path in (run / "replies" / "ledger").rglob("*.parquet"))
    assert mix.sizes.observed
    assert mix.sizes.ledger == stored / (2 * QUESTIONS)
    assert 100 < mix.sizes.journal < JOURNAL_BYTES
    assert mix.sizes.record > 0


def test_without_a_run_sizes_are_the_measured_ones(tmp_path: Path) -> None:
    """Nothing is read where there is nothing."""
    made_run(tmp_path, verdict, questions=QUESTIONS)
    mix = mix_for(tmp_path / "made.yaml", tmp_path / "nowhere", RepliesFolder(tmp_path / "none"))
    assert mix.sizes == Sizes()
    assert all(arm.guess_usd for arm in mix.arms)


def test_durations_are_told_in_the_unit_that_suits_them() -> None:
    """Minutes, hours up to two days, then days."""
    told = [duration(hours) for hours in (0.001, 0.5, 1.0, 47.9, 48.0, 240_000.0)]
    assert told == ["under 1 min", "30 min", "1.0 h", "47.9 h", "2.0 days", "10,000.0 days"]
