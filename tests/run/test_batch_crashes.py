"""The law of batches under SIGKILL: at every step of its life, a rerun ends with one batch and every row once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.how import How
from tests.run.bench import ROOT, Bench, MakeBench

JUDGES = (
    "gpt: {provider: openai, model: gpt-4.1}, opus: {provider: anthropic, model: claude-opus-4-6}, "
    "gem: {provider: google, model: gemini-3.1-flash-lite-preview}"
)
DESK = "{mode: batch, batch: {poll_seconds: 0.2, find_seconds: 0.3}}"
HOW = f"providers: {{openai: {DESK}, anthropic: {DESK}, google: {DESK}}}"
ROWS = 160
STEPS = [
    {"openai": "before_intent", "anthropic": "after_create", "google": "after_intent"},
    {"openai": "during_upload", "anthropic": "during_download", "google": "while_polling"},
    {"openai": "before_ledger", "anthropic": "while_polling", "google": "during_upload"},
]
"""Steps at which each provider's desk is killed before the rerun; the desk's own tests cover the rest."""


def die_at(bench: Bench, provider: str, step: str) -> None:
    """Start carrying a provider's batches in a process that kills itself at the step."""
    script = ROOT / "tests" / "run" / "carry_and_die.py"
    done = subprocess.run(
        [sys.executable, str(script), str(bench.manifest), str(bench.output), provider, step],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize("steps", STEPS, ids=["-".join(steps.values()) for steps in STEPS])
def test_killed_desks_leave_one_batch_each_and_every_row_once(
    make_bench: MakeBench, tmp_path: Path, steps: dict[str, str]
) -> None:
    """Kill, run again: one batch per provider was executed, each prompt once, and every row has its verdict."""
    how = How(batches=Batches(batch_seconds=0.6))
    bench = make_bench(judges=JUDGES, extra=HOW, how=how)
    for provider, step in steps.items():
        die_at(bench, provider, step)
    code, said = bench.run()
    assert code == 0, said
    counts = bench.emulator.counts()
    assert counts["prompts"] == counts["executed"] == 3 * ROWS
    assert counts["batches"]["created"] == 3
    verdicts = bench.verdicts()
    assert verdicts.height == 3 * ROWS
    assert set(verdicts["status"]) == {"ok"}
    assert set(verdicts["mode"]) == {"batch"}
    records = [json.loads(path.read_text()) for path in tmp_path.rglob("batches/*.json")]
    assert [record["step"] for record in records] == ["harvested"] * 3
