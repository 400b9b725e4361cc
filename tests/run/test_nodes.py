"""Laws of several nodes: a node may die, limits hold over all of them, and no actor is held without work."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest
from ray.cluster_utils import Cluster

from judgeray.emulator.how import How
from judgeray.emulator.rates import Limits, Rates
from tests.run.bench import DEADLINE_SECONDS, Bench, MakeBench, running_bench

GPT = "gpt: {provider: openai, model: gpt-4.1}"
OPUS = "opus: {provider: anthropic, model: claude-opus-4-6}"
OVERLAP = "overlap: {provider: lexical}"
BLOCK_CALLS = 2 * 40 * 2
REPLICATES = 11
CALLS = BLOCK_CALLS * REPLICATES
"""Datasets x rows x designs x replicates: nine blocks of at most 200 calls, work for two actors."""

CONCURRENCY = 16
PER_SECOND, BURST_SECONDS = 30, 2.0
QUICK_DEATH = {
    "health_check_initial_delay_ms": 500,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 3,
}
"""Lets Ray see within two seconds that a node is gone, which else takes it about fifteen."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A head that offers no CPU, as in cluster.yaml, and two workers, joined by commands through RAY_ADDRESS."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "_system_config": QUICK_DEATH})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ADDRESS", made.address)
        try:
            for _ in range(2):
                add_worker(made)
            yield made
        finally:
            made.shutdown()  # type: ignore[no-untyped-call]


def add_worker(cluster: Cluster) -> None:
    """A node with a CPU, and a GPU that exists for Ray alone."""
    cluster.add_node(num_cpus=1, num_gpus=1)


def actors_of(bench: Bench, account: str) -> list[psutil.Process]:
    """Processes of an account's pool: those that hold one of its journals open."""
    journals = str(bench.output / "replies" / "journal" / f"{account}-")
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if "AnswerPool" in " ".join(process.info["cmdline"] or ()):
            with suppress(psutil.Error):
                if any(file.path.startswith(journals) for file in process.open_files()):
                    found.append(process)
    return found


def nodes_of(bench: Bench, account: str) -> set[int]:
    """Nodes on which an account has actors, by the process ids of their raylets, which start the actors."""
    found = set[int]()
    for actor in actors_of(bench, account):
        with suppress(psutil.Error):
            found.update(parent.pid for parent in actor.parents() if parent.name() == "raylet")
    return found


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Wait for something to come true; a deadline names what did not."""
    end = time.monotonic() + DEADLINE_SECONDS
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def replies(bench: Bench, account: str) -> list[dict[str, Any]]:
    """Replies in an account's journals."""
    files = [path for path in journals(bench, account) if "failures" not in path.name]
    return [
        json.loads(line)
        for path in files
        for line in path.read_bytes().splitlines(keepends=True)
        if line[-1:] == b"\n"
    ]


def journals(bench: Bench, account: str) -> list[Path]:
    """Files of an account's actors, one or two an actor."""
    return list((bench.output / "replies" / "journal").glob(f"{account}-*.jsonl"))


def test_killed_node_loses_nothing(cluster: Cluster, make_bench: MakeBench) -> None:
    """SIGKILL of a node with an actor: the same run goes on and repeats at most what that node had in flight."""
    how = f"providers: {{openai: {{actors: 2, concurrency: {CONCURRENCY}}}}}"
    bench = make_bench(GPT, f"replicates: {REPLICATES}\n{how}", latency_seconds=0.1)
    process = bench.start()
    bench.wait_until_journaled(CALLS // 10, process)
    wait_until(lambda: len(nodes_of(bench, "openai")) == 2, "actors on two nodes")
    nodes = nodes_of(bench, "openai")
    victim = next(node for node in cluster.worker_nodes if node.all_processes["raylet"][0].process.pid in nodes)
    cluster.remove_node(victim, allow_graceful=False)
    add_worker(cluster)
    said, _ = process.communicate(timeout=DEADLINE_SECONDS)
    assert process.returncode == 0, said
    assert bench.emulator.counts()["received"] <= CALLS + CONCURRENCY
    verdicts = bench.verdicts()
    assert verdicts.select("dataset", "design", "row_id", "replicate").n_unique() == verdicts.height == CALLS
    assert set(verdicts["status"]) == {"ok"}


@dataclass(frozen=True)
class Watched:
    """What was seen of a run with much limited work on one account and a single block on two others."""

    refused: int
    starts: list[float]
    small_actors: int
    on_gpus: int
    left_when_small_was_done: int


@pytest.fixture(scope="module")
def watched(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Watched:
    """Two actors under a limit that the emulator enforces, beside accounts of few calls; killed after a while."""
    per_minute = PER_SECOND * 60
    how = f"""
providers:
  openai: {{actors: 2, concurrency: 32, limits: {{requests_per_minute: {per_minute}}}}}
  anthropic: {{actors: 4, concurrency: 32}}
  lexical: {{actors: 2, gpus_per_actor: 0.5}}
"""
    rates = Rates(requests_per_minute=per_minute, burst_seconds=BURST_SECONDS)
    folder = tmp_path_factory.mktemp("watched")
    with running_bench(
        folder, f"{GPT}, {OPUS}, {OVERLAP}", how, How(limits=Limits(openai={"default": rates}))
    ) as bench:
        grid = "judges: [gpt, opus, overlap]}"
        many = f"judges: [gpt], replicates: {REPLICATES}}}\n  - {{designs: [C, H], judges: [opus, overlap]}}"
        bench.manifest.write_text(bench.manifest.read_text().replace(grid, many))
        process = bench.start()
        bench.wait_until_journaled(1, process)
        wait_until(lambda: len(nodes_of(bench, "openai")) == 2, "openai's actors on two nodes")
        wait_until(lambda: len(replies(bench, "anthropic")) == BLOCK_CALLS, "anthropic's replies")
        wait_until(lambda: not actors_of(bench, "anthropic"), "anthropic's actors to be gone")
        left = CALLS - len(replies(bench, "openai"))
        wait_until(lambda: len(replies(bench, "openai")) >= 0.6 * CALLS, "openai's replies")
        bench.kill(process)
        starts = [moment(reply) - reply["latency_seconds"] for reply in replies(bench, "openai")]
        actors = len([path for path in journals(bench, "anthropic") if "failures" not in path.name])
        computed = len(replies(bench, "lexical"))
        return Watched(bench.emulator.counts()["limited"], sorted(starts), actors, computed, left)


def moment(reply: dict[str, Any]) -> float:
    """When a reply came, in seconds."""
    return datetime.fromisoformat(reply["received_at"]).timestamp()


def test_limits_hold_over_nodes(watched: Watched) -> None:
    """Actors on two nodes start no more calls in any time than limit x time + burst; next to none are refused."""
    assert watched.refused <= 0.001 * CALLS
    assert most_above_limit(watched.starts) <= BURST_SECONDS * PER_SECOND


def most_above_limit(starts: list[float]) -> float:
    """The most by which the calls of any time from a start to another exceed the limit times that time."""
    worst = level = 0.0
    for before, after in pairwise(starts):
        level = max(0.0, level - (after - before) * PER_SECOND) + 1
        worst = max(worst, level)
    return worst


def test_small_work_holds_one_actor_and_lets_it_go(watched: Watched) -> None:
    """One block under `actors: 4` starts one actor, which is gone while another account still works."""
    assert watched.small_actors == 1
    assert watched.left_when_small_was_done > 0


def test_account_that_asks_for_gpus_works_where_there_are_some(watched: Watched) -> None:
    """Actors of an in-process account get their share of a GPU, and answer every call."""
    assert watched.on_gpus == BLOCK_CALLS
