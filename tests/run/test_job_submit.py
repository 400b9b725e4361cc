"""Laws of clusters: the same command, as a job of a real head with token authentication, and what it tells."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

import polars as pl
import pytest

from judgeray.core.reply import Reply
from judgeray.emulator.fault_settings import FaultRule, Faults
from judgeray.emulator.how import How
from judgeray.engine.observe.metrics import (
    ANSWERED,
    BATCH_CALLS,
    BUSY,
    COST,
    FAILED,
    IN_FLIGHT,
    INPUT_TOKENS,
    LATENCY_BUCKETS,
    LATENCY_SUM,
    LIMIT,
    OUTPUT_TOKENS,
    RETRIES,
    WAITING,
    WANTED,
)
from tests.run.bench import DEADLINE_SECONDS, JUDGES, ROOT, Bench, MakeBench, running_bench
from tests.run.ray_head import RAY, READY_SECONDS, SECRET, Head, ray_head
from tests.run.scrape import Scraper

JOB_SECONDS = 180


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Head]:
    """One head for all tests."""
    with ray_head(tmp_path_factory.mktemp("head")) as started:
        yield started


def test_submitted_job_runs_the_grid(head: Head, make_bench: MakeBench) -> None:
    """`ray job submit` of the public command joins the cluster, settles every row and succeeds."""
    bench = make_bench()
    submit = [RAY, "job", "submit", "--address", head.address, "--"]
    job = ["python", str(ROOT / "jobs" / "run_grid.py"), str(bench.manifest), "--output", str(bench.output)]
    end = time.monotonic() + READY_SECONDS
    while True:
        done = subprocess.run(
            [*submit, *job], env=head.env, capture_output=True, text=True, timeout=JOB_SECONDS, check=False
        )
        said = done.stdout + done.stderr
        if "No available agent" not in said or time.monotonic() > end:
            break
        time.sleep(1)  # the head's job agent comes up a little after its port
    assert done.returncode == 0, said
    assert "succeeded" in said
    verdicts = bench.verdicts()
    assert verdicts.height == 320
    assert set(verdicts["status"]) == {"ok"}
    counts = bench.emulator.counts()
    assert counts["received"] == counts["prompts"] == 320
    listed = subprocess.run(
        [RAY, "job", "list", "--address", head.address, "-v"],
        env=head.env,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert SECRET not in said + listed.stdout + listed.stderr
    for path in (*head.folder.rglob("*"), *bench.output.rglob("*")):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path


RUN = "observed"
ACCOUNTS = """providers:
  openai: {actors: 2, concurrency: 8, limits: {requests_per_minute: 6000}}
  anthropic: {mode: batch, batch: {poll_seconds: 0.2, most_requests: 50}}
"""
FAULTS = Faults(
    retry_after_seconds=0.2,
    rules=(
        FaultRule(fault="rate_limited", probability=0.1, routes=("realtime",)),
        FaultRule(fault="server_error", probability=0.1, routes=("realtime",)),
        FaultRule(fault="context_length", probability=0.05, routes=("realtime",)),
    ),
)


@dataclass
class Observed:
    """A run, and what was scraped from its node meanwhile."""

    bench: Bench
    scraper: Scraper


@pytest.fixture(scope="module")
def observed(head: Head, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Observed]:
    """A run on the cluster that met faults, one account in batches and one in realtime, scraped all the while."""
    folder, how = tmp_path_factory.mktemp("observed"), How(faults=FAULTS)
    scraper = Scraper(head.ports["metrics-export-port"], RUN)
    with (
        running_bench(folder, JUDGES, ACCOUNTS, how, latency_seconds=0.5) as bench,
        pytest.MonkeyPatch.context() as patch,
    ):
        bench.manifest.write_text(bench.manifest.read_text().replace("name: bench", f"name: {RUN}"))
        for name, value in {**head.env, "RAY_ADDRESS": f"127.0.0.1:{head.ports['port']}"}.items():
            patch.setenv(name, value)
        process = bench.start()
        while process.poll() is None:
            scraper.scrape()
            time.sleep(0.5)
        said, _ = process.communicate(timeout=DEADLINE_SECONDS)
        assert process.returncode == 3, said
        yield Observed(bench, scraper)


def test_cluster_exports_what_the_ledger_holds(observed: Observed) -> None:
    """After a run, the counters that Prometheus scrapes from the node add up to the ledger and the verdicts."""
    verdicts, scraper = observed.bench.verdicts(), observed.scraper
    ok = verdicts.filter(pl.col("status") != "undelivered")
    scraper.scrape_until(ANSWERED, ok.height)
    for (provider,), rows in ok.group_by("provider"):
        assert scraper.total(ANSWERED, provider=str(provider)) == rows.height
        for metric, column in ((INPUT_TOKENS, "input_tokens"), (OUTPUT_TOKENS, "output_tokens")):
            assert scraper.total(metric, provider=str(provider)) == rows[column].sum() > 0
        assert scraper.total(COST, provider=str(provider)) == pytest.approx(rows["cost_usd"].sum())
    realtime = ok.filter(pl.col("mode") == "realtime")
    assert scraper.total(LATENCY_BUCKETS, le="+Inf") == realtime.height
    assert scraper.total(LATENCY_SUM) == pytest.approx(realtime["latency_seconds"].sum())
    assert scraper.total(FAILED) == verdicts.height - ok.height > 0
    sent_again = verdicts["attempts"].sum() - verdicts.height
    assert scraper.total(BUSY, status="429") + scraper.total(RETRIES, status="500") == sent_again
    assert min(scraper.total(BUSY), scraper.total(RETRIES)) > 0
    assert SECRET not in scraper.text


def test_cluster_shows_what_goes_on(observed: Observed) -> None:
    """While a run goes on, its gauges show calls in flight and waiting, limits, batches and progress."""
    scraper = observed.scraper
    assert 0 < scraper.peak(IN_FLIGHT, provider="openai", mode="realtime") <= 8
    assert 0 < scraper.peak(WAITING, provider="openai", mode="realtime", reason="slot") <= 160
    assert 0 < scraper.peak(LIMIT, provider="openai", bucket="requests") <= 6000
    assert 0 < scraper.peak(BATCH_CALLS, provider="anthropic") <= 160
    assert scraper.peak(WANTED, provider="openai") == 160


def test_logs_tell_what_happened_and_no_text(observed: Observed) -> None:
    """Each process has its own file of JSON lines; faults are in them, and no key, prompt, candidate or reply."""
    files = sorted((observed.bench.output / "logs").glob("*/*.jsonl"))
    assert {path.name.partition("-")[0] for path in files} == {"driver.jsonl", "openai", "anthropic"}
    lines = {path.name: [json.loads(line) for line in path.read_text().splitlines()] for path in files}
    assert all(line["run"] == RUN and line["session"] for told in lines.values() for line in told)
    driver = [line["event"] for line in lines["driver.jsonl"]]
    assert (driver[0], driver[-1]) == ("run_started", "run_ended")
    assert {"account_opened", "metrics_served", "round_planned", "compacted"} <= set(driver)
    openai = [line for name, told in lines.items() if name.startswith("openai-") for line in told]
    expected = {"actor_opened", "busy", "retry", "call_failed", "limit_changed"}
    assert expected <= {line["event"] for line in openai}
    assert all(line["provider"] == "openai" for line in openai)
    batches = [line for told in lines.values() for line in told if line["event"] == "batch_changed"]
    assert {line["step"] for line in batches} >= {"intent", "sending", "created", "ended", "harvested"}
    written = "".join(path.read_text() for path in files)
    assert SECRET not in written
    assert not [text for text in texts(observed.bench) if json.dumps(text)[1:-1] in written]


def texts(bench: Bench) -> list[str]:
    """All reply texts of a run, and the texts of the samples that it judged."""
    ledger = pl.read_parquet(bench.output / "replies" / "ledger" / "**" / "*.parquet", hive_partitioning=False)
    replies = [str(Reply.from_json(reply).text) for reply in ledger["reply"]]
    samples = files("judgeray.samples").joinpath("asqa.json").read_text(encoding="utf-8")
    return [*replies, *(text for text in re.findall(r'"([^"\\]{20,})"', samples))]
