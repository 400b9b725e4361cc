"""The observer of a run's driver: rounds, accounts, compaction, and how the run ended."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ray

from judgeray.engine.observe.event_log import EventLog
from judgeray.engine.observe.metrics import SETTLED, WANTED
from judgeray.engine.observe.observed import Observed
from judgeray.engine.observe.ray_metrics import RayMetrics
from judgeray.providers.account import Account


class RunObserver:
    """Without `observed` it is silent, and so are all actors that it would tell of."""

    def __init__(self, observed: Observed | None = None) -> None:
        self.observed = observed
        self._log = EventLog() if observed is None else observed.log("driver")
        self._meters: RayMetrics | None = None
        self.ending = "broken off"

    @contextmanager
    def run(self, **facts: str | int) -> Iterator[None]:
        """Tell that a run begins and how it ended: as `ending` says, which is set when it goes well."""
        started = time.monotonic()
        self._log.info("run_started", **facts)
        try:
            yield
        finally:
            self._log.info("run_ended", state=self.ending, seconds=time.monotonic() - started)
            self._log.close()

    def accounts_opened(self, accounts: Mapping[str, Account]) -> None:
        """The accounts' settings are final."""
        for name, account in accounts.items():
            limits = {limit: value for limit, value in vars(account.limits).items() if value is not None}
            self._log.info(
                "account_opened",
                provider=name,
                kind=account.kind,
                mode=account.mode,
                actors=account.actors,
                concurrency=account.concurrency,
                limits=limits or None,
                simulated=account.simulated,
            )

    def ray_started(self) -> None:
        """Ray is up: from here on there are metrics."""
        if self.observed is None:
            return
        self._meters = RayMetrics(self.observed.run)
        nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
        for node in nodes:
            if node["Alive"]:
                endpoint = f"http://{node['NodeManagerAddress']}:{node['MetricsExportPort']}/metrics"
                self._log.info("metrics_served", endpoint=endpoint)

    def round_planned(
        self, number: int, wanted: Mapping[str, int], known: Mapping[str, int], in_batches: Mapping[str, int]
    ) -> None:
        """What a round wants, each by provider account: calls to buy, calls known, calls in open batches."""
        self._log.info("round_planned", round=number, wanted=wanted, known=known, in_batches=in_batches)

    def progress(self, provider: str, wanted: int, settled: int) -> None:
        """How far an account is: calls wanted over the whole run, and those of them that are done or failed."""
        if self._meters is not None:
            self._meters.put(WANTED, wanted, provider=provider)
            self._meters.put(SETTLED, settled, provider=provider)

    def stopping(self, drain_seconds: float) -> None:
        """A person or the machine asked for a stop."""
        self._log.warning("stopping", drain_seconds=drain_seconds)

    def stream_broke(self, provider: str, words: str) -> None:
        """An account's Dataset ended with an error of Ray or of storage, and with it the account, for this round.

        Of the words only what names the error is logged; those of the system say what storage refused.
        """
        name = words.partition(":")[0]
        if "[Errno " in words:
            self._log.error("storage_problem", provider=provider, error=name, words=words)
        else:
            self._log.error("account_stopped", provider=provider, error=name)

    def compacted(self, replies: int, seconds: float) -> None:
        """The journals' replies were moved into the ledger."""
        self._log.info("compacted", replies=replies, seconds=seconds)
