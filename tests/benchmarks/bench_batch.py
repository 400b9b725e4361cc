"""Wall time and memory of one large batch job: `PYTHONPATH=. python tests/benchmarks/bench_batch.py [ROWS]`.

Sends rows (50,000 unless said otherwise) through the public command as OpenAI batches over the emulator, and prints
JSON: seconds from start to end, and the peak of the proportional memory of the command and all its processes.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
import time
from pathlib import Path

import psutil

from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.how import How
from tests.run.bench import Bench, running_bench

JUDGE = "gpt: {provider: openai, model: gpt-4.1}"
DESK = "providers: {openai: {mode: batch, batch: {poll_seconds: 1.0}}}"


def write_rows(path: Path, count: int) -> None:
    """A table of so many rows."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question_id", "question", "reference", "candidate", "label", "variant"])
        for number in range(count):
            answer = f"The river rises at {number} metres, in the northern hills, and is {number % 900} km long."
            writer.writerow([number, f"Where does river {number} rise?", answer, answer, "supported", "v"])


def family_mib(pid: int) -> float:
    """Proportional memory of a process and all it started."""
    family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    total = 0
    for member in family:
        try:
            total += member.memory_full_info().pss
        except psutil.Error:
            continue
    return total / 2**20


def measure(bench: Bench) -> dict[str, float]:
    """Run the command to its end and watch its memory."""
    start, peak = time.monotonic(), 0.0
    process = bench.start()
    while process.poll() is None:
        peak = max(peak, family_mib(process.pid))
        time.sleep(0.5)
    said, _ = process.communicate()
    if process.returncode:
        raise SystemExit(said)
    return {"seconds": round(time.monotonic() - start, 1), "peak_pss_mib": round(peak)}


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    how = How(batches=Batches(batch_seconds=1.0))
    with tempfile.TemporaryDirectory() as folder, running_bench(Path(folder), JUDGE, DESK, how) as made:
        write_rows(Path(folder) / "rows.csv", rows)
        lines = [line for line in made.manifest.read_text().splitlines() if not line.startswith("  qampari")]
        text = "\n".join(lines).replace("designs: [C, H]", "designs: [H]")
        table = f'{{layout: table, path: "{folder}/rows.csv"}}'
        made.manifest.write_text(text.replace('{path: "sample:asqa", questions: 20}', table))
        facts = measure(made)
        counts = made.emulator.counts()
        print(json.dumps({"rows": rows, **facts, "batches": counts["batches"], "executed": counts["executed"]}))
