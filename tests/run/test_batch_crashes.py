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

JUDGES = {
    "openai": "gpt: {provider: openai, model: gpt-4.1}",
    "anthropic": "opus: {provider: anthropic, model: claude-opus-4-6}",
    "google": "gem: {provider: google, model: gemini-3.1-flash-lite-preview}",
}
DESK = "{mode: batch, batch: {poll_seconds: 0.2, find_seconds: 0.3}}"
ROWS = 160
STEPS = [
    ("before_intent", "openai"),
    ("after_intent", "google"),
    ("during_upload", "openai"),
    ("after_create", "anthropic"),
    ("while_polling", "google"),
    ("during_download", "anthropic"),
    ("before_ledger", "openai"),
]
"""Steps at which the process is killed, dealt to the three providers; the desk's own tests cover the rest."""


def die_at(bench: Bench, step: str) -> None:
    """Start carrying the manifest's batches in a process that kills itself at the step."""
    script = ROOT / "tests" / "run" / "carry_and_die.py"
    done = subprocess.run(
        [sys.executable, str(script), str(bench.manifest), str(bench.output), step],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize(("step", "provider"), STEPS, ids=[step for step, _ in STEPS])
def test_killed_desk_leaves_one_batch_and_every_row_once(
    make_bench: MakeBench, tmp_path: Path, step: str, provider: str
) -> None:
    """Kill, run again: one batch was executed, each prompt once, and every row has its verdict."""
    how = How(batches=Batches(batch_seconds=0.6))
    bench = make_bench(judges=JUDGES[provider], extra=f"providers: {{{provider}: {DESK}}}", how=how)
    die_at(bench, step)
    code, said = bench.run()
    assert code == 0, said
    counts = bench.emulator.counts()
    assert counts["prompts"] == counts["executed"] == ROWS
    assert counts["batches"]["created"] == 1
    verdicts = bench.verdicts()
    assert verdicts.height == ROWS
    assert set(verdicts["status"]) == {"ok"}
    assert set(verdicts["mode"]) == {"batch"}
    records = [json.loads(path.read_text()) for path in tmp_path.rglob("batches/*.json")]
    assert [record["step"] for record in records] == ["harvested"]
