"""One simulation: a behaviour, how it is served, its audit, and the one way from prompt to completion."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine
from itertools import count
from pathlib import Path
from secrets import token_hex
from statistics import NormalDist
from tempfile import TemporaryDirectory
from typing import get_args

from judgeray.emulator.audit import Audit
from judgeray.emulator.batch_book import BatchBook
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniform
from judgeray.emulator.families import reply_text
from judgeray.emulator.faults import FaultBook
from judgeray.emulator.how import How
from judgeray.emulator.limits import Limiter
from judgeray.emulator.prompt import Completion, Prompt, complete
from judgeray.emulator.prompt_cache import PromptCache
from judgeray.emulator.settings import ApiName
from judgeray.emulator.stored_files import FileBook
from judgeray.emulator.token_logprobs import token_logprobs

_STANDARD_NORMAL = NormalDist()
_LEAST_DRAW = 1e-9


class Simulation:
    """State shared by all routes of one server. `close` it at the end: it runs tasks and keeps files."""

    def __init__(self, behaviour: Behaviour, how: How | None = None) -> None:
        self.behaviour = behaviour
        self.audit = Audit()
        self.batches: dict[str, BatchBook] = {api: BatchBook() for api in get_args(ApiName)}
        self.files: dict[str, FileBook] = {api: FileBook() for api in get_args(ApiName)}
        self._cache = PromptCache()
        self._numbers = count(1)
        self._nonce = token_hex(4)
        self._tasks: set[asyncio.Task[None]] = set()
        self._folder: TemporaryDirectory[str] | None = None
        self.adopt(how or How())

    def adopt(self, how: How) -> None:
        """Serve from now on as `how` says: limits start unused and faults unmet; batches keep their pace."""
        self.how = how
        self.limits = Limiter(how.limits)
        self.faults = FaultBook(how.faults, self.audit.fault)

    def next_id(self) -> str:
        """A name that this server gives once: 24 hex digits."""
        return f"{next(self._numbers):024x}"

    def new_name(self) -> str:
        """A name for a batch or a file, 24 hex digits, that no server ever gives again."""
        return f"{self._nonce}{next(self._numbers):016x}"

    def new_path(self) -> Path:
        """A path for a new file in a folder that `close` removes."""
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="judgeray-emulator-")
        return Path(self._folder.name) / self.next_id()

    def serves(self, model: str) -> bool:
        """Whether a model of this name exists here."""
        known = self.behaviour.known_models
        return known is None or model in known

    async def answer(self, prompt: Prompt) -> Completion:
        """Wait for as long as a model would, and complete a realtime prompt."""
        if self.behaviour.latency_seconds > 0:
            await asyncio.sleep(latency_seconds(prompt, self.behaviour))
        completion = self.completion(prompt)
        self.audit.executed(prompt, "realtime")
        return completion

    def completion(self, prompt: Prompt) -> Completion:
        """What a prompt is answered, without waiting or counting."""
        done = complete(prompt, self.next_id(), reply_text(prompt, self.behaviour))
        logprobs, cached = token_logprobs(prompt, done.text, self.behaviour), self._cache.take(prompt)
        return done._replace(logprobs=logprobs, cached_tokens=cached.read, written_tokens=cached.written)

    def start(self, work: Coroutine[None, None, None]) -> None:
        """Run something beside the requests, until it ends or `close`."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop what runs and remove all files."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._folder is not None:
            self._folder.cleanup()


def latency_seconds(prompt: Prompt, behaviour: Behaviour) -> float:
    """Latency of one prompt: lognormal, drawn from the prompt and the behaviour's seed."""
    draw = uniform("latency", str(behaviour.seed), prompt.digest)
    deviation = _STANDARD_NORMAL.inv_cdf(max(draw, _LEAST_DRAW))
    return behaviour.latency_seconds * math.exp(behaviour.latency_sigma * deviation)
